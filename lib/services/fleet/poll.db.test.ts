import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "@/lib/simulator/start";
import { admin, at, launchBody } from "@/lib/simulator/testing";
import { beliefs, count, rows, startWorld, tablesHolding, told, type World } from "@/lib/testing/world";
import { readFreshness } from "./freshness";
import { pollCatalog, pollEvents, pollFilesystems, pollInstances, pollTypes } from "./poll";
import { readFleet } from "./read";

let world: World;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 60_000, terminateMs: 60_000 } });
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const LOOK = { everyMs: 15_000, run: pollInstances };
const look = (ms: number) => world.advance(ms, [LOOK], 15_000);

/** Somebody launches in Lambda's own console. */
async function launchOutside(more: Record<string, unknown> = {}): Promise<string> {
  const answer = await admin(world.cloud, "POST", "/launch-outside", launchBody(more));
  const id = at(answer.json, "id");
  if (typeof id !== "string") throw new Error(answer.text);
  return id;
}
const terminateOutside = (id: string) => admin(world.cloud, "POST", "/terminate-outside", { id });

type Machine = {
  externalId: string;
  goneAt: Date | null;
  goneReason: string | null;
  missingPolls: number;
  launchedBy: string | null;
  terminatedBy: string | null;
};
const machines = () =>
  rows<Machine>(
    `select external_id as "externalId", gone_at as "goneAt", gone_reason as "goneReason", missing_polls as "missingPolls",
            launched_by as "launchedBy", terminated_by as "terminatedBy" from resource where kind = 'instance' order by first_seen_at, external_id`,
  );

type Span = { status: string; name: string | null; micros: string; isContinued: boolean; isOpen: boolean };
const spansOf = (externalId: string) =>
  rows<Span>(
    `select s.status, s.name, s.price_micros::text as micros, s.valid_to is null as "isOpen",
            coalesce(lead(s.valid_from) over (order by s.valid_from) = s.valid_to, true) as "isContinued"
     from resource_span s join resource r on r.id = s.resource_id where r.external_id = $1 order by s.valid_from`,
    [externalId],
  );

async function freshness() {
  return readFreshness(new Date(world.now()));
}

