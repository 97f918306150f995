import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FaultName, faultNames } from "./faults";
import { probeSections } from "./probes";
import type { Simulator } from "./start";
import { admin, advance, at, call, launch, launchBody, startTestCloud } from "./testing";

/* What is known to go wrong with the real cloud, by its number in lambda-cloud-api.md section 5: each can be switched on, or is always so. */

const LAUNCH = "/instance-operations/launch";
const TERMINATE = "/instance-operations/terminate";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startTestCloud();
});
afterEach(() => simulator.close());

const fault = (name: FaultName, more: Record<string, unknown> = {}) =>
  simulator.faults.add({ name, count: 1, ...more });
const ask = (method: string, path: string, body?: unknown) =>
  call(simulator, method, path, body).catch(() => ({ status: 0, type: "", json: null, headers: new Headers() }));
const tryLaunch = async (more = {}) => (await ask("POST", LAUNCH, launchBody(more))).status;
const made = () => simulator.cloud.state.machines.length;
const later = (seconds: number) => advance(simulator, seconds * 1_000);
const status = async (id: string) => at((await ask("GET", `/instances/${id}`)).json, "data", "status");
async function listed(): Promise<unknown[]> {
  const data = at((await ask("GET", "/instances")).json, "data");
  return Array.isArray(data) ? data : [];
}

type Row = [number: string, what: string, faults: readonly FaultName[], shows: () => Promise<unknown>, as: unknown];

const ROWS: Row[] = [
  ["1", "a launch times out and made a machine", ["launch_timeout_created"], lost("launch_timeout_created"), [0, 1]],
  ["1", "… and made none", ["launch_timeout_not_created"], lost("launch_timeout_not_created"), [0, 0]],
  ["1", "a launch is a 500 and made one", ["launch_500_created"], lost("launch_500_created"), [500, 1]],
  ["1", "… its answer is cut off", ["answer_lost"], lost("answer_lost"), [0, 1]],
  ["1", "… is a 500", ["answer_500"], lost("answer_500"), [500, 1]],
  ["1", "… is a page", ["answer_page"], lost("answer_page"), [502, 1]],
  ["1", "… names no machine", ["odd_ids"], lost("odd_ids"), [200, 1]],
  ["2", "429 says nothing of when to come back", ["rate_limited"], lookWith("rate_limited"), [429, "application/json"]],
  ["3", "a ban is a page", ["edge_page"], lookWith("edge_page"), [403, "text/html; charset=UTF-8"]],
  ["3", "… whatever its status", [], lookWith("edge_page", { status: 520 }), [520, "text/html; charset=UTF-8"]],
  ["4", "listed, and refused all the same", ["insufficient_capacity"], lost("insufficient_capacity"), [400, 0]],
  ["4", "capacity comes and goes", ["capacity_flicker"], flicker, [true, false]],
  ["5", "unhealthy from its boot on", ["unhealthy_boot"], booted("unhealthy_boot", 3_600), "unhealthy"],
  ["6", "a boot of 857 s", ["slow_boot"], booted("slow_boot", 850), "booting"],
  ["7", "what is not known while booting is left out", [], async () => "ip" in (await first()), false],
  ["7", "… or null", ["null_fields"], async () => (await first("null_fields")).ip, null],
  ["8", "active, and CUDA is dead", ["cuda_dead"], deadCuda, ["active", true]],
  ["9", "fields of the future", ["extra_fields"], async () => "x_future" in (await first("extra_fields")), true],
  [
    "9, 10",
    "a status of the future",
    ["unknown_status"],
    async () => (await first("unknown_status")).status,
    "hibernating",
  ],
  [
    "11",
    "no time of creation",
    [],
    async () => Object.keys(await first()).filter((key) => /creat|launch|_at$/.test(key)),
    [],
  ],
  ["12", "more than one at once is refused", [], async () => [await tryLaunch({ quantity: 2 }), made()], [400, 0]],
  ["13", "a key of that name was registered a moment before", ["ssh_key_taken"], sshKey("ssh_key_taken"), 400],
  ["13", "… or is there", [], async () => [await sshKey()(), await sshKey()()], [200, 400]],
  ["14", "a request hangs", ["hang"], lookWith("hang", { resetAfterMs: 1 }), [0, ""]],
  ["14", "… or takes long", ["slow"], lookWith("slow", { ms: 1 }), [200, "application/json"]],
  ["15", "powered off from inside, it stays active and bills", [], poweredOff, ["active", true]],
  ["16", "a file system of another region", [], wrongRegion, 400],
  ["17", "a terminate is answered 404", ["terminate_not_found"], end("terminate_not_found"), [404, "booting"]],
  ["17", "one unknown id stops the others", [], end(null, "0".repeat(32)), [404, "booting"]],
  ["17", "… or none of them", ["partial_batch"], end("partial_batch", "0".repeat(32)), [200, "terminating"]],
  ["18", "the key is refused", ["unauthorised"], lookWith("unauthorised"), [401, "application/json"]],
  ["18", "the account is shut", ["account_inactive"], lookWith("account_inactive"), [403, "application/json"]],
  ["20", "a new machine is not listed yet", ["list_lag"], unlisted, 0],
  ["20", "… or not known by its id", ["unknown_by_id"], unknownById, 404],
];

