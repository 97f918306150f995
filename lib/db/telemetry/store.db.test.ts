import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { METRICS, WIDE_METRICS } from "@/lib/domain/telemetry/catalogue";
import { percentile } from "@/lib/domain/telemetry/distribution";
import { decodeMissing, emptyValues, encodeMissing } from "@/lib/domain/telemetry/sample";
import { resolveRange } from "@/lib/domain/telemetry/series";
import type { SampleRow } from "@/lib/domain/telemetry/store";
import { emptyHouse, machine, NOON, type TestMachine } from "@/lib/testing/alerting";
import { count, rows } from "@/lib/testing/world";
import { SAMPLE_COLUMNS } from "./columns";
import { HOUR_MS, readColumns } from "./hours";
import { listLatest, readBuckets, readDistribution, readFleetDistribution } from "./read";
import { rollUpMarked } from "./rollup";
import { sealNextHour } from "./seal";
import { writeSamples } from "./write";

const FROM = NOON - 4 * HOUR_MS;

let machines: TestMachine[] = [];

beforeEach(async () => {
  await emptyHouse();
  machines = [await machine("gh-1"), await machine("gh-2", { workload: "inference" })];
});

function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function row(gpuId: number, at: number, more: Partial<SampleRow> = {}): SampleRow {
  return {
    gpuId,
    at,
    throttleReasons: 0,
    eccUncorrected: 0,
    missing: null,
    quality: null,
    ...more,
    values: { ...emptyValues(), utilizationPct: 50, ...more.values },
  };
}

/** Samples with holes, broken values and instants that are not round. */
function scattered(random: () => number): { sourceId: string; rows: SampleRow[] }[] {
  return machines.map(({ sourceId, gpuId }) => {
    const own: SampleRow[] = [];
    for (let at = FROM; at < NOON; at += 10_000) {
      if (random() < 0.2) continue;
      const isBroken = random() < 0.1;
      const powerW = isBroken ? null : Math.fround(random() * 700);
      own.push(
        row(gpuId, at + Math.floor(random() * 900), {
          values: {
            ...emptyValues(),
            utilizationPct: Math.round(random() * 100),
            memoryUsedMib: Math.round(random() * 97_871),
            temperatureC: 30 + Math.round(random() * 50),
            powerW,
          },
          throttleReasons: random() < 0.1 ? 4 : 0,
          eccUncorrected: random() < 0.1 ? null : 3,
          missing: encodeMissing(powerW === null ? { powerW: "error" } : {}),
          quality: random() < 0.05 ? 1 : null,
        }),
      );
    }
    return { sourceId, rows: own };
  });
}

async function derive(until: number): Promise<void> {
  while (await rollUpMarked());
  while ((await sealNextHour(new Date(until))) !== null);
}

const all = () => machines.map((one) => one.gpuId);

describe("a sealed hour says what its rows said", () => {
  test.each([1, 2, 3])("every column, gap and instant, before and after (seed %i)", async (seed) => {
    const random = randoms(seed);
    for (const part of scattered(random)) await writeSamples([part], new Date(NOON));
    const windows = [
      [FROM, NOON],
      [FROM + 17 * 60_000 + 3, NOON - 90 * 60_000 - 1],
    ] as const;
    const before = await Promise.all(windows.map(([from, to]) => readColumns(all(), SAMPLE_COLUMNS, from, to)));
    await derive(NOON - HOUR_MS);
    expect(await count("select 1 from gpu_chunk")).toBe(6);
    // Only the hot rows of the last hour are read now.
    await rows("update gpu_sample set utilization_pct = 1 where at < $1", [new Date(NOON - HOUR_MS)]);
    const after = await Promise.all(windows.map(([from, to]) => readColumns(all(), SAMPLE_COLUMNS, from, to)));
    expect(after).toEqual(before);
  });

  test("a late sample is in its hour, its day and its fleet once the roll-up has come by", async () => {
    for (const part of scattered(randoms(4))) await writeSamples([part], new Date(NOON));
    await derive(NOON);
    const { gpuId, sourceId } = machines[0] ?? { gpuId: 0, sourceId: "" };
    const at = FROM + 5_500_000 + 950;
    await writeSamples(
      [{ sourceId, rows: [row(gpuId, at, { values: { ...emptyValues(), utilizationPct: 77 } })] }],
      new Date(NOON),
    );
    await derive(NOON);
    const gpu = (await readColumns([gpuId], ["utilizationPct"], at, at + 1)).get(gpuId);
    expect([gpu?.at, gpu?.columns[0]]).toEqual([Float64Array.of(at), Float64Array.of(77)]);
    expect(await counted()).toEqual([]);
  });
});

