import { z } from "zod";
import { PERMISSIONS, ROLE_NAMES } from "@/lib/domain/access";
import { httpStatus } from "@/lib/errors";
import type { ApiDoor, RawBody } from "./api-door";
import { API_DOORS } from "./api-doors";

type Json = Record<string, unknown>;

/** What every refusal looks like; `lib/web/route.ts` writes it. */
const REFUSAL = z.object({
  error: z.object({
    code: z.enum(["internal", ...(Object.keys(httpStatus) as (keyof typeof httpStatus)[])]),
    message: z.string().meta({ description: "What was wrong, what was not lost, what to do." }),
    fields: z.record(z.string(), z.string()).meta({ description: "What is wrong, by field of the question." }),
  }),
});

/** The API as an OpenAPI 3.1 document, from the schemas that check its questions. */
export function openApi({ version, server, cookie }: { version: string; server: string; cookie: string }): Json {
  const paths: Record<string, Json> = {};
  for (const door of API_DOORS) paths[door.path] = { ...paths[door.path], [door.method]: operation(door) };
  return {
    openapi: "3.1.1",
    info: {
      title: "Hopperdeck",
      version,
      description:
        "Instants are epoch milliseconds. Money is whole micro-dollars as text. Missing is null, never zero. GET changes nothing.",
    },
    servers: [{ url: server }],
    paths,
    components: {
      schemas: { Refusal: jsonSchema(REFUSAL, "output") },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: cookie, description: "A signed-in browser." },
        token: {
          type: "http",
          scheme: "bearer",
          description: "An API token; its role, and within it its scopes, say what it may.",
        },
        ingest: { type: "http", scheme: "bearer", description: "An ingest token, or the token of one machine." },
      },
    },
  };
}

function operation(door: ApiDoor): Json {
  const named = Object.entries(door.question ?? {})[0];
  const question = named ? jsonSchema(named[1], "input") : { properties: {}, required: [] };
  const inPath = [...door.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const properties = Object.entries((question.properties ?? {}) as Record<string, Json>);
  const required = new Set((question.required ?? []) as string[]);
  const others = properties.filter(([name]) => !inPath.includes(name));
  const isBody = door.method === "post";
  const parameters = properties
    .filter(([name]) => inPath.includes(name) || !isBody)
    .map(([name, { description, ...schema }]) => ({
      name,
      in: inPath.includes(name) ? "path" : "query",
      required: inPath.includes(name) || required.has(name),
      ...(description !== undefined && { description }),
      schema,
    }));
  const body: Json = {
    ...question,
    properties: Object.fromEntries(others),
    required: [...required].filter((name) => !inPath.includes(name)),
  };
  return {
    operationId: operationId(door),
    summary: door.summary,
    description: whoMay(door),
    ...(parameters.length > 0 && { parameters }),
    ...(door.body
      ? { requestBody: { required: true, description: door.body.about, content: rawContent(door.body) } }
      : isBody && others.length > 0 && { requestBody: { required: true, content: asJson(body) } }),
    security: securityOf(door),
    responses: responsesOf(door),
  };
}

function rawContent({ types, schema }: RawBody): Json {
  return Object.fromEntries(types.map((type) => [type, schema ? { schema: jsonSchema(schema, "input") } : {}]));
}

function asJson(schema: Json): Json {
  return { "application/json": { schema } };
}

function responsesOf(door: ApiDoor): Json {
  const { answer } = door;
  const isOther = "about" in answer;
  const content = isOther
    ? { [answer.type]: {} }
    : asJson(
        "isShape" in answer
          ? { type: "object", properties: answer.properties, required: Object.keys(answer.properties) }
          : jsonSchema(answer, "output"),
      );
  const refused = { description: "Refused.", content: asJson({ $ref: "#/components/schemas/Refusal" }) };
  const usual = door.method === "post" && door.right !== "ingest" ? 201 : 200;
  return {
    [door.status ?? usual]: {
      description: isOther ? answer.about : "The answer.",
      ...(door.isTagged && { headers: { etag: { description: "A strong tag.", schema: { type: "string" } } } }),
      ...(door.status !== 204 && { content }),
    },
    ...(door.isTagged && { "304": { description: "Nothing changed since the answer with that tag." } }),
    ...(door.right !== "open" && { default: refused }),
  };
}

function securityOf({ right }: ApiDoor): Json[] {
  if (right === "open") return [];
  return right === "ingest" ? [{ ingest: [] }] : [{ session: [] }, { token: [] }];
}

function whoMay({ right }: ApiDoor): string {
  if (right === "open") return "Nobody is asked: it holds no secret.";
  if (right === "ingest") return "Takes a token that may write telemetry.";
  const { label, roles } = PERMISSIONS[right];
  return `Takes the right “${label}”: ${roles.map((role) => ROLE_NAMES[role].toLowerCase()).join(", ")}.`;
}

function operationId({ method, path }: ApiDoor): string {
  const words = path.replace("/api/v1/", "").split(/[^A-Za-z0-9]+/);
  return [method, ...words.filter(Boolean).map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)].join("");
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
