import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { setTestClock } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { decodeRoster, LiveView } from "@/lib/domain/telemetry/live";
import { type GpuReading, QUALITY } from "@/lib/domain/telemetry/sample";
import { SeriesQuestion } from "@/lib/domain/telemetry/view";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordListing } from "@/lib/services/fleet/poll";
import { prepareHouse } from "@/lib/services/house";
import { emptyDatabase } from "@/lib/testing/empty";
import { instance, makeToken, reading, report } from "@/lib/testing/senders";
import { rows } from "@/lib/testing/world";
import { ingest } from "./ingest";
import { readLive, readRoster } from "./live";
import { readQuality, readRefusals } from "./quality";
import { rollUp, seal } from "./roll-up";
import { isSettled, readSeries } from "./series";

const NOON = Date.UTC(2026, 10, 21, 12);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FROM = NOON - 4 * HOUR;
/** Nothing is measured in here. */
const GAP = { from: NOON - 3 * HOUR, to: NOON - 2.5 * HOUR };
const ctxAt = (at: number) => systemCtx("test", new Date(at));

/** Machine, GPU, instant and what it measured: whole per cents, and a clock of which no distribution is kept. */
type Truth = { machine: string; gpu: number; at: number; pct: number; mhz: number };
const truth: Truth[] = [];
const ids = new Map<string, string>();

beforeAll(async () => {
  await emptyDatabase();
  await setTestClock(new Date(NOON));
  await prepareHouse(ctxAt(NOON));
  const connection = await lambdaConnection(new Date(NOON - DAY));
  const machines = [
    instance("ml-1", { tags: { team: "ml" } }),
    instance("ml-2", { tags: { team: "ml" }, hostname: "host-ml-2", privateIp: "10.19.60.11" }),
    instance("v-1", { tags: { team: "vision" }, hostname: "host-v-1", privateIp: "10.19.60.12" }),
  ];
  const applied = await recordListing(ctxAt(NOON - DAY), connection, machines, 100);
  for (const [name, id] of applied?.ids ?? []) ids.set(name, id);
  for (const [machine, gpus] of [
    ["ml-1", 2],
    ["ml-2", 1],
    ["v-1", 1],
  ] as const) {
    const { token } = await makeToken("enrolment", NOON - DAY, { resourceId: ids.get(machine) ?? "" });
    const readings: GpuReading[] = [];
    for (let at = FROM; at < NOON; at += 30 * SECOND) {
      if (at >= GAP.from && at < GAP.to) continue;
      for (let gpu = 0; gpu < gpus; gpu++) {
        const pct = (Math.floor(at / 30_000) * 37 + gpu * 11 + machine.length * 7 + machine.charCodeAt(0)) % 101;
        const mhz = 345 + ((Math.floor(at / 30_000) * 13) % 109) * 15;
        truth.push({ machine, gpu, at, pct, mhz });
        const values = { ...reading(0).values, utilizationPct: pct, smClockMhz: mhz };
        readings.push(reading(at, { uuid: `GPU-${machine}-${gpu}`, index: gpu, values }));
      }
    }
    for (let i = 0; i < readings.length; i += 5_000)
      await ingest(token, report(readings.slice(i, i + 5_000), { host: machine, sentAt: NOON }), new Date(NOON));
  }
  await rollUp(ctxAt(NOON));
});

const ask = (more: Record<string, unknown>) =>
  readSeries(ctxAt(NOON), SeriesQuestion.parse({ metric: "utilizationPct", from: FROM, to: NOON, ...more }));

/** What a bucket must say, from the samples themselves; percentiles by nearest rank. */
function expected(of: (one: Truth) => boolean, value: (one: Truth) => number, from: number, to: number) {
  const found = truth.filter((one) => of(one) && one.at >= from && one.at < to).map(value);
  if (found.length === 0) return { n: 0, mean: null, min: null, max: null, p50: null, p95: null };
  const sorted = found.sort((a, b) => a - b);
  const rank = (p: number) => sorted[Math.max(1, Math.ceil((p * sorted.length) / 100)) - 1] ?? null;
  const mean = Math.round((sorted.reduce((sum, one) => sum + one, 0) / sorted.length) * 10) / 10;
  return { n: sorted.length, mean, min: sorted[0], max: sorted.at(-1), p50: rank(50), p95: rank(95) };
}

type Answer = Awaited<ReturnType<typeof ask>>;

function bucketsOf({ at, n, mean, min, max, p50, p95 }: Answer) {
  return at.map((_, i) => ({ n: n[i], mean: mean[i], min: min[i], max: max[i], p50: p50[i], p95: p95[i] }));
}