test("a large request is stored once, however often and however much beside itself it is sent", async () => {
  const parts = scattered(randoms(6));
  const inserted = (written: Awaited<ReturnType<typeof writeSamples>>, gpuId: number) =>
    written === null
      ? parts.flatMap((part) => part.rows).filter((row) => row.gpuId === gpuId).length
      : (written.get(gpuId)?.inserted ?? 0);
  const both = await Promise.all([1, 2].map(() => writeSamples(parts, new Date(NOON))));
  for (const [i, { gpuId }] of machines.entries()) {
    const sent = parts[i]?.rows.length ?? 0;
    expect(sent).toBeGreaterThan(1000);
    expect(both.reduce((sum, written) => sum + inserted(written, gpuId), 0)).toBe(sent);
    expect(await count("select 1 from gpu_sample where gpu_id = $1", [gpuId])).toBe(sent);
  }
  const [first, second] = parts;
  if (!first || !second) throw new Error("no machines");
  const newest = row(second.rows[0]?.gpuId ?? 0, NOON);
  const again = await writeSamples([first, { ...second, rows: [...second.rows, newest] }], new Date(NOON));
  expect(machines.map(({ gpuId }) => again?.get(gpuId))).toEqual([
    { inserted: 0, completed: 0, conflicts: 0 },
    { inserted: 1, completed: 0, conflicts: 0 },
  ]);
  const latest = await listLatest([machines[1]?.resourceId ?? ""]);
  expect(latest.map(({ gpuId, at }) => ({ gpuId, at }))).toEqual([{ gpuId: newest.gpuId, at: new Date(NOON) }]);
});

/** What the derived rows of every level count otherwise than the rows do. */
async function counted(): Promise<object[]> {
  const id = METRICS.utilizationPct.distribution?.id;
  return [
    ...(await rows(
      `select gpu_id, date_trunc('hour', at, 'UTC') as hour, count(*)::int as n, sum(utilization_pct)::float8 as sum from gpu_sample group by 1, 2
       except select gpu_id, hour, samples::int, utilization_pct_sum from gpu_hour`,
    )),
    ...(await rows(
      `select gpu_id, date_trunc('hour', at, 'UTC') as hour, count(*)::int as n from gpu_sample group by 1, 2 except select gpu_id, hour, n::int from gpu_chunk`,
    )),
    ...(await rows(
      `select date_bin('5 minutes', at, 'epoch') as at, count(*)::int as n from gpu_sample group by 1 except select at, n from metric_dist where scope = 'fleet' and metric = $1`,
      [id],
    )),
    ...(await rows(
      `select l.workload::text, date_trunc('hour', at, 'UTC') as at, count(*)::int as n from gpu_sample s join gpu g on g.id = s.gpu_id join resource_label l on l.resource_id = g.resource_id group by 1, 2
       except select split_part(scope, ':', 2), at, n from metric_dist_hour where scope like 'workload:%' and metric = $1`,
      [id],
    )),
  ];
}

