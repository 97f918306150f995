import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { machineName } from "@/lib/domain/intents/intent";
import { launchUserData } from "@/lib/services/agent/user-data";
import { isRecord } from "@/lib/simulator/request-body";
import { DEFAULT_KEY, type Simulator } from "@/lib/simulator/start";
import { at, startTestCloud } from "@/lib/simulator/testing";
import { type Recorded, type Recorder, startRecorder } from "@/lib/testing/recorder";
import { type CallKind, lambdaClient } from "./client";
import { isOutcomeUnknown, LambdaError } from "./errors";

let cloud: Simulator;
let recorder: Recorder;
beforeAll(async () => {
  cloud = await startTestCloud({ behaviour: { auditPageSize: 2 } });
  recorder = await startRecorder(cloud.apiUrl, () => cloud.cloud.now());
});
afterEach(() => {
  cloud.faults.clear(null);
  recorder.requests.length = 0;
});
afterAll(async () => {
  await recorder.close();
  await cloud.close();
});

function client(baseUrl = recorder.url) {
  const kinds: CallKind[] = [];
  const acquire = async (kind: CallKind) => {
    kinds.push(kind);
    cloud.cloud.clock.moveTo(cloud.cloud.now() + 13_000);
  };
  return { kinds, lambda: lambdaClient({ baseUrl, key: DEFAULT_KEY, acquire }) };
}

const INTENT = "0190b8a2-1111-7222-8333-444455556666";
const launch = {
  regionName: "us-east-3",
  typeName: "gpu_1x_gh200",
  sshKeyName: "team-key",
  name: machineName("gh-train-04", INTENT),
  imageFamily: "lambda-stack-24-04",
  fileSystemNames: [],
  tags: { "hopperdeck-intent": INTENT, "hopperdeck-env": "real", owner: "Mira Köhler", team: "research & co" },
  userData: launchUserData("https://hopperdeck.example.com", "hd_0123456789ab_secret"),
};

const file = path.join(process.env.SHARED_DIR ?? "../shared", "reference/lambda-openapi-1.10.0.json");
const skipped = existsSync(file) ? "" : ` (skipped: ${file} is absent)`;

describe.skipIf(skipped)(`every request has the form of Lambda's specification 1.10.0${skipped}`, () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const specification: unknown = skipped ? {} : JSON.parse(readFileSync(file, "utf8"));
  if (isRecord(specification)) ajv.addSchema(specification, "lambda");

  const errorsOf = (schema: object, value: unknown): string[] => {
    const validate = ajv.compile(schema);
    return validate(value) ? [] : [ajv.errorsText(validate.errors)];
  };

  /** What the specification has against a request. */
  function objections({ method, path: asked, body, contentType, authorization }: Recorded): string[] {
    const url = new URL(asked, "http://localhost");
    const paths = at(specification, "paths");
    const template = Object.keys(isRecord(paths) ? paths : {}).find((one) =>
      new RegExp(`^${one.replace(/\{\w+\}/g, "[^/]+")}$`).test(`/api/v1${url.pathname}`),
    );
    const operation = at(paths, template ?? "", method.toLowerCase());
    if (!isRecord(operation)) return [`there is no ${method} ${url.pathname}`];
    const found: string[] = [];
    const known = Array.isArray(operation.parameters) ? operation.parameters.filter(isRecord) : [];
    for (const [name, value] of url.searchParams) {
      const parameter = known.find((one) => one.in === "query" && one.name === name);
      if (!isRecord(parameter?.schema)) found.push(`there is no parameter ${name}`);
      else found.push(...errorsOf(parameter.schema, value));
    }
    const wanted = at(operation, "requestBody", "content", "application/json", "schema");
    if (isRecord(wanted)) {
      const escaped = (template ?? "").replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D");
      const $ref = `lambda#/paths/${escaped}/${method.toLowerCase()}/requestBody/content/application~1json/schema`;
      found.push(...errorsOf({ $ref }, JSON.parse(body || "null")));
      const properties = isRecord(wanted.properties) ? Object.keys(wanted.properties) : [];
      const sent: unknown = JSON.parse(body || "{}");
      for (const name of Object.keys(isRecord(sent) ? sent : {}))
        if (!properties.includes(name)) found.push(`there is no field ${name}`);
      if (contentType !== "application/json") found.push(`content-type ${contentType}`);
    } else if (body !== "") found.push("it takes no body");
    if (authorization !== `Bearer ${DEFAULT_KEY}`) found.push("not authorised as specified");
    return found;
  }

  test("reads, launch, rename, restart and terminate", async () => {
    const { lambda, kinds } = client();
    const [id = ""] = await lambda.launch(launch);
    await lambda.launch({ ...launch, imageFamily: null, tags: {} });
    cloud.cloud.clock.moveTo(cloud.cloud.now() + 120_000);
    await lambda.listInstances();
    await lambda.getInstance(id);
    await lambda.renameInstance(id, "gh-train-05");
    expect(await lambda.restart(id)).toBe(true);
    expect(await lambda.terminate(id)).toBe(true);
    await lambda.listInstanceTypes();
    await lambda.listRegions();
    await lambda.listImages();
    await lambda.listSshKeys();
    await lambda.listFilesystems();
    const events = await lambda.listAuditEvents(new Date(cloud.cloud.now() - 3_600_000), new Date(cloud.cloud.now()));
    expect(events.length).toBeGreaterThan(4);

    expect(recorder.requests.some(({ path: asked }) => asked.includes("page_token="))).toBe(true);
    for (const request of recorder.requests) {
      expect(objections(request), `${request.method} ${request.path} ${request.body}`).toEqual([]);
      expect(request.status).toBe(200);
    }
    // Each request took its turn, and each launch the turn of a launch.
    expect(kinds).toHaveLength(recorder.requests.length);
    expect(kinds.filter((kind) => kind === "launch")).toHaveLength(2);
    expect(kinds.filter((kind) => kind === "write")).toHaveLength(3);
  });

  test.each<[string, Partial<Recorded>]>([
    ["no such address", { path: "/machines" }],
    ["no such parameter", { path: "/audit-events?since=2026-11-21T12:00:00Z" }],
    ["no instant", { path: "/audit-events?start=yesterday" }],
    [
      "no such field",
      { method: "POST", path: "/instance-operations/terminate", body: `{"instance_ids":["a"],"force":true}` },
    ],
    [
      "a field is missing",
      { method: "POST", path: "/instance-operations/launch", body: `{"region_name":"us-east-3"}` },
    ],
  ])("the check itself objects: %s", (_, more) => {
    const request = {
      at: 0,
      method: "GET",
      path: "/instances",
      contentType: "application/json",
      body: "",
      status: 200,
    };
    expect(objections({ ...request, authorization: `Bearer ${DEFAULT_KEY}` })).toEqual([]);
    expect(objections({ ...request, authorization: `Bearer ${DEFAULT_KEY}`, ...more })).not.toEqual([]);
  });
});

