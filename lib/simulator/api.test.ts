import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_KEY, type Simulator } from "./start";
import { admin, at, call, launch, launchBody, request, startTestCloud } from "./testing";

const fixture = path.join(process.env.SHARED_DIR ?? "../shared", "fixtures/lambda");
const skipped = existsSync(fixture) ? "" : ` (skipped: ${fixture} is absent)`;
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startTestCloud();
});
afterAll(() => simulator.close());

const message = async (body: unknown): Promise<unknown> => {
  const answer = await call(simulator, "POST", "/instance-operations/launch", body);
  expect(answer.status).toBe(400);
  return at(answer.json, "error", "message");
};

describe("who may ask", () => {
  test.each([
    ["Bearer", `Bearer ${DEFAULT_KEY}`, 200],
    ["Basic with the key as user", basic(`${DEFAULT_KEY}:`), 200],
    ["Basic with the bare key", `Basic ${DEFAULT_KEY}`, 200],
    ["a wrong key", "Bearer secret_wrong_1", 401],
    ["the key as password", basic(`x:${DEFAULT_KEY}`), 401],
    ["no key", "", 401],
  ])("%s", async (_, authorization, status) => {
    simulator.cloud.clock.moveTo(simulator.cloud.now() + 1_000);
    const answer = await request(`${simulator.apiUrl}/regions`, "GET", undefined, { authorization });
    expect(answer.status).toBe(status);
  });

  test("openapi.json is public and names the version", async () => {
    const answer = await request(`${simulator.apiUrl}/openapi.json`);
    expect(at(answer.json, "info", "version")).toBe("1.10.0");
  });

  test.skipIf(skipped)(`refusals are the recorded ones, word for word${skipped}`, async () => {
    const read = (name: string): unknown => JSON.parse(readFileSync(path.join(fixture, name), "utf8"));
    const bad = await call(simulator, "GET", "/instances/ab");
    expect(bad.status).toBe(400);
    expect(bad.json).toEqual(read("error_instance_get_bad_id_400.json"));
    const strange = await request(`${simulator.apiUrl}/instances`);
    expect(strange.json).toEqual(at(read("terraform-provider-errors.json"), "unauthorized_401"));
  });
});

describe("how often one may ask", () => {
  test("a manual clock allows ten at once, then one for each second it moves", async () => {
    const own = await startTestCloud();
    const ask = () => request(`${own.apiUrl}/regions`, "GET", undefined, { authorization: `Bearer ${DEFAULT_KEY}` });
    const burst = [];
    for (let i = 0; i < 11; i++) burst.push((await ask()).status);
    expect(burst).toEqual([...Array(10).fill(200), 429]);
    await admin(own, "POST", "/clock", { now: own.cloud.now() + 1_000 });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
    await own.close();
  });

  test("one launch in twelve seconds; the refusal says nothing of when to come back", async () => {
    const own = await startTestCloud();
    const post = () =>
      request(`${own.apiUrl}/instance-operations/launch`, "POST", launchBody(), {
        authorization: `Bearer ${DEFAULT_KEY}`,
      });
    expect((await post()).status).toBe(200);
    const refused = await post();
    expect(refused.status).toBe(429);
    expect(refused.headers.has("retry-after")).toBe(false);
    await admin(own, "POST", "/clock", { now: own.cloud.now() + 11_000 });
    expect((await post()).status).toBe(429);
    await admin(own, "POST", "/clock", { now: own.cloud.now() + 12_000 });
    expect((await post()).status).toBe(200);
    expect(own.cloud.state.machines.length).toBe(2);
    await own.close();
  });
});

