import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import type { ApiDoor } from "./api-door";
import { API_DOORS } from "./api-doors";
import { openApi } from "./openapi";

const FOLDER = "app/api/v1";

function routesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return routesBelow(file);
    return entry.name === "route.ts" ? [file] : [];
  });
}

const fileOf = ({ path }: ApiDoor) => `app${path.replaceAll("{", "[").replaceAll("}", "]")}/route.ts`;
const nameOf = ({ method, path }: ApiDoor) => `${method.toUpperCase()} ${path}`;

/** The methods that a route file has, as a door is named. */
function doorsIn(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const address = file
    .replace(/^app/, "")
    .replace(/\/route\.ts$/, "")
    .replaceAll("[", "{")
    .replaceAll("]", "}");
  return [...source.matchAll(/^export (?:async )?(?:const|function) (GET|POST|PUT|PATCH|DELETE)\b/gm)].map(
    (match) => `${match[1]} ${address}`,
  );
}

describe("the description and the routes", () => {
  test("speak of the same doors", () => {
    const routes = routesBelow(FOLDER).flatMap(doorsIn).sort();
    expect(routes.length).toBeGreaterThan(40);
    expect(API_DOORS.map(nameOf).sort()).toEqual(routes);
  });

  test.each(API_DOORS.map((door) => [nameOf(door), door] as const))(
    "%s is described by the schema that checks it",
    (_, door) => {
      const source = readFileSync(fileOf(door), "utf8");
      const name = Object.keys(door.question ?? {})[0];
      const asked = [...source.matchAll(/\b(get|getPacked|post|csv|kept|table)\(\s*(\w+(?:\.\w+\(\{\}\))?),/g)]
        .filter((match) => (match[1] === "post") === (door.method === "post"))
        .map((match) => match[2]);
      // The same address as a file may be asked for more: which table, and which of its rows.
      const files = [...source.matchAll(/\),\s*(\w+Question),\s*export\w+,?\s*\)/g)].map((match) => match[1]);
      if (name !== undefined) expect(door.method === "get" ? [...asked, ...files] : asked).toContain(name);
      else expect(asked.filter((one) => one !== "z.object({})")).toEqual([]);
    },
  );
});

/** What OpenAPI 3.1 asks of the parts that are used here, by hand from its specification. */
const SHAPE = {
  type: "object",
  required: ["openapi", "info", "paths"],
  properties: {
    openapi: { type: "string", pattern: "^3\\.1\\.\\d+$" },
    info: {
      type: "object",
      required: ["title", "version"],
      properties: { title: { type: "string" }, version: { type: "string", minLength: 1 } },
    },
    servers: { type: "array", items: { type: "object", required: ["url"], properties: { url: { type: "string" } } } },
    paths: {
      type: "object",
      propertyNames: { pattern: "^/" },
      additionalProperties: {
        type: "object",
        propertyNames: { enum: ["get", "post"] },
        additionalProperties: { $ref: "#/$defs/operation" },
      },
    },
    components: {
      type: "object",
      propertyNames: { enum: ["schemas", "securitySchemes"] },
      properties: {
        securitySchemes: {
          type: "object",
          additionalProperties: {
            oneOf: [
              {
                required: ["name", "in"],
                properties: { type: { const: "apiKey" }, in: { enum: ["query", "header", "cookie"] } },
              },
              { required: ["scheme"], properties: { type: { const: "http" } } },
            ],
          },
        },
      },
    },
  },
  $defs: {
    operation: {
      type: "object",
      required: ["operationId", "responses"],
      properties: {
        operationId: { type: "string", pattern: "^\\w+$" },
        parameters: {
          type: "array",
          items: {
            type: "object",
            required: ["name", "in", "schema"],
            properties: { in: { enum: ["query", "path"] }, required: { type: "boolean" }, schema: { type: "object" } },
            if: { properties: { in: { const: "path" } } },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: { required: ["required"], properties: { required: { const: true } } },
          },
        },
        requestBody: { type: "object", required: ["content"], properties: { content: { $ref: "#/$defs/content" } } },
        responses: {
          type: "object",
          minProperties: 1,
          propertyNames: { pattern: "^(default|[1-5]\\d\\d)$" },
          additionalProperties: {
            type: "object",
            required: ["description"],
            properties: { content: { $ref: "#/$defs/content" } },
          },
        },
        security: { type: "array", items: { type: "object", additionalProperties: { type: "array" } } },
      },
    },
    content: {
      type: "object",
      minProperties: 1,
      propertyNames: { pattern: "^[\\w.+-]+/[\\w.+-]+$" },
      additionalProperties: { type: "object" },
    },
  },
};

