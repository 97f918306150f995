import { describe, expect, test } from "vitest";
import { listDoubtful } from "@/lib/db/cost/close-facts";
import { ledgerHash } from "@/lib/db/cost/ledger";
import { listInstances } from "@/lib/db/fleet/read";
import { systemCtx } from "@/lib/domain/access";
import { rows } from "@/lib/testing/world";
import { recomputeCosts } from "./meter";
import { Story, setSetting, TYPE } from "./story.testing";

type Line = {
  day: string;
  micros: string | null;
  minutes: number;
  low: string | null;
  high: string | null;
  isFlagged: boolean;
};

const ledger = (name: string) =>
  rows<Line>(
    `select l.day::text as day, l.minutes, l.micros::text as micros, l.low_micros::text as low, l.high_micros::text as high, l.is_flagged as "isFlagged"
     from ledger_row l join resource r on r.id = l.resource_id where r.external_id = $1 order by l.starts_at, l.key`,
    [name],
  );
const sums = (lines: Line[]) => ({
  minutes: lines.reduce((sum, line) => sum + line.minutes, 0),
  low: lines.reduce((sum, line) => sum + BigInt(line.low ?? "0"), 0n),
  best: lines.reduce((sum, line) => sum + BigInt(line.micros ?? "0"), 0n),
  high: lines.reduce((sum, line) => sum + BigInt(line.high ?? "0"), 0n),
});
/** Which version of each row stands there: rewritten rows have another one. */
const versions = () => rows("select key, xmin::text as version from ledger_row order by key");

const ID = "0f1e2d3c";
const booting = { id: ID, status: "booting" };
const active = { id: ID, status: "active" };

/** A GH200 in Berlin's books over the night in which the clock is set back: dearer in mid-hour, unseen for three hours. */
async function nightOfTheLongHour(): Promise<Story> {
  const story = await Story.begin("2026-10-24T19:00:00Z", "Europe/Berlin");
  await story.priceList("2026-10-24T19:00:00Z", { [TYPE]: 149 });
  await story.look("2026-10-24T20:00:00Z");
  await story.look("2026-10-24T20:00:15Z", booting);
  await story.look("2026-10-24T20:02:45Z", booting);
  await story.look("2026-10-24T20:03:00Z", active);
  await story.priceList("2026-10-24T21:29:00Z", { [TYPE]: 149 });
  await story.priceList("2026-10-24T21:30:00Z", { [TYPE]: 229 });
  await story.look("2026-10-24T22:59:45Z", active);
  for (const hour of ["23:00:00", "23:59:00"]) await story.fail(`2026-10-24T${hour}Z`);
  await story.fail("2026-10-25T01:30:00Z");
  await story.look("2026-10-25T02:00:00Z", active);
  await story.look("2026-10-26T01:10:00Z", active);
  await story.lookInVain("2026-10-26T01:10:15Z", "2026-10-26T01:10:45Z", "2026-10-26T01:11:15Z");
  await story.logged("2026-10-26T01:15:00Z", "terminated", ID, "2026-10-26T01:10:00Z");
  return story;
}