test("mean and percentiles of the fleet, of a group and of GPUs are those of all their samples", async () => {
  for (const part of scattered(randoms(5))) await writeSamples([part], new Date(NOON));
  await derive(NOON);
  const range = resolveRange(FROM, NOON, 4, HOUR_MS);
  const spec = METRICS.utilizationPct.distribution;
  if (!spec) throw new Error("no bins");
  const truth = async (ids: number[]) =>
    rows<{ n: number; mean: number; p50: number; p95: number; min: number; max: number }>(
      `select count(utilization_pct)::int as n, avg(utilization_pct)::float8 as mean, percentile_disc(0.5) within group (order by utilization_pct)::float8 as p50,
              percentile_disc(0.95) within group (order by utilization_pct)::float8 as p95, min(utilization_pct)::float8 as min, max(utilization_pct)::float8 as max
       from gpu_sample where gpu_id = any ($1) and at >= $2 and at < $3 group by date_bin($4, at, 'epoch') order by date_bin($4, at, 'epoch')`,
      [ids, new Date(range.from), new Date(range.to), `${range.stepMs} ms`],
    );
  const ofDistribution = (list: Awaited<ReturnType<typeof readFleetDistribution>>) =>
    list.map((one) => ({
      n: one?.n ?? 0,
      mean: (one?.sum ?? 0) / (one?.n ?? 1),
      p50: percentile(one?.bins ?? [], spec, 50),
      p95: percentile(one?.bins ?? [], spec, 95),
      min: one?.min,
      max: one?.max,
    }));
  expect(ofDistribution(await readFleetDistribution("utilizationPct", range))).toEqual(await truth(all()));
  const [first] = machines;
  expect(ofDistribution(await readDistribution("workload:training", "utilizationPct", range))).toEqual(
    await truth([first?.gpuId ?? 0]),
  );
  const buckets = await readBuckets(all(), "utilizationPct", range);
  const [p50, p95] = [buckets.percentiles(50), buckets.percentiles(95)];
  expect(
    p50.map((_, i) => ({
      n: buckets.n[i],
      mean: (buckets.sum[i] ?? 0) / (buckets.n[i] ?? 1),
      p50: p50[i],
      p95: p95[i],
      min: buckets.min[i],
      max: buckets.max[i],
    })),
  ).toEqual(await truth(all()));
});

describe("one GPU and instant is one row", () => {
  const at = NOON - 60_000;
  const part = (more: Partial<SampleRow>) => {
    const { sourceId, gpuId } = machines[0] ?? { sourceId: "", gpuId: 0 };
    return [
      {
        sourceId,
        rows: [row(gpuId, at, { ...more, values: { ...emptyValues(), utilizationPct: null, ...more.values } })],
      },
    ];
  };
  const stored = () =>
    rows<{ pct: number; watts: number; missing: number }>(
      "select utilization_pct as pct, power_w as watts, missing::float8 from gpu_sample",
    );

  test("what comes in parts is put together, and nothing that is there is changed", async () => {
    const { gpuId } = machines[0] ?? { gpuId: 0 };
    const missing = (reasons: Parameters<typeof encodeMissing>[0]) => encodeMissing(reasons);
    const lacksPower = { utilizationPct: 40, powerW: null };
    expect(
      await writeSamples(
        part({
          values: { ...emptyValues(), ...lacksPower },
          missing: missing({ powerW: "not_reported", temperatureC: "not_reported" }),
        }),
        new Date(NOON),
      ),
    ).toBeNull();
    const second = await writeSamples(
      part({
        values: { ...emptyValues(), powerW: 300 },
        missing: missing({ utilizationPct: "not_reported", temperatureC: "not_supported" }),
      }),
      new Date(NOON),
    );
    expect(second?.get(gpuId)).toEqual({ inserted: 0, completed: 1, conflicts: 0 });
    const third = await writeSamples(part({ values: { ...emptyValues(), powerW: 301 } }), new Date(NOON));
    expect(third?.get(gpuId)).toEqual({ inserted: 0, completed: 0, conflicts: 1 });
    const fourth = await writeSamples(part({ values: { ...emptyValues(), powerW: 300 } }), new Date(NOON));
    expect(fourth?.get(gpuId)).toEqual({ inserted: 0, completed: 0, conflicts: 0 });
    const [only, ...more] = await stored();
    expect(more).toEqual([]);
    expect(only).toMatchObject({ pct: 40, watts: 300 });
    expect(decodeMissing(Number(only?.missing))).toEqual({ temperatureC: "not_supported" });
    const [latest] = await listLatest([machines[0]?.resourceId ?? ""]);
    expect(latest).toMatchObject({ at: new Date(at), values: { utilizationPct: 40, powerW: 300 } });
  });

  test("ten senders at once, half of them with the same rows: every row once, the newest shown, every mark there", async () => {
    const { sourceId, gpuId } = machines[0] ?? { sourceId: "", gpuId: 0 };
    const send = (from: number) =>
      writeSamples(
        [{ sourceId, rows: [...Array(30).keys()].map((i) => row(gpuId, FROM + (from + i) * 10_000)) }],
        new Date(NOON),
      );
    await Promise.all([0, 10, 20, 30, 40, 0, 10, 20, 30, 40].map(send));
    expect(await count("select 1 from gpu_sample")).toBe(70);
    expect((await listLatest([machines[0]?.resourceId ?? ""]))[0]?.at).toEqual(new Date(FROM + 69 * 10_000));
    await derive(NOON);
    expect(await counted()).toEqual([]);
  });
});

