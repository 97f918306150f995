import { beforeEach, describe, expect, test, vi } from "vitest";
import { pool, transact } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import type { Tx } from "@/lib/db/mutate";
import { forgetSetting, writeSetting } from "@/lib/db/settings";
import { WIDE_COLUMNS } from "@/lib/db/telemetry/columns";
import { ensurePartitions } from "@/lib/db/telemetry/partitions";
import { rollUpRange } from "@/lib/db/telemetry/rollup";
import type { Token } from "@/lib/db/tokens";
import { systemCtx } from "@/lib/domain/access";
import { METRICS } from "@/lib/domain/telemetry/catalogue";
import { type GpuReading, TOO_OLD_AFTER_MS } from "@/lib/domain/telemetry/sample";
import { SeriesQuestion } from "@/lib/domain/telemetry/view";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordListing } from "@/lib/services/fleet/poll";
import { prepareHouse } from "@/lib/services/house";
import { emptyDatabase } from "@/lib/testing/empty";
import { instance, makeToken, reading, report } from "@/lib/testing/senders";
import { count, rows } from "@/lib/testing/world";
import { ingest } from "./ingest";
import { prune } from "./prune";
import { rollUp, seal } from "./roll-up";
import { readSeries } from "./series";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const METRIC = METRICS.utilizationPct.distribution?.id;
const ctxAt = (at: number) => systemCtx("test", new Date(at));

let token: Token;
let instanceId = "";

beforeEach(async () => {
  await emptyDatabase();
  await setTestClock(new Date(NOON));
  await prepareHouse(ctxAt(NOON));
  const connection = await lambdaConnection(new Date(NOON - DAY));
  const applied = await recordListing(ctxAt(NOON - DAY), connection, [instance("gh-1")], 100);
  instanceId = applied?.ids.get("gh-1") ?? "";
  ({ token } = await makeToken("enrolment", NOON - DAY, { resourceId: instanceId }));
});

/** Numbers that are the same in every run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Three GPUs over some hours with holes in them, in no order. */
function scattered(random: () => number, hours: number): GpuReading[] {
  const readings: GpuReading[] = [];
  for (let at = NOON - hours * HOUR; at < NOON; at += 10_000) {
    for (const gpu of [0, 1, 2]) {
      if (random() < 0.3) continue;
      const isBroken = random() < 0.05;
      readings.push(
        reading(at, {
          uuid: `GPU-${gpu}`,
          index: gpu,
          values: {
            ...reading(0).values,
            utilizationPct: Math.round(random() * 100),
            powerW: isBroken ? null : Math.round(random() * 70_000) / 100,
            memoryUsedMib: Math.round(random() * 97_871),
          },
          missing: isBroken ? { powerW: "error" } : {},
        }),
      );
    }
  }
  for (let i = readings.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    const [one, two] = [readings[i], readings[other]];
    if (one && two) [readings[i], readings[other]] = [two, one];
  }
  return readings;
}

/** What differs between the derived rows and the samples they come from, once all of it is sealed. */
async function differences(): Promise<object[]> {
  await seal(ctxAt(NOON + 3 * HOUR));
  const asked = WIDE_COLUMNS.flatMap((column) => [
    [`${column}_n`, `count(${column})`],
    [`round(${column}_sum::numeric, 3)`, `round(sum(${column}::float8)::numeric, 3)`],
    [`${column}_min`, `min(${column})`],
    [`${column}_max`, `max(${column})`],
  ]);
  const hours = await rows(
    `(select gpu_id, date_trunc('hour', at, 'UTC') as hour, count(*)::int, ${asked.map(([, from]) => `${from}::float8`).join(", ")} from gpu_sample group by 1, 2)
     except (select gpu_id, hour, samples::int, ${asked.map(([stored]) => `${stored}::float8`).join(", ")} from gpu_hour)`,
  );
  const dist = (table: string, bucket: string) =>
    rows(
      `(select ${bucket} as at, count(utilization_pct)::int as n, round(sum(utilization_pct)::numeric, 3) as sum, min(utilization_pct), max(utilization_pct) from gpu_sample group by 1)
       except (select at, n, round(sum::numeric, 3), min, max from ${table} where scope = 'fleet' and metric = $1)`,
      [METRIC],
    );
  return [
    ...hours,
    ...(await dist("metric_dist", "date_bin('5 minutes', at, 'epoch')")),
    ...(await dist("metric_dist_hour", "date_trunc('hour', at, 'UTC')")),
  ];
}