describe("what a launch must look like", () => {
  test.each([
    ["no region", { region_name: undefined }, "Error in request body at 'region_name': Field required"],
    ["a number for a name", { name: 7 }, "Error in request body at 'name': Input should be a valid string"],
    [
      "a long name",
      { name: "x".repeat(65) },
      "Error in request body at 'name': String should have at most 64 characters",
    ],
    [
      "a host name with capitals",
      { hostname: "GH1" },
      "Error in request body at 'hostname': String should match pattern '^[a-z0-9][0-9a-z-]{0,62}$'",
    ],
    [
      "a tag's key of one letter",
      { tags: [{ key: "a", value: "" }] },
      "Error in request body at 'tags.0.key': String should match pattern '^[a-z][a-z0-9-:]+$'",
    ],
    ["two machines", { quantity: 2 }, "Error in request body at 'quantity': Input should be less than or equal to 1"],
    [
      "two keys",
      { ssh_key_names: ["team-key", "team-key"] },
      "Error in request body at 'ssh_key_names': List should have exactly 1 item, not 2",
    ],
    [
      "a mount outside the allowed folders",
      { file_system_mounts: [{ mount_point: "/etc", file_system_id: "x" }] },
      "Error in request body at 'file_system_mounts.0.mount_point': String should match pattern '^(\\/home|\\/lambda\\/nfs|\\/data)[//a-zA-Z0-9-]*$'",
    ],
    [
      "user data over a megabyte",
      { user_data: "x".repeat(1_000_001) },
      "Error in request body at 'user_data': Input should be at most 1MB",
    ],
    ["an unknown region", { region_name: "mars-1" }, "Region mars-1 does not exist"],
    ["an unknown key", { ssh_key_names: ["nobody"] }, "Specified SSH key does not exist."],
    ["an unknown filesystem", { file_system_names: ["nothing"] }, "Specified filesystem does not exist."],
    ["an image of another architecture", { image: { family: "gpu-base-24-04" } }, "Specified image does not exist."],
  ])("%s is refused in words", async (_, change, words) => {
    expect(await message(launchBody(change))).toBe(words);
  });

  test("JSON that is none is refused", async () => {
    expect(await message("{")).toBe("Error in request body: Invalid JSON");
  });

  test("a filesystem of another region has its own code", async () => {
    await call(simulator, "POST", "/filesystems", { name: "elsewhere", region: "us-west-1" });
    const answer = await call(
      simulator,
      "POST",
      "/instance-operations/launch",
      launchBody({ file_system_names: ["elsewhere"] }),
    );
    expect(at(answer.json, "error", "code")).toBe("instance-operations/launch/file-system-in-wrong-region");
  });

  test("form is looked at before existence, and existence before capacity", async () => {
    const wrongInEveryWay = { name: 7, ssh_key_names: ["nobody"], region_name: "us-west-1" };
    expect(await message(launchBody(wrongInEveryWay))).toContain("at 'name'");
    expect(await message(launchBody({ ...wrongInEveryWay, name: "ok" }))).toBe("Specified SSH key does not exist.");
    expect(await message(launchBody({ region_name: "us-west-1" }))).toBe(
      "Not enough capacity to fulfill launch request.",
    );
  });

  test("nothing that was refused has left a machine behind", () => {
    expect(simulator.cloud.state.machines).toEqual([]);
  });
});

describe("odd corners", () => {
  test("file systems are listed under one name and made under another", async () => {
    const answer = await call(simulator, "POST", "/file-systems", { name: "a", region: "us-east-3" });
    expect(answer.status).toBe(405);
  });

  test("a path that nobody knows is 404", async () => {
    const answer = await call(simulator, "GET", "/invoices");
    expect([answer.status, at(answer.json, "error", "code")]).toEqual([404, "global/not-found"]);
  });

  test("a batch with one unknown id does nothing, unless the cloud is partial", async () => {
    const id = await launch(simulator);
    const both = { instance_ids: [id, "0".repeat(32)] };
    expect((await call(simulator, "POST", "/instance-operations/terminate", both)).status).toBe(404);
    expect(at((await call(simulator, "GET", `/instances/${id}`)).json, "data", "status")).toBe("booting");
    const partial = await startTestCloud({ behaviour: { batch: "partial" } });
    const other = await launch(partial);
    const answer = await call(partial, "POST", "/instance-operations/terminate", {
      instance_ids: [other, "0".repeat(32)],
    });
    expect(at(answer.json, "data", "terminated_instances", 0, "id")).toBe(other);
    await partial.close();
  });

  test("the list price of an instance is today's, not that of its launch", async () => {
    const id = await launch(simulator);
    await admin(simulator, "POST", "/prices", { type: "gpu_1x_gh200", cents: 300 });
    const answer = await call(simulator, "GET", `/instances/${id}`);
    expect(at(answer.json, "data", "instance_type", "price_cents_per_hour")).toBe(300);
  });

  test("capacity that is switched off is not listed and not given", async () => {
    await admin(simulator, "POST", "/capacity", { type: "gpu_1x_gh200", regions: [] });
    const types = await call(simulator, "GET", "/instance-types");
    expect(at(types.json, "data", "gpu_1x_gh200", "regions_with_capacity_available")).toEqual([]);
    expect(await message(launchBody())).toBe("Not enough capacity to fulfill launch request.");
  });

  test("the admin port's words are not on the API port", async () => {
    const answer = await call(simulator, "POST", "/clock", { now: 0 });
    expect(answer.status).toBe(404);
  });
});