describe("a life that was observed costs what can be worked out by hand", () => {
  test("booting is free, each minute has the price at its start, a day of 25 hours has 1,500 minutes, an outage changes nothing", async () => {
    const story = await nightOfTheLongHour();
    await story.meter("2026-10-26T02:00:00Z");
    const lines = await ledger(ID);
    // It became active half-way between two polls, 20:02:52.5. 88 minutes begin before 21:30, 30 more before midnight in Berlin
    // (22:00), 1,500 in the day of 25 hours, and 130 before 01:10.
    expect(lines.map(({ day, minutes, micros }) => [day, minutes, micros])).toEqual([
      ["2026-10-24", 88, "2185333"],
      ["2026-10-24", 30, "1145000"],
      ["2026-10-25", 1500, "57250000"],
      ["2026-10-26", 130, "4961667"],
    ]);
    expect(sums(lines)).toEqual({ minutes: 1748, low: 65_517_167n, best: 65_542_000n, high: 65_555_334n });
    expect(lines.some((line) => line.isFlagged)).toBe(false);
  });

  test("the same in UTC has the same minutes and the same price, in other days", async () => {
    const story = await nightOfTheLongHour();
    await setSetting("accounting", { zone: "UTC" });
    await story.meter("2026-10-26T02:00:00Z");
    const lines = await ledger(ID);
    expect(lines.map(({ day, minutes }) => [day, minutes])).toEqual([
      ["2026-10-24", 88],
      ["2026-10-24", 150],
      ["2026-10-25", 1440],
      ["2026-10-26", 70],
    ]);
    expect(sums(lines).minutes).toBe(1748);
  });

  test("an end that nobody saw is half-way, with bounds, and is to be looked at; until then it counts as running", async () => {
    const story = await Story.begin("2026-11-20T09:00:00Z");
    await story.priceList("2026-11-20T09:00:00Z", { [TYPE]: 229 });
    await story.look("2026-11-20T09:59:45Z");
    await story.look("2026-11-20T10:00:00Z", active);
    await story.look("2026-11-20T12:00:00Z", active);
    await story.fail("2026-11-20T12:00:15Z");
    await story.meter("2026-11-20T13:30:00Z");
    expect(sums(await ledger(ID))).toMatchObject({ minutes: 211, low: 4_580_000n });

    await story.lookInVain("2026-11-20T14:00:00Z", "2026-11-20T14:00:30Z", "2026-11-20T14:01:00Z");
    await story.meter("2026-11-20T14:05:00Z");
    const lines = await ledger(ID);
    // 09:59:52.5 to 13:00; at least 10:00 to 12:00, at most 09:59:45 to 14:00.
    expect(sums(lines)).toEqual({ minutes: 181, low: 4_580_000n, best: 6_908_167n, high: 9_198_167n });
    expect(lines.every((line) => line.isFlagged)).toBe(true);

    // The provider's log, read a day later, settles it.
    await story.logged("2026-11-21T14:05:00Z", "terminated", ID, "2026-11-20T12:30:00Z");
    await story.meter("2026-11-21T14:05:30Z");
    expect(sums(await ledger(ID))).toMatchObject({ minutes: 151, best: 5_763_167n });
  });

  test("who never became active cost nothing, and is listed for review with what it may have cost at most", async () => {
    const story = await Story.begin("2026-11-20T09:00:00Z");
    await story.priceList("2026-11-20T09:00:00Z", { [TYPE]: 229 });
    await story.look("2026-11-20T10:00:00Z");
    await story.look("2026-11-20T10:00:15Z", booting);
    await story.look("2026-11-20T10:05:00Z", { id: ID, status: "unhealthy" });
    await story.look("2026-11-20T10:15:00Z", { id: ID, status: "terminated" });
    await story.meter("2026-11-20T10:30:00Z");
    const lines = await ledger(ID);
    expect(lines.length).toBeGreaterThan(0);
    expect(sums(lines)).toMatchObject({ low: 0n, high: 381_667n });
    expect(lines.every((line) => line.isFlagged)).toBe(true);
  });

  test("who came and went while nobody looked, and stands in Lambda's log alone, costs at most its time and is listed for review", async () => {
    const story = await Story.begin("2026-10-24T19:00:00Z");
    await story.priceList("2026-10-24T19:00:00Z", { [TYPE]: 229 });
    await story.look("2026-10-24T20:00:00Z");
    const details = { instance_type: TYPE, region: "us-east-3" };
    await story.logged("2026-10-24T20:55:00Z", "launched", ID, "2026-10-24T20:10:00Z", details);
    await story.logged("2026-10-24T20:55:00Z", "terminated", ID, "2026-10-24T20:50:00Z", details);
    // A listing may still show what ended five minutes ago.
    expect(await rows("select 1 from resource")).toEqual([]);
    await story.look("2026-10-24T21:00:00Z");
    await story.logged("2026-10-24T21:01:00Z", "terminated", ID, "2026-10-24T20:50:00Z", details);
    await story.meter("2026-10-24T21:02:00Z");
    const line = { day: "2026-10-24", minutes: 0, micros: "0", low: "0", high: "1526667", isFlagged: true };
    expect(await ledger(ID)).toEqual([line]);
    const review = await listDoubtful("2026-10", new Date("2026-10-01T00:00:00Z"));
    expect(review).toMatchObject([{ name: ID, typeName: TYPE, micros: 0n, lowMicros: 0n, highMicros: 1_526_667n }]);
    await story.logged("2026-10-24T21:03:00Z", "launched", ID, "2026-10-24T20:10:00Z", details);
    expect(await rows("select 1 from resource")).toHaveLength(1);
  });

  test("a machine that changes hands is paid for by each for its own minutes", async () => {
    const story = await Story.begin("2026-11-20T09:00:00Z");
    await story.priceList("2026-11-20T09:00:00Z", { [TYPE]: 229 });
    await story.look("2026-11-20T10:00:00Z");
    await story.look("2026-11-20T10:00:00.001Z", { ...active, tags: { team: "research" } });
    await story.relabel(ID, "2026-11-20T10:40:00Z", "serving");
    await story.look("2026-11-20T11:00:00Z", { ...active, tags: { team: "research" } });
    await story.meter("2026-11-20T11:00:00Z");
    expect(
      await rows(
        `select o.team, l.minutes, l.micros::text as micros from ledger_row l join cost_owner o on o.id = l.owner_id order by l.starts_at`,
      ),
    ).toEqual([
      { team: "research", minutes: 40, micros: "1526667" },
      { team: "serving", minutes: 20, micros: "763333" },
    ]);
  });
});