describe("what is derived is what the samples say", () => {
  test.each([1, 2, 3])("reports in any order, three roll-ups at once, again and again (seed %i)", async (seed) => {
    const random = randoms(seed);
    const readings = scattered(random, 3);
    const jobs: Promise<unknown>[] = [];
    for (let i = 0; i < readings.length; i += 60) {
      jobs.push(ingest(token, report(readings.slice(i, i + 60), { sentAt: NOON }), new Date(NOON)));
      if (jobs.length % 4 === 0) jobs.push(...[1, 2, 3].map(() => rollUp(ctxAt(NOON))));
      if (jobs.length > 10) await Promise.all(jobs.splice(0, 6));
    }
    await Promise.all(jobs);
    await rollUp(ctxAt(NOON));
    expect(await count("select 1 from gpu_sample")).toBe(readings.length);
    expect(await count("select 1 from telemetry_mark")).toBe(0);
    expect(await differences()).toEqual([]);
    // The comparison can fail.
    await rows("update gpu_hour set power_w_max = power_w_max + 1 where gpu_id = (select min(gpu_id) from gpu_hour)");
    await rows("update metric_dist set n = n + 1 where at = (select min(at) from metric_dist)");
    expect((await differences()).length).toBeGreaterThan(1);
    await rows("delete from telemetry_hour");
    await rows("delete from gpu_hour");
    await rollUpRange(new Date(NOON - 3 * HOUR), new Date(NOON));
    expect(await differences()).toEqual([]);
  });

  test("two roll-ups of one hour, each with the news of another GPU, do not write over each other", async () => {
    const send = (gpu: number, ms: number) =>
      ingest(token, report([reading(NOON - HOUR + ms, { uuid: `GPU-${gpu}` })], { sentAt: NOON }), new Date(NOON));
    await send(0, 0);
    await send(1, 10 * MINUTE);
    await rollUp(ctxAt(NOON));
    await seal(ctxAt(NOON + 3 * HOUR));
    const blocker = await pool().connect();
    await blocker.query("begin");
    await blocker.query("select 1 from metric_dist_hour for update");
    const isWaiting = (workers: number) =>
      vi.waitFor(async () => {
        const waiting = await count(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(waiting).toBe(workers);
      }, 10_000);
    await send(0, 10_000);
    const first = rollUp(ctxAt(NOON));
    await isWaiting(1);
    await send(1, 10 * MINUTE + 10_000);
    const second = rollUp(ctxAt(NOON));
    await isWaiting(2);
    await blocker.query("commit");
    blocker.release();
    await Promise.all([first, second]);
    expect(await differences()).toEqual([]);
  });

  test("a late sample changes its hour, whenever it comes", async () => {
    await ingest(token, report([reading(NOON - 5 * HOUR), reading(NOON)]), new Date(NOON));
    await rollUp(ctxAt(NOON));
    expect(await differences()).toEqual([]);
    const late = reading(NOON - 5 * HOUR + 10_000, { values: { ...reading(0).values, utilizationPct: 100 } });
    await ingest(token, report([late], { sentAt: NOON }), new Date(NOON));
    expect((await differences()).length).toBeGreaterThan(0);
    await rollUp(ctxAt(NOON));
    expect(await differences()).toEqual([]);
  });
});

describe("a gap is null, never zero", () => {
  const send = async (from: number, to: number, everyMs = 10_000, pct = 40) => {
    const readings: GpuReading[] = [];
    for (let at = from; at < to; at += everyMs)
      readings.push(reading(at, { values: { ...reading(0).values, utilizationPct: pct } }));
    for (let i = 0; i < readings.length; i += 5_000)
      await ingest(token, report(readings.slice(i, i + 5_000), { sentAt: to }), new Date(to));
  };
  const read = (from: number, to: number, metric = "utilizationPct") =>
    readSeries(ctxAt(to), SeriesQuestion.parse({ scope: `instance=${instanceId}`, metric, from, to }));

  test.each([
    ["seconds", 20 * MINUTE],
    ["minutes", 6 * HOUR],
    ["hours", 40 * HOUR],
  ])("in steps of %s", async (_, spanMs) => {
    const from = NOON - spanMs;
    const [gapFrom, gapTo] = [from + spanMs * 0.4, from + spanMs * 0.6];
    await send(from, gapFrom, 30_000);
    await send(gapTo, NOON, 30_000, 0);
    await rollUp(ctxAt(NOON));
    const { at, stepMs, ...all } = await read(from, NOON);
    expect(at.length).toBeGreaterThan(35);
    for (const [i, instant] of at.entries()) {
      const inGap = instant >= gapFrom && instant + stepMs <= gapTo;
      const isWhole = stepMs >= 30_000 && (instant + stepMs <= gapFrom || instant >= gapTo) && instant + stepMs <= NOON;
      if (inGap) expect([all.mean[i], all.min[i], all.max[i]], `step ${i}`).toEqual([null, null, null]);
      else if (isWhole && instant >= from) expect(all.mean[i], `step ${i}`).toBe(instant < gapFrom ? 40 : 0);
    }
    expect(all.mean.filter((value) => value === null).length).toBeGreaterThan(0);
    expect(all.mean).toContain(0);
  });

  test("a metric that the card does not have is null throughout, beside one that it has", async () => {
    await send(NOON - 10 * MINUTE, NOON);
    expect((await read(NOON - 10 * MINUTE, NOON, "tensorActivePct")).mean.every((value) => value === null)).toBe(true);
    const memory = await read(NOON - 10 * MINUTE, NOON, "memoryUsedPct");
    expect(memory.mean.filter((value) => value !== null).length).toBe(60);
    expect(memory.mean[0]).toBeCloseTo((10_000 / 97_871) * 100, 1);
  });

  test("the fleet's line has the gap, too", async () => {
    await send(NOON - 3 * HOUR, NOON - 2 * HOUR);
    await send(NOON - HOUR, NOON);
    await rollUp(ctxAt(NOON));
    const { at, mean, p95, lines } = await readSeries(
      ctxAt(NOON),
      SeriesQuestion.parse({
        scope: "fleet",
        by: "instance",
        metric: "utilizationPct",
        from: NOON - 3 * HOUR,
        to: NOON,
      }),
    );
    const shape = (values: (number | null)[]) => values.map((value) => (value === null ? "." : "x")).join("");
    const third = at.length / 3;
    const expected = `${"x".repeat(third)}${".".repeat(third)}${"x".repeat(third)}`;
    expect([shape(mean), shape(p95), ...lines.map((line) => shape(line.mean))]).toEqual([expected, expected, expected]);
    expect(mean[0]).toBe(40);
  });
});

describe("partitions", () => {
  const names = async (table: string) =>
    (
      await rows<{ name: string }>(
        "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1",
        [table],
      )
    ).map(({ name }) => name);

  test("are there for every sample that is taken, and for ten days to come", async () => {
    await prune(ctxAt(NOON));
    for (const at of [NOON - TOO_OLD_AFTER_MS, NOON + MINUTE])
      await ingest(token, report([reading(at)], { sentAt: NOON }), new Date(NOON));
    expect(await names("gpu_sample")).toContain("gpu_sample_p20261201");
  });

  test("are made once, by several workers at once, beside a sender that writes", async () => {
    const later = NOON + 400 * DAY;
    await ensurePartitions(new Date(later), new Date(later + DAY));
    await Promise.all([
      ...[1, 2, 3, 4].map(() => prune(ctxAt(later))),
      ...[1, 2, 3, 4].map((i) => ingest(token, report([reading(later + i)], { sentAt: later }), new Date(later + i))),
    ]);
    await seal(ctxAt(later));
    await prune(ctxAt(later));
    expect(await names("gpu_sample")).toHaveLength(13);
    await ensurePartitions(new Date(NOON - 3 * DAY), new Date(NOON + 10 * DAY));
  });

  test("go as whole days when retention says so, each level by its own", async () => {
    const set = async (samplesDays: number) => {
      await transact((tx) =>
        writeSetting(tx as Tx, "retention", { samplesDays, distributionsDays: 30, hoursDays: 730 }, new Date(NOON)),
      );
      forgetSetting("retention");
    };
    await set(2);
    await ensurePartitions(new Date(NOON - 9 * DAY), new Date(NOON));
    for (const at of [NOON - 47 * HOUR, NOON])
      await ingest(token, report([reading(at)], { sentAt: NOON }), new Date(NOON));
    await rollUp(ctxAt(NOON));
    await prune(ctxAt(NOON + 2 * DAY));
    // Nothing goes that is not sealed.
    expect(await count("select 1 from gpu_sample")).toBe(2);
    await seal(ctxAt(NOON + 2 * DAY));
    await prune(ctxAt(NOON + 2 * DAY));
    expect(await rows("select at from gpu_sample")).toEqual([{ at: new Date(NOON) }]);
    expect(await count("select 1 from gpu_chunk")).toBe(1);
    // Days that end later than two days ago, and those to come.
    expect((await names("gpu_sample"))[0]).toBe("gpu_sample_p20261121");
    expect(await count("select 1 from gpu_hour")).toBe(2);
    expect(await count("select 1 from metric_dist where metric = $1", [METRIC])).toBe(2);
    await set(60);
  });
});