describe("what changes is written down, what stays the same costs nothing", () => {
  test("a machine's life is one row per run of equal observations, and one row per look", async () => {
    const id = await launchOutside({ name: "outside", tags: [{ key: "team", value: "research" }] });
    await look(15 * 60_000);
    world.cloud.cloud.setPrice("gpu_1x_gh200", 249);
    await look(10 * 60_000);
    const spans = await spansOf(id);
    // Booting without and with an address, active at the old price, active at the new one.
    expect(spans.map(({ status, micros }) => `${status} ${micros}`)).toEqual([
      "booting 2290000",
      "booting 2290000",
      "active 2290000",
      "active 2490000",
    ]);
    expect(spans.map(({ isOpen }) => isOpen)).toEqual([false, false, false, true]);
    expect(spans.every(({ isContinued }) => isContinued)).toBe(true);
    expect(await count("select 1 from poll where outcome = 'ok'")).toBe(25 * 4);
    expect(await rows("select team, workload from resource_label")).toEqual([
      { team: "research", workload: "unknown" },
    ]);
  });

  test("a price change opens one interval where the other ends, and is said once", async () => {
    const since = world.now();
    const duty = [{ everyMs: 60_000, run: pollTypes }];
    await world.advance(10 * 60_000, duty, 60_000);
    world.cloud.cloud.setPrice("gpu_1x_gh200", 249);
    await world.advance(10 * 60_000, duty, 60_000);
    const prices = await rows<{ micros: string; from: Date; to: Date | null }>(
      `select micros::text, valid_from as from, valid_to as to from price where sku = 'gpu_1x_gh200' order by valid_from`,
    );
    expect(prices.map(({ micros }) => micros)).toEqual(["2290000", "2490000"]);
    expect(prices[0]?.to).toEqual(prices[1]?.from);
    expect(prices[1]?.to).toBeNull();
    expect((await told(since)).filter(({ action }) => action === "price.changed")).toHaveLength(1);
    expect(await count("select 1 from price where valid_to is null group by sku having count(*) > 1")).toBe(0);
  });

  test("launches and terminations made elsewhere are noticed, with who did it", async () => {
    const seen = await launchOutside({ name: "seen ending" });
    const unseen = await launchOutside({ name: "gone between two looks" });
    const events = { everyMs: 60_000, run: pollEvents };
    await world.advance(5 * 60_000, [LOOK, events], 15_000);
    await terminateOutside(seen);
    await world.advance(3 * 60_000, [LOOK, events], 15_000);
    // The log is read before the listing lacks the machine, and nobody ever saw it "terminating".
    await terminateOutside(unseen);
    await pollEvents(world.ctx());
    await world.advance(60_000);
    await world.advance(3 * 60_000, [LOOK, events], 15_000);
    for (const machine of await machines()) {
      expect(machine.goneReason, machine.externalId).toBe("terminated_outside");
      expect(machine.launchedBy).toMatch(/^lrn:cloud:identity:/);
      expect(machine.terminatedBy).toMatch(/^lrn:cloud:identity:/);
    }
    expect((await machines()).map(({ externalId }) => externalId).sort()).toEqual([seen, unseen].sort());
    const log = await rows<{ action: string }>("select action from provider_event order by at, action");
    expect(log.map(({ action }) => action)).toEqual(["launched", "launched", "terminated", "terminated"]);
    expect(await count("select 1 from provider_event where resource_id is null")).toBe(0);
  });

  test.each(["audit_out_of_order", "audit_lag"] as const)("the log is read whole and once with %s", async (name) => {
    world.cloud.faults.add({ name, seconds: 300 });
    const duties = [LOOK, { everyMs: 60_000, run: pollEvents }];
    for (let i = 0; i < 6; i++) {
      await launchOutside({ name: `gh-${i}` });
      await world.advance(2 * 60_000, duties, 15_000);
    }
    await world.advance(10 * 60_000, duties, 15_000);
    expect(await count("select 1 from provider_event where resource_id is not null")).toBe(6);
    expect(await count("select 1 from resource where launched_by is not null")).toBe(6);
  });

  test("words and fields that nobody knows yet change nothing but the word", async () => {
    const id = await launchOutside();
    await look(2 * 60_000);
    for (const name of ["extra_fields", "null_fields"]) world.cloud.faults.add({ name });
    await look(60_000);
    expect((await spansOf(id)).at(-1)).toMatchObject({ status: "active", isOpen: true });
    world.cloud.faults.add({ name: "unknown_status", status: "hibernating" });
    await look(2 * 60_000);
    await pollTypes(world.ctx());
    await world.advance(10_000);
    await pollCatalog(world.ctx());
    await world.advance(10_000);
    await pollFilesystems(world.ctx());
    const { rows: shown } = await readFleet(world.ctx());
    expect(shown).toMatchObject([{ externalId: id, status: "unknown", rawStatus: "hibernating", isBilled: true }]);
    expect((await machines())[0]).toMatchObject({ goneAt: null, missingPolls: 0 });
  });

  test("notebook tokens and API keys are stored nowhere", async () => {
    await launchOutside({ name: "with-notebook", user_data: "#cloud-config\n# user-data-secret-51d2\n" });
    const duties = [pollTypes, pollEvents, pollFilesystems, pollCatalog].map((run) => ({ everyMs: 60_000, run }));
    await world.advance(5 * 60_000, [LOOK, ...duties], 15_000);
    world.cloud.faults.add({ name: "unauthorised" });
    await look(60_000);
    const token = world.cloud.cloud.state.machines[0]?.jupyterToken ?? "";
    expect(token.length).toBeGreaterThan(16);
    expect(world.requests.filter(({ path, status }) => path === "/instances" && status === 200).length).toBeGreaterThan(
      9,
    );
    for (const secret of [token, "lambdaspaces.com", "user-data-secret-51d2", DEFAULT_KEY])
      expect(await tablesHolding(secret), secret).toEqual([]);
    // The search itself finds what is there.
    expect(await tablesHolding("with-notebook")).toEqual(["resource_span"]);
  });
});