describe("a price that nobody knows", () => {
  const odd = { id: ID, status: "active", typeName: "gpu_1x_odd" };

  test("is no price: the minutes are counted and the amount is not, until it is known", async () => {
    const story = await Story.begin("2026-11-20T09:00:00Z");
    await story.priceList("2026-11-20T09:00:00Z", { [TYPE]: 229 });
    await story.look("2026-11-20T10:00:00Z", odd);
    await story.look("2026-11-20T11:00:00Z", odd);
    await story.meter("2026-11-20T11:00:00Z");
    expect(await ledger(ID)).toMatchObject([{ minutes: 60, micros: null, low: null, high: null }]);

    await story.priceList("2026-11-20T11:30:00Z", { [TYPE]: 229, gpu_1x_odd: 100 });
    await story.look("2026-11-20T12:00:00Z", odd);
    await story.meter("2026-11-20T12:00:00Z");
    const lines = await ledger(ID);
    expect(lines.at(-1)).toMatchObject({ micros: expect.stringMatching(/^[1-9]/) });
    expect(sums(lines).minutes).toBe(120);
  });

  test("of a type that is not in the list is the one on its own row", async () => {
    const story = await Story.begin("2026-11-20T09:00:00Z");
    await story.priceList("2026-11-20T09:00:00Z", { [TYPE]: 229 });
    await story.look("2026-11-20T10:00:00Z", { ...odd, cents: 500 });
    await story.look("2026-11-20T11:00:00Z", { ...odd, cents: 500 });
    await story.meter("2026-11-20T11:00:00Z");
    expect(await ledger(ID)).toMatchObject([{ minutes: 60, micros: "5000000" }]);
  });

  test("gives way to the list's, from when it is in it, and the machine is still one machine", async () => {
    const story = await Story.begin("2026-11-20T09:00:00Z");
    await story.priceList("2026-11-20T09:00:00Z", { [TYPE]: 229 });
    await story.look("2026-11-20T10:00:00Z", { ...odd, cents: 500 });
    await story.meter("2026-11-20T10:10:00Z");
    await story.priceList("2026-11-20T11:29:00Z", { [TYPE]: 229 });
    await story.priceList("2026-11-20T11:30:00Z", { [TYPE]: 229, gpu_1x_odd: 100 });
    await story.look("2026-11-20T12:00:00Z", { ...odd, cents: 500 });
    await story.meter("2026-11-20T12:00:00Z");
    // 89 minutes at $5.00 until the list was last read without it, then 31 at $1.00.
    expect(await ledger(ID)).toMatchObject([
      { minutes: 89, micros: "7416667" },
      { minutes: 31, micros: "516667" },
    ]);
    expect(await listInstances("2026-11-20", { goneSince: new Date("2026-11-20T12:00:00Z") })).toMatchObject([
      { externalId: ID, priceMicros: 1_000_000n },
    ]);
  });
});

describe("storage", () => {
  const GIB = 2 ** 30;

  test("is paid by the begun hour for what it held, and without a price or a size it is unknown", async () => {
    const story = await Story.begin("2026-11-20T09:00:00Z");
    await story.filesystem("2026-11-20T10:00:00Z", { id: "data", bytes: null });
    await story.filesystem("2026-11-20T12:00:00Z", { id: "data", bytes: 100 * GIB });
    await story.filesystem("2026-11-20T14:00:00Z", { id: "data", bytes: 300 * GIB });
    await story.meter("2026-11-20T15:30:00Z");
    expect((await ledger("data")).every((line) => line.micros === null)).toBe(true);

    // From 12:00 on: two hours of 100 GiB and two begun ones of 300 GiB at $0.20 for 720 hours; the size before is not known.
    await story.storagePrice("2026-11-20T15:30:00Z", 200_000n);
    await story.meter("2026-11-20T15:30:00Z");
    const [line] = await ledger("data");
    expect(line).toMatchObject({ micros: null });

    const known = await Story.begin("2026-11-20T09:00:00Z");
    await known.storagePrice("2026-11-20T09:00:00Z", 200_000n);
    await known.filesystem("2026-11-20T12:00:00Z", { id: "data", bytes: 100 * GIB });
    await known.filesystem("2026-11-20T14:00:00Z", { id: "data", bytes: 300 * GIB });
    await known.meter("2026-11-20T15:30:00Z");
    // (2 × 100 + 2 × 300) GiB-hours × $0.20 ÷ 720.
    expect(await ledger("data")).toMatchObject([{ minutes: 0, micros: "222222", low: "222222", high: "222222" }]);
  });
});