describe("the document", () => {
  const document = openApi({ version: "1.2.3", server: "http://localhost:3000", cookie: "session" });
  const paths = document.paths as Record<string, Record<string, Operation>>;
  type Parameter = { name: string; in: string; schema: object };
  type Content = Record<string, { schema?: object }>;
  type Operation = {
    operationId: string;
    parameters?: Parameter[];
    requestBody?: { content: Content };
    responses: Record<string, { content?: Content }>;
    security: Record<string, string[]>[];
  };
  const operations = Object.entries(paths).flatMap(([address, methods]) =>
    Object.values(methods).map((operation) => ({ address, operation })),
  );

  test("is what OpenAPI 3.1 asks for", () => {
    const ajv = new Ajv2020({ strict: false });
    const isValid = ajv.validate(SHAPE, document);
    expect(ajv.errors ?? []).toEqual([]);
    expect(isValid).toBe(true);
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test("names each operation once, and every parameter of its path", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { address, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((one) => one.in === "path").map((one) => `{${one.name}}`);
      expect(inPath, address).toEqual(address.match(/\{\w+\}/g) ?? []);
    }
  });

  test("holds schemas that a validator takes, and refers to nothing that is not there", () => {
    const ajv = addFormats(new Ajv2020({ strict: false }));
    const schemas = operations.flatMap(({ operation }) => [
      ...(operation.parameters ?? []).map((one) => one.schema),
      ...Object.values(operation.requestBody?.content ?? {}).flatMap((one) => one.schema ?? []),
      ...Object.values(operation.responses).flatMap((one) =>
        Object.values(one.content ?? {}).flatMap((content) => content.schema ?? []),
      ),
    ]);
    expect(schemas.length).toBeGreaterThan(80);
    for (const schema of schemas) {
      if (JSON.stringify(schema) === '{"$ref":"#/components/schemas/Refusal"}') continue;
      expect(JSON.stringify(schema)).not.toContain("$ref");
      expect(() => ajv.compile(schema)).not.toThrow();
    }
    expect(() => ajv.compile((document.components as { schemas: { Refusal: object } }).schemas.Refusal)).not.toThrow();
  });

  test("uses only the credentials that it describes", () => {
    const known = Object.keys((document.components as { securitySchemes: object }).securitySchemes);
    for (const { operation } of operations) {
      for (const one of operation.security.flatMap((each) => Object.keys(each))) expect(known).toContain(one);
    }
    expect(paths["/api/v1/openapi.json"]?.get?.security).toEqual([]);
    expect(paths["/api/v1/fleet"]?.get?.security).not.toEqual([]);
  });

  test("says of a question what its schema says", () => {
    const parameters = paths["/api/v1/series"]?.get?.parameters ?? [];
    expect(parameters.map((one) => one.name)).toEqual(["range", "from", "to", "metric", "scope", "points", "by"]);
    expect(parameters.find((one) => one.name === "points")?.schema).toMatchObject({ maximum: 600, default: 600 });
    const body = paths["/api/v1/alerts/{alertId}/acknowledge"]?.post?.requestBody?.content["application/json"]?.schema;
    expect(body).toMatchObject({ required: ["minutes"], properties: { note: { type: "string" } } });
  });
});