describe("a failed look proves nothing", () => {
  const failures: [string, Record<string, unknown>, string, boolean][] = [
    ["a refused key (401)", { name: "unauthorised" }, "unauthorised", true],
    ["an inactive account (403)", { name: "account_inactive" }, "unauthorised", true],
    ["rate limiting (429)", { name: "rate_limited" }, "throttled", false],
    ["a server error (500)", { name: "server_error" }, "server_error", false],
    ["a server error (503)", { name: "server_error", status: 503 }, "server_error", false],
    ["an edge page (403)", { name: "edge_page", status: 403 }, "edge_page", false],
    ["an edge page (502)", { name: "edge_page", status: 502 }, "edge_page", false],
    ["an edge page that says 200", { name: "edge_page", status: 200 }, "edge_page", false],
    ["a cut connection", { name: "hang", resetAfterMs: 20 }, "network", false],
  ];

  test.each(failures)(
    "%s makes the fleet stale with one notice, and changes nothing else",
    async (_, fault, outcome, isFrozen) => {
      await launchOutside({ name: "one" });
      await launchOutside({ name: "two" });
      await look(2 * 60_000);
      const before = await beliefs();
      const since = world.now();
      world.cloud.faults.add(fault);
      await look(10 * 60_000);
      expect(await beliefs()).toBe(before);
      expect(await freshness()).toMatchObject({ staleSince: since + 15_000, lastOkAt: since, isFrozen });
      expect((await freshness()).error).toBeTruthy();
      const notices = (await told(since)).filter(({ action }) => action === "connection.lost");
      expect(notices).toHaveLength(1);
      const outcomes = await rows<{ outcome: string }>("select distinct outcome from poll where at > $1", [
        new Date(since),
      ]);
      expect(outcomes.map((row) => row.outcome).filter((word) => word !== "network")).toEqual(
        outcome === "network" ? [] : [outcome],
      );

      world.cloud.faults.clear(null);
      // Held back for two minutes at most.
      await look(3 * 60_000);
      expect(await freshness()).toMatchObject({ staleSince: null, error: null, isFrozen: false });
      expect(await beliefs()).toBe(before);

      world.cloud.faults.add(fault);
      await look(60_000);
      expect((await told(since)).filter(({ action }) => action === "connection.lost")).toHaveLength(2);
    },
  );

  test("one failed look among good ones is not called stale", async () => {
    await look(60_000);
    world.cloud.faults.add({ name: "server_error", count: 1 });
    await look(15_000);
    expect((await freshness()).staleSince).toBeNull();
  });
});

describe("several workers write one truth", () => {
  test("four look at the same instant, again and again", async () => {
    const ids = [await launchOutside({ name: "a" }), await launchOutside({ name: "b" })];
    const together = async () => {
      const ctx = world.ctx();
      await Promise.all([1, 2, 3, 4].map(() => pollInstances(ctx)));
    };
    await world.advance(12 * 20_000, [{ everyMs: 20_000, run: together }], 20_000);
    expect((await machines()).map(({ externalId }) => externalId).sort()).toEqual(ids.sort());
    for (const id of ids) expect((await spansOf(id)).filter(({ status }) => status === "active")).toHaveLength(1);
    expect(await count("select 1 from poll")).toBe(12);
    expect(await count("select 1 from resource_label")).toBe(2);
  });

  test("a look that began earlier and answers later does not write over a newer one", async () => {
    const id = await launchOutside({ name: "before" });
    await look(2 * 60_000);
    await world.advance(15_000);
    const late = world.ctx();
    world.cloud.faults.add({ name: "slow", ms: 400, count: 1 });
    const slow = pollInstances(late);
    world.cloud.cloud.setPrice("gpu_1x_gh200", 249);
    await world.advance(15_000);
    await pollInstances(world.ctx());
    const settled = await beliefs();
    await slow;
    expect(await beliefs()).toBe(settled);
    expect((await spansOf(id)).at(-1)).toMatchObject({ micros: "2490000", isOpen: true });
    expect((await freshness()).lastOkAt).toBe(world.now());
  });

  test("several that fail at once give one notice", async () => {
    await look(60_000);
    const since = world.now();
    world.cloud.faults.add({ name: "unauthorised" });
    await world.advance(15_000);
    const ctx = world.ctx();
    await Promise.all([1, 2, 3, 4].map(() => pollInstances(ctx)));
    expect((await told(since)).filter(({ action }) => action === "connection.lost")).toHaveLength(1);
  });
});
