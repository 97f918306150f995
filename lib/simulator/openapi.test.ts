import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isRecord } from "./request-body";
import { routes } from "./routes";
import type { Simulator } from "./start";
import { type Answer, at, call, launch, launchBody, startTestCloud } from "./testing";

const file = path.join(process.env.SHARED_DIR ?? "../shared", "reference/lambda-openapi-1.10.0.json");
const skipped = existsSync(file) ? "" : ` (skipped: ${file} is absent)`;

describe.skipIf(skipped)(`answers have the form of Lambda's specification 1.10.0${skipped}`, () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const specification: unknown = skipped ? {} : JSON.parse(readFileSync(file, "utf8"));
  if (isRecord(specification)) ajv.addSchema(specification, "lambda");

  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startTestCloud({ behaviour: { auditPageSize: 3 } });
  });
  afterAll(() => simulator.close());

  /** Fails unless the specification has this answer for this operation, and the answer fits. */
  function conforms(answer: Answer, method: string, template: string): Answer {
    const escaped = `/api/v1${template}`.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D");
    const place = `paths/${escaped}/${method.toLowerCase()}/responses/${answer.status}/content/application~1json/schema`;
    const validate = ajv.compile({ $ref: `lambda#/${place}` });
    expect(validate(answer.json), `${method} ${template}: ${ajv.errorsText(validate.errors)}\n${answer.text}`).toBe(
      true,
    );
    return answer;
  }

  async function ask(method: string, template: string, id = "", body?: unknown): Promise<Answer> {
    return conforms(await call(simulator, method, template.replace("{id}", id), body), method, template);
  }

  test("every operation that is served is in the specification, under the same name", () => {
    for (const { method, path: template, operationId } of routes) {
      const named = at(specification, "paths", `/api/v1${template}`, method.toLowerCase(), "operationId");
      expect(named, `${method} ${template}`).toBe(operationId);
    }
  });

  test.each(["/instances", "/instance-types", "/regions", "/images", "/ssh-keys", "/file-systems", "/audit-events"])(
    "GET %s",
    async (template) => {
      const answer = await ask("GET", template);
      expect(answer.status).toBe(200);
    },
  );

  test("firewall rules are read and replaced", async () => {
    const rules = [
      { protocol: "tcp", port_range: [443, 443], source_network: "203.0.113.0/24", description: "web" },
      { protocol: "icmp", source_network: "0.0.0.0/0", description: "" },
    ];
    await ask("GET", "/firewall-rulesets/global");
    expect(at((await ask("PATCH", "/firewall-rulesets/global", "", { rules })).json, "data", "rules")).toEqual(rules);
    const made = await ask("POST", "/firewall-rulesets", "", { name: "lab", region: "us-east-3", rules: [] });
    const id = String(at(made.json, "data", "id"));
    await ask("PATCH", "/firewall-rulesets/{id}", id, { rules });
    expect(at((await ask("GET", "/firewall-rulesets/{id}", id)).json, "data", "rules")).toEqual(rules);
    await ask("GET", "/firewall-rulesets");
    const refused = await call(simulator, "PATCH", "/firewall-rulesets/global", {
      rules: [{ ...rules[1], port_range: [1, 2] }],
    });
    expect(refused.status).toBe(400);
    expect((await call(simulator, "GET", `/firewall-rulesets/${"0".repeat(32)}`)).status).toBe(404);
  });

  test("a machine's whole life, from launch to gone", async () => {
    const made = await ask("POST", "/filesystems", "", { name: "datasets", region: "us-east-3" });
    const fileSystemId = String(at(made.json, "data", "id"));
    const launched = await ask("POST", "/instance-operations/launch", "", {
      ...launchBody({ name: "gh-1", file_system_names: ["datasets"], tags: [{ key: "team", value: "research" }] }),
      file_system_mounts: [{ mount_point: "/data/sets", file_system_id: fileSystemId }],
      image: { family: "lambda-stack-24-04" },
      hostname: "gh-1",
      user_data: "#cloud-config\n",
      quantity: 1,
      unheard_of: true,
    });
    const id = String(at(launched.json, "data", "instance_ids", 0));
    const { clock } = simulator.cloud;

    const booting = await ask("GET", "/instances/{id}", id);
    expect(at(booting.json, "data", "status")).toBe("booting");
    expect(at(booting.json, "data")).not.toHaveProperty("ip");
    expect(at(booting.json, "data", "actions", "terminate", "reason_code")).toBe("vm-has-not-launched");

    clock.moveTo(clock.now() + 60_000);
    const active = await ask("GET", "/instances/{id}", id);
    expect(at(active.json, "data", "status")).toBe("active");
    expect(at(active.json, "data", "ip")).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    expect(at(active.json, "data", "hostname")).toBe("gh-1");
    expect(at(active.json, "data", "file_system_mounts", 0, "mount_point")).toBe("/data/sets");
    expect(at(active.json, "data", "actions", "terminate")).toEqual({ available: true });
    expect(active.text).not.toContain("cloud-config");
    await ask("GET", "/instances");

    const renamed = await ask("POST", "/instances/{id}", id, { name: "gh-one" });
    expect(at(renamed.json, "data", "name")).toBe("gh-one");

    const restarted = await ask("POST", "/instance-operations/restart", "", { instance_ids: [id] });
    expect(at(restarted.json, "data", "restarted_instances", 0, "status")).toBe("active");
    const busy = await ask("GET", "/instances/{id}", id);
    expect(at(busy.json, "data", "actions", "restart", "reason_code")).toBe("vm-action-in-progress");
    const again = await ask("POST", "/instance-operations/restart", "", { instance_ids: [id] });
    expect(again.status).toBe(409);

    const inUse = await ask("DELETE", "/filesystems/{id}", fileSystemId);
    expect(at(inUse.json, "error", "code")).toBe("filesystems/filesystem-in-use");
    expect(at((await ask("GET", "/file-systems")).json, "data", 0, "is_in_use")).toBe(true);

    const ended = await ask("POST", "/instance-operations/terminate", "", { instance_ids: [id] });
    expect(at(ended.json, "data", "terminated_instances", 0, "status")).toBe("terminating");
    clock.moveTo(clock.now() + 31_000);
    expect(at((await ask("GET", "/instances")).json, "data")).toEqual([]);
    expect(at((await ask("GET", "/instances/{id}", id)).json, "data", "status")).toBe("terminated");
    clock.moveTo(clock.now() + 6 * 60_000);
    expect((await ask("GET", "/instances/{id}", id)).status).toBe(404);
    expect((await ask("POST", "/instance-operations/terminate", "", { instance_ids: [id] })).status).toBe(404);

    const removed = await ask("DELETE", "/filesystems/{id}", fileSystemId);
    expect(at(removed.json, "data", "deleted_ids")).toEqual([fileSystemId]);
    expect((await ask("DELETE", "/filesystems/{id}", fileSystemId)).status).toBe(404);
  });

  test("SSH keys: added, made, listed, refused twice, deleted", async () => {
    const given = await ask("POST", "/ssh-keys", "", { name: "laptop", public_key: "ssh-ed25519 AAAA laptop" });
    expect(at(given.json, "data")).not.toHaveProperty("private_key");
    const made = await ask("POST", "/ssh-keys", "", { name: "made" });
    expect(at(made.json, "data", "private_key")).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    expect(at(made.json, "data", "public_key")).toMatch(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI\S{43} made$/);
    const twice = await ask("POST", "/ssh-keys", "", { name: "made" });
    expect(at(twice.json, "error", "message")).toContain("name must be unique");
    const listed = await ask("GET", "/ssh-keys");
    expect(listed.text).not.toContain("private_key");
    const id = String(at(made.json, "data", "id"));
    expect((await ask("DELETE", "/ssh-keys/{id}", id)).status).toBe(200);
    expect((await ask("DELETE", "/ssh-keys/{id}", id)).status).toBe(404);
  });

  test.each([
    ["an id that is none", "GET", "/instances/{id}", "ab", undefined, 400],
    ["a name that is too long", "POST", "/instances/{id}", "0".repeat(32), { name: "x".repeat(65) }, 400],
    [
      "a filesystem's name that starts with a digit",
      "POST",
      "/filesystems",
      "",
      { name: "1st", region: "us-east-3" },
      400,
    ],
    ["a launch without a key", "POST", "/instance-operations/launch", "", launchBody({ ssh_key_names: [] }), 400],
    [
      "a launch of an unknown type",
      "POST",
      "/instance-operations/launch",
      "",
      launchBody({ instance_type_name: "x" }),
      400,
    ],
    [
      "a launch without capacity",
      "POST",
      "/instance-operations/launch",
      "",
      launchBody({ region_name: "us-west-1" }),
      400,
    ],
    ["a restart of nothing known", "POST", "/instance-operations/restart", "", { instance_ids: ["0".repeat(32)] }, 404],
    ["an audit log from no day", "GET", "/audit-events?start=yesterday", "", undefined, 400],
  ])("%s is refused in the specification's form", async (_, method, template, id, body, status) => {
    const answer = await call(simulator, method, template.replace("{id}", id), body);
    expect(answer.status).toBe(status);
    conforms(answer, method, template.replace(/\?.*/, ""));
  });

  test("an answer of the future does not fit, so the check is one", async () => {
    await launch(simulator, { name: "for the future" });
    simulator.faults.add({ name: "unknown_status", count: 1 });
    const answer = await call(simulator, "GET", "/instances");
    expect(() => conforms(answer, "GET", "/instances")).toThrow(/status must be equal to one of the allowed values/);
  });

  test("the audit log pages, without losing or repeating an event", async () => {
    await launch(simulator, { name: "for the log" });
    const seen: unknown[] = [];
    let token: unknown = "";
    for (let page = 0; typeof token === "string" && page < 50; page++) {
      const query = token === "" ? "" : `?page_token=${encodeURIComponent(token)}`;
      const answer = conforms(await call(simulator, "GET", `/audit-events${query}`), "GET", "/audit-events");
      const events = at(answer.json, "data");
      if (Array.isArray(events)) seen.push(...events.map((event) => at(event, "event_id")));
      token = at(answer.json, "page_token");
    }
    expect(token).toBeNull();
    expect(seen.length).toBe(simulator.cloud.state.audit.length);
    expect(new Set(seen).size).toBe(seen.length);
  });
});