const scopes: [string, () => string, (one: Truth) => boolean][] = [
  ["an instance", () => `instance=${ids.get("ml-1")}`, (one) => one.machine === "ml-1"],
  ["a label group", () => "team=ml", (one) => one.machine.startsWith("ml")],
  ["a type", () => "type=gpu_1x_gh200", () => true],
  ["the fleet", () => "fleet", () => true],
];

describe.each(["before its hours are sealed", "after"])("every bucket is what the samples say, %s", (when) => {
  beforeAll(async () => {
    if (when === "after") await seal(ctxAt(NOON + HOUR));
  });

  test.each(scopes)("%s", async (_, scope, of) => {
    const answer = await ask({ scope: scope() });
    const { at, stepMs } = answer;
    expect(at.length).toBeLessThanOrEqual(600);
    expect(bucketsOf(answer)).toEqual(at.map((from) => expected(of, (one) => one.pct, from, from + stepMs)));
    expect(answer.n.reduce((sum, n) => sum + n, 0)).toBe(truth.filter(of).length);
    expect(answer.mean).toContain(null);
    expect(answer.binWidth).toBe(1);
  });

  test("a GPU", async () => {
    const [gpu] = await rows<{ id: number }>("select id from gpu where uuid = 'GPU-ml-1-1'");
    const answer = await ask({ scope: `gpu=${gpu?.id}` });
    const of = (one: Truth) => one.machine === "ml-1" && one.gpu === 1;
    expect(bucketsOf(answer)).toEqual(
      answer.at.map((from) => expected(of, (one) => one.pct, from, from + answer.stepMs)),
    );
    expect(answer.sources).toEqual(when === "after" ? ["sealed_hours"] : ["samples"]);
  });

  test("a group's metric without a distribution comes from its GPUs, without percentiles", async () => {
    const answer = await ask({ scope: "team=vision", metric: "smClockMhz" });
    const of = (one: Truth) => one.machine === "v-1";
    for (const [i, from] of answer.at.entries()) {
      const { n, mean, min, max } = expected(of, (one) => one.mhz, from, from + answer.stepMs);
      expect([answer.n[i], answer.mean[i], answer.min[i], answer.max[i]]).toEqual([n, mean, min, max]);
    }
    expect(answer.p95.every((value) => value === null)).toBe(true);
    expect(answer).toMatchObject({ binWidth: null, unit: "megahertz" });
  });
});

describe("the answer", () => {
  test("says what it is made of, and fits in the points that were asked for", async () => {
    expect((await ask({ scope: "fleet" })).sources).toEqual(["distribution"]);
    for (const points of [2, 10, 100, 600]) {
      const { at, n } = await ask({ scope: `instance=${ids.get("ml-1")}`, points });
      expect(at.length).toBeLessThanOrEqual(points);
      expect(n.reduce((sum, one) => sum + one, 0)).toBe(truth.filter((one) => one.machine === "ml-1").length);
    }
  });

  test("has a line for each GPU of a machine, or for each machine of the fleet, with the same gaps", async () => {
    const gpus = await ask({ scope: `instance=${ids.get("ml-1")}`, by: "gpu" });
    expect(gpus.lines.map((line) => line.name)).toEqual(["GPU 0", "GPU 1"]);
    const machines = await ask({ scope: "fleet", by: "instance" });
    expect(machines.lines.map((line) => line.name).sort()).toEqual(["ml-1", "ml-2", "v-1"]);
    for (const { lines, mean } of [gpus, machines])
      for (const line of lines) expect(line.mean.map((one) => one === null)).toEqual(mean.map((one) => one === null));
    expect((await ask({ scope: `instance=${ids.get("v-1")}`, by: "gpu" })).lines).toEqual([]);
  });

  test("of nobody is empty, not zero", async () => {
    for (const scope of ["gpu=999999", "team=nobody", `instance=${crypto.randomUUID()}`]) {
      const { n, mean, max } = await ask({ scope });
      expect(n.every((one) => one === 0)).toBe(true);
      expect([...mean, ...max].every((one) => one === null)).toBe(true);
    }
  });

  test.each([
    ["not a scope", { scope: "room=1" }],
    ["a gpu that is no number", { scope: "gpu=one" }],
    ["a metric that is a mask", { metric: "throttleReasons" }],
    ["too many points", { points: 10_000 }],
  ])("is refused for %s", (_, more) => {
    expect(SeriesQuestion.safeParse({ metric: "utilizationPct", ...more }).success).toBe(false);
  });

  test("is settled once no sample of its window can come any more", () => {
    const ctx = ctxAt(NOON);
    const window = { range: "6h" as const, from: NOON - 60 * HOUR, to: NOON - 50 * HOUR };
    expect(isSettled(ctx, window, { to: NOON - 49 * HOUR })).toBe(true);
    // Its last bucket ends later than the window.
    expect(isSettled(ctx, window, { to: NOON - 47 * HOUR })).toBe(false);
    expect(isSettled(ctx, { range: "6h" }, { to: NOON - 49 * HOUR })).toBe(false);
  });
});