describe("the newest of each GPU", () => {
  test("an older report does not replace it, and one GPU's news leaves the others", async () => {
    const [one, two] = machines;
    if (!one || !two) throw new Error("no machines");
    const { sourceId } = one;
    await prisma.gpu.update({ where: { id: two.gpuId }, data: { resourceId: one.resourceId, sourceId } });
    const put = (rowsOfIt: SampleRow[]) => writeSamples([{ sourceId, rows: rowsOfIt }], new Date(NOON));
    await put([row(one.gpuId, NOON - 20_000), row(two.gpuId, NOON - 20_000)]);
    await put([row(two.gpuId, NOON - 10_000)]);
    await put([row(one.gpuId, NOON - 30_000), row(two.gpuId, NOON - 30_000)]);
    const latest = await listLatest([one.resourceId]);
    expect(new Map(latest.map((gpu) => [gpu.gpuId, gpu.at?.getTime()]))).toEqual(
      new Map([
        [one.gpuId, NOON - 20_000],
        [two.gpuId, NOON - 10_000],
      ]),
    );
  });

  test("of two senders each gives what the other lacks, while neither is silent", async () => {
    const [one, two] = machines;
    if (!one || !two) throw new Error("no machines");
    const exporter = two.sourceId;
    await prisma.telemetrySource.update({ where: { id: exporter }, data: { resourceId: one.resourceId } });
    const values = (more: Partial<SampleRow["values"]>) => ({
      values: { ...emptyValues(), utilizationPct: null, ...more },
    });
    await writeSamples(
      [{ sourceId: one.sourceId, rows: [row(one.gpuId, NOON, values({ utilizationPct: 90, powerW: 500 }))] }],
      new Date(NOON),
    );
    await writeSamples(
      [{ sourceId: exporter, rows: [row(one.gpuId, NOON + 5_000, values({ smActivePct: 30, powerW: 510 }))] }],
      new Date(NOON),
    );
    const [latest] = await listLatest([one.resourceId]);
    expect(latest?.values).toMatchObject({ utilizationPct: 90, smActivePct: 30, powerW: 510 });
    await writeSamples(
      [{ sourceId: exporter, rows: [row(one.gpuId, NOON + 200_000, values({ smActivePct: 31 }))] }],
      new Date(NOON),
    );
    const [later] = await listLatest([one.resourceId]);
    expect(later?.values).toMatchObject({ utilizationPct: null, smActivePct: 31, powerW: null });
  });
});

test("every wide metric has its place in a block and in a chunk", () => {
  expect(SAMPLE_COLUMNS.slice(0, WIDE_METRICS.length)).toEqual(WIDE_METRICS);
});