/** Nothing of the section: a listing that lies, plain failures, the firewall, and the log of events. */
const OTHERS: readonly FaultName[] = [
  "empty_list",
  "half_list",
  "server_error",
  "firewall_conflict",
  "audit_out_of_order",
  "audit_forbidden",
  "audit_lag",
];

describe("what is known to go wrong", () => {
  test.each(ROWS)("%s: %s", async (_number, _what, _faults, shows, as) => {
    expect(await shows()).toEqual(as);
  });
});

test("every number has its row, and every switch its number", () => {
  const numbers = new Set(ROWS.flatMap(([number]) => number.split(", ").map(Number)));
  // 19 is about containers on the machine, not about the cloud.
  for (let number = 1; number <= 20; number++) expect(numbers.has(number), String(number)).toBe(number !== 19);
  expect([...new Set([...ROWS.flatMap(([, , faults]) => faults), ...OTHERS])].sort()).toEqual([...faultNames].sort());
});

/** A launch that this befalls: its answer, and whether there is a machine. */
function lost(name: FaultName) {
  return async () => {
    fault(name, { resetAfterMs: 1 });
    return [await tryLaunch(), made()];
  };
}

function lookWith(name: FaultName, more: Record<string, unknown> = {}) {
  return async () => {
    fault(name, more);
    const { status: answered, type, headers } = await ask("GET", "/instances");
    expect(headers.get("retry-after")).toBeNull();
    return [answered, type];
  };
}

async function flicker(): Promise<boolean[]> {
  fault("capacity_flicker", { count: undefined, stepMs: 60_000 });
  const seen = new Set<boolean>();
  for (let i = 0; i < 40; i++) {
    const types = await ask("GET", "/instance-types");
    const regions = at(types.json, "data", "gpu_1x_gh200", "regions_with_capacity_available");
    seen.add(Array.isArray(regions) && regions.length > 0);
    await later(60);
  }
  return [...seen].sort((a, b) => Number(b) - Number(a));
}

function booted(name: FaultName, seconds: number) {
  return async () => {
    fault(name);
    const id = await launch(simulator);
    await later(seconds);
    return status(id);
  };
}

/** A booting machine as it is listed. */
async function first(name?: FaultName): Promise<Record<string, unknown>> {
  await launch(simulator);
  if (name) fault(name);
  return (await listed())[0] as Record<string, unknown>;
}

async function deadCuda(): Promise<unknown[]> {
  fault("cuda_dead");
  const id = await launch(simulator);
  await later(600);
  const [machine] = simulator.cloud.state.machines;
  return [await status(id), machine && probeSections(machine, simulator.cloud.now()).includes("error 802")];
}

function sshKey(name?: FaultName) {
  return async () => {
    if (name) fault(name);
    return (await ask("POST", "/ssh-keys", { name: "laptop" })).status;
  };
}

async function poweredOff(): Promise<unknown[]> {
  const id = await launch(simulator);
  await later(120);
  await admin(simulator, "POST", `/machines/${id}/poweroff`, {});
  await later(3_600);
  return [await status(id), (simulator.cloud.bills()[0]?.minutes ?? 0) >= 60];
}

async function wrongRegion(): Promise<number> {
  await ask("POST", "/filesystems", { name: "elsewhere", region: "us-west-1" });
  return tryLaunch({ file_system_names: ["elsewhere"] });
}

function end(name: FaultName | null, ...others: string[]) {
  return async () => {
    const id = await launch(simulator);
    if (name) fault(name);
    const answer = await ask("POST", TERMINATE, { instance_ids: [id, ...others] });
    return [answer.status, await status(id)];
  };
}

async function unlisted(): Promise<number> {
  fault("list_lag", { seconds: 120 });
  await launch(simulator);
  return (await listed()).length;
}

async function unknownById(): Promise<number> {
  fault("unknown_by_id", { count: undefined, seconds: 30 });
  const id = await launch(simulator);
  return (await ask("GET", `/instances/${id}`)).status;
}