describe("the live view", () => {
  test("holds every GPU of the fleet, in the order of its roster, packed once for all who ask", async () => {
    const [one, other] = await Promise.all([
      readLive(ctxAt(NOON), { metrics: "heat" }),
      readLive(ctxAt(NOON + SECOND), { metrics: "heat" }),
    ]);
    expect(other).toBe(one);
    expect(gunzipSync(one.gzip).toString()).toBe(one.json);
    const roster = JSON.parse((await readRoster(ctxAt(NOON))).json);
    const live = JSON.parse(one.json);
    expect(live.roster).toBe(roster.version);
    const gpus = decodeRoster(roster);
    expect(gpus.map((gpu) => `${gpu.name} ${gpu.position} ${gpu.team}`)).toEqual([
      "ml-1 0 ml",
      "ml-1 1 ml",
      "ml-2 0 ml",
      "v-1 0 vision",
    ]);
    const newest = gpus.map(
      (gpu) => truth.findLast((sample) => sample.machine === gpu.name && sample.gpu === gpu.position)?.pct,
    );
    expect([...new LiveView(live).values("utilizationPct")]).toEqual(newest);
    expect(new LiveView(live).gpu(0)).toMatchObject({ at: NOON - 30 * SECOND, isSilent: false });
  });

  test("knows in the next ticks who has fallen silent", async () => {
    const later = await readLive(ctxAt(NOON + 5 * MINUTE), { metrics: "heat" });
    const view = new LiveView(JSON.parse(later.json));
    expect([0, 1, 2, 3].map((place) => view.isSilent(place))).toEqual([true, true, true, true]);
    expect(view.values("utilizationPct")[0]).not.toBeNaN();
  });
});

describe("the quality of the samples", () => {
  test("is counted per GPU and reason: late, clock off, missing and why, refused", async () => {
    const id = ids.get("v-1") ?? "";
    const { token } = await makeToken("enrolment", NOON, { resourceId: id });
    const send = (readings: GpuReading[], sentAt = NOON) =>
      ingest(token, report(readings, { host: "v-1", sentAt }), new Date(NOON));
    const of = (at: number, more: Partial<GpuReading> = {}) => reading(at, { uuid: "GPU-v-1-0", ...more });
    await send([of(NOON - 20 * HOUR), of(NOON - 20 * HOUR + 10 * SECOND)]);
    await send([of(NOON - 2 * MINUTE - 5 * SECOND)], NOON - 2 * MINUTE);
    await send([
      of(NOON - 4 * SECOND, { values: { ...reading(0).values, powerW: null }, missing: { powerW: "error" } }),
      of(NOON - 72 * HOUR),
      of(NOON + HOUR),
    ]);
    // Late samples of an hour that is sealed are read once it is sealed anew.
    await rollUp(ctxAt(NOON));
    const [stored] = await rows<{ late: number; skewed: number }>(
      `select count(*) filter (where quality & ${QUALITY.late} <> 0)::int as late, count(*) filter (where quality & ${QUALITY.skewed} <> 0)::int as skewed
       from gpu_sample s join gpu g on g.id = s.gpu_id where g.uuid = 'GPU-v-1-0' and s.at >= $1`,
      [new Date(NOON - DAY)],
    );
    const answer = await readQuality(ctxAt(NOON), { instanceId: id });
    const [gpu] = answer.gpus;
    expect(gpu).toMatchObject({ position: 0, samples: truth.filter((one) => one.machine === "v-1").length + 4 });
    expect([gpu?.late, gpu?.skewed]).toEqual([stored?.late, stored?.skewed]);
    expect(gpu?.late).toBeGreaterThan(2);
    expect(gpu?.skewed).toBe(1);
    expect(gpu?.missing).toContainEqual(
      expect.objectContaining({ metric: "powerW", reason: "error", words: "the driver failed to read it", count: 1 }),
    );
    const refused = answer.rows.map(({ reason, count, gpu: place }) => [reason, count, place?.position]);
    expect(refused).toEqual(
      expect.arrayContaining([
        ["too_old", 1, 0],
        ["future", 1, 0],
      ]),
    );
    expect((await readRefusals(ctxAt(NOON))).rows).toEqual(
      expect.arrayContaining([expect.objectContaining({ reason: "future", instance: { id, name: "v-1" } })]),
    );
    // Not any more on the day after tomorrow.
    expect((await readRefusals(ctxAt(NOON + 2 * DAY))).rows).toEqual([]);
  });
});