describe("how a call went wrong, in the terms in which we must act", () => {
  const failing = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => (error instanceof LambdaError ? error : Promise.reject(error)),
    );

  test.each<[string, Record<string, unknown>, Partial<LambdaError>]>([
    ["401", { name: "unauthorised" }, { kind: "unauthorised", status: 401, code: "global/invalid-api-key" }],
    ["403", { name: "account_inactive" }, { kind: "unauthorised", status: 403, code: "global/account-inactive" }],
    ["429", { name: "rate_limited" }, { kind: "throttled", status: 429, retryAfterMs: null }],
    ["500", { name: "server_error" }, { kind: "server_error", status: 500 }],
    ["503", { name: "server_error", status: 503 }, { kind: "server_error", status: 503 }],
    ["an edge page of 200", { name: "edge_page", status: 200 }, { kind: "edge_page" }],
    ["an edge page of 403", { name: "edge_page" }, { kind: "edge_page", status: 403 }],
    ["an edge page of 429", { name: "edge_page", status: 429 }, { kind: "throttled" }],
    ["an edge page of 520", { name: "edge_page", status: 520 }, { kind: "edge_page" }],
    ["a cut connection", { name: "hang", resetAfterMs: 20 }, { kind: "lost" }],
  ])("%s", async (_, fault, expected) => {
    cloud.faults.add(fault);
    expect(await failing(client().lambda.listInstances())).toMatchObject(expected);
  });

  test("refusals carry Lambda's own code", async () => {
    const { lambda } = client();
    expect(await failing(lambda.launch({ ...launch, regionName: "us-west-1", imageFamily: null }))).toMatchObject({
      kind: "refused",
      code: "instance-operations/launch/insufficient-capacity",
    });
    expect(await failing(lambda.terminate("0".repeat(32)))).toMatchObject({ kind: "refused", status: 404 });
  });

  test("nobody listens: nothing was sent, so a launch may be tried again", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = address && typeof address === "object" ? address.port : 0;
    await new Promise((resolve) => server.close(resolve));
    const error = await failing(client(`http://127.0.0.1:${port}/api/v1`).lambda.launch(launch));
    expect(error).toMatchObject({ kind: "not_sent" });
    expect(error && isOutcomeUnknown(error)).toBe(false);
  });

  const answers: [string, number, string, string, string][] = [
    ["cut JSON", 200, "application/json", `{"data":[{"id":"a"`, "edge_page"],
    ["JSON of another form", 200, "application/json", `{"data":{"id":"a"}}`, "malformed"],
    ["a machine without an id", 200, "application/json", `{"data":[{"status":"active"}]}`, "malformed"],
    ["nothing", 200, "application/json", "", "edge_page"],
    ["an error without a code", 502, "application/json", `{"message":"bad gateway"}`, "server_error"],
    ["more than 10 MiB", 200, "application/json", `{"data":["${"x".repeat(11 * 1024 * 1024)}"]}`, "malformed"],
  ];
  test.each(answers)("%s", async (_, status, type, body, kind) => {
    const server = createServer((_request, response) => response.writeHead(status, { "content-type": type }).end(body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = address && typeof address === "object" ? address.port : 0;
    const error = await failing(client(`http://127.0.0.1:${port}/api/v1`).lambda.listInstances());
    server.closeAllConnections();
    server.close();
    expect(error).toMatchObject({ kind });
    // An answer like this to a launch leaves open whether there is a machine.
    expect(error && isOutcomeUnknown(error)).toBe(true);
  });
});

test("what is read of a machine holds no notebook address and no token", async () => {
  const { lambda } = client();
  const [id = ""] = await lambda.launch(launch);
  cloud.cloud.clock.moveTo(cloud.cloud.now() + 120_000);
  const read = JSON.stringify([await lambda.getInstance(id), await lambda.listInstances()]);
  const token = cloud.cloud.state.machines.at(-1)?.jupyterToken ?? "";
  expect(token).not.toBe("");
  expect(read).toContain(id);
  expect(read).not.toContain(token);
  expect(read).not.toContain("jupyter");
});