describe("however often and by however many", () => {
  test("metering again, and two at once, writes nothing and gives the same ledger", async () => {
    const story = await nightOfTheLongHour();
    await Promise.all([story.meter("2026-10-26T02:00:00Z"), story.meter("2026-10-26T02:00:00Z")]);
    const first = await ledgerHash();
    expect(first).toMatchObject({ rows: 4, micros: 65_542_000n });
    const before = await versions();
    await story.meter("2026-10-26T02:00:30Z");
    await Promise.all([story.meter("2026-10-26T02:01:00Z"), story.meter("2026-10-26T02:01:00Z")]);
    expect(await ledgerHash()).toEqual(first);
    expect(await versions()).toEqual(before);
  });

  test("metering all along gives the ledger that metering once at the end gives", async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 22, 0) + minute * 60_000).toISOString();
    const live = async (isMeteredAllAlong: boolean) => {
      const story = await Story.begin(at(-60));
      await story.priceList(at(-60), { [TYPE]: 149 });
      await story.look(at(-1));
      for (let minute = 0; minute <= 300; minute += 20) {
        if (minute === 100) await story.priceList(at(minute), { [TYPE]: 229 });
        await story.look(at(minute), { ...active, name: minute < 200 ? "old name" : "new name" });
        if (isMeteredAllAlong) await story.meter(at(minute));
      }
      await story.look(at(320), { id: ID, status: "terminating" });
      await story.meter(at(330));
      return (await ledger(ID)).map(({ day, minutes, micros, low, high }) => ({ day, minutes, micros, low, high }));
    };
    const allAlong = await live(true);
    expect(allAlong).toEqual(await live(false));
    expect(allAlong).toHaveLength(3);
  });

  test("a day whose last minute reached past the last look is looked at again once somebody could look", async () => {
    const story = await Story.begin("2026-11-19T09:00:00Z");
    await story.priceList("2026-11-19T09:00:00Z", { [TYPE]: 229 });
    await story.look("2026-11-19T15:57:45Z");
    await story.look("2026-11-19T15:58:00Z", active);
    // Then nobody looked for a day.
    await story.look("2026-11-20T00:00:15Z", active);
    await story.meter("2026-11-21T01:00:00Z");
    expect((await ledger(ID))[0]).toMatchObject({ day: "2026-11-19", minutes: 483, isFlagged: true });
    await story.look("2026-11-21T02:00:00Z", active);
    await story.meter("2026-11-21T02:00:30Z");
    expect((await ledger(ID))[0]).toMatchObject({ day: "2026-11-19", minutes: 483, isFlagged: false });
    const hash = await ledgerHash();
    await recomputeCosts(systemCtx("test", new Date("2026-11-21T02:00:30Z")), "2026-11-01");
    expect(await ledgerHash()).toEqual(hash);
  });

  test("what is over stays as it is while the fleet goes on", async () => {
    const story = await nightOfTheLongHour();
    await story.look("2026-10-28T10:00:00Z", { id: "other", status: "active" });
    await story.meter("2026-10-28T10:30:00Z");
    const over = () =>
      rows(
        "select key, l.xmin::text as version from ledger_row l join resource r on r.id = l.resource_id where r.external_id = $1 order by key",
        [ID],
      );
    const before = await over();
    expect(before).toHaveLength(4);
    await story.look("2026-11-03T10:00:00Z", { id: "other", status: "active" });
    // The list was read and still had the old price: the new one reaches back no further than to that.
    await story.priceList("2026-11-03T09:59:00Z", { [TYPE]: 229 });
    await story.priceList("2026-11-03T10:00:00Z", { [TYPE]: 299 });
    await story.look("2026-11-04T10:00:00Z", { id: "other", status: "active" });
    await story.meter("2026-11-04T10:00:30Z");
    expect(await over()).toEqual(before);
    expect(await rows("select metered_final as done from resource where external_id = $1", [ID])).toEqual([
      { done: true },
    ]);
  });
});
