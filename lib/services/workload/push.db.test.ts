import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { aggregateSeries } from "@/lib/db/workload/aggregate";
import { rollUpSeries } from "@/lib/db/workload/series";
import { systemCtx } from "@/lib/domain/access";
import type { LabelledValue } from "@/lib/domain/telemetry/report";
import { counterIncrease, stepOf } from "@/lib/domain/workload/histogram";
import { SERIES_LIMITS } from "@/lib/domain/workload/labels";
import { AppError } from "@/lib/errors";
import { prune } from "@/lib/services/telemetry/prune";
import { by, emptyHouse, MINUTE, machine, NOON, person, SECOND, type TestMachine } from "@/lib/testing/alerting";
import { makeToken } from "@/lib/testing/senders";
import { count, rows } from "@/lib/testing/world";
import { pushWorkload } from "./push";
import { readRun, readRunSeries } from "./read";
import { recordLabelled } from "./record";
import { rollUpWorkload } from "./roll-up";

const HOUR = 60 * MINUTE;

let gh: TestMachine;
let token: Awaited<ReturnType<typeof makeToken>>["token"];
beforeEach(async () => {
  await emptyHouse();
  await prune(systemCtx("test", new Date(NOON)));
  gh = await machine("gh-1");
  token = (await makeToken("ingest", NOON)).token;
});

const push = (body: unknown, at = NOON) => pushWorkload(token, JSON.stringify(body), new Date(at));
const refusal = async (work: Promise<unknown>): Promise<AppError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError) return error;
  throw new Error("it was not refused");
};
const value = (metric: string, at: number, number: number, labels: Record<string, string> = {}): LabelledValue => ({
  metric,
  at,
  value: number,
  labels,
  isCounter: false,
});
const source = () => ({ id: gh.sourceId, resourceId: gh.resourceId });
const record = (values: LabelledValue[], at = NOON) =>
  recordLabelled(source(), values, ({ index }) => (index === 0 ? gh.gpuId : null), new Date(at));

describe("a run that is pushed", () => {
  const run = {
    id: "atlas-7b",
    name: "Atlas 7B",
    workload: "training",
    instance: "gh-1",
    startedAt: NOON - HOUR,
    expectedHours: 4,
  };

  test("is made once, and changed by its own id", async () => {
    const first = await push({ run });
    expect(first.run).toMatchObject({ externalId: "atlas-7b", outcome: "created" });
    expect((await push({ run })).run?.outcome).toBe("unchanged");
    expect((await push({ run: { id: "atlas-7b", endedAt: NOON - MINUTE } })).run?.outcome).toBe("changed");
    const [row] = await prisma.run.findMany();
    expect(row).toMatchObject({
      name: "Atlas 7B",
      resourceId: gh.resourceId,
      gpuIds: [],
      expectedMs: 14_400_000n,
      endedAt: new Date(NOON - MINUTE),
    });
    const trail = await rows<{ action: string; actor: string; actor_kind: string }>(
      "select a.action, a.actor, a.actor_kind::text from audit_event a join run r on r.id::text = a.subject_id order by a.seq",
    );
    expect(trail).toEqual([
      { action: "run.started", actor: "ingest", actor_kind: "token" },
      { action: "run.ended", actor: "ingest", actor_kind: "token" },
    ]);
  });

  test("by ten requests at once is one run with one entry", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => push({ run, metrics: [{ name: "tokens_total", value: 5, at: NOON }] })),
    );
    expect(answers.filter((one) => one.run?.outcome === "created")).toHaveLength(1);
    expect(answers.reduce((sum, one) => sum + one.accepted, 0)).toBe(1);
    expect(await count("select 1 from run")).toBe(1);
    expect(await count("select 1 from series")).toBe(1);
    expect(await rows("select a.action from audit_event a join run r on r.id::text = a.subject_id")).toMatchObject([
      { action: "run.started" },
    ]);
  });

  test.each([
    [{ run: { ...run, startedAt: "soon" } }, "run.startedAt"],
    [{ run: { ...run, id: "" } }, "run.id"],
    [{ run: { ...run, startedAt: NOON + HOUR } }, "run.startedAt"],
    [{ run: { ...run, endedAt: NOON - 2 * HOUR } }, "run.endedAt"],
    [{ run: { ...run, instance: "nowhere" } }, "run.instance"],
    [{ run: { ...run, gpus: [7] } }, "run.gpus"],
    [{ metrics: [{ name: "tokens_total" }] }, "metrics.0.value"],
    [{ metrics: "none" }, "metrics"],
    [{ rum: {} }, "rum"],
    [[], "form"],
  ])("%j is refused by its field, and nothing is stored", async (body, field) => {
    const { code, fields } = await refusal(push(body));
    expect(code).toBe("invalid");
    expect(Object.keys(fields)).toContain(field);
    expect(await count("select 1 from run union all select 1 from series")).toBe(0);
  });

  test("good values are kept beside bad ones, which are named", async () => {
    const answer = await push({
      run,
      metrics: [
        { name: "tokens_total", value: 1, at: NOON - SECOND },
        { name: "tokens_total", value: "2" },
        { name: "tokens_total", value: -4, at: NOON },
        { name: "tokens_total", value: 3, at: NOON + HOUR },
        { name: "tokens_total", value: 3, at: NOON - 72 * HOUR },
        { name: "my_own_thing", value: 3 },
      ],
    });
    expect(answer).toMatchObject({ accepted: 1, ignored: 1, problems: { "metrics.1.value": "is not a number" } });
    expect(answer.refused.map(({ reason, count: n }) => [reason, n]).sort()).toEqual([
      ["future", 1],
      ["malformed", 1],
      ["out_of_range", 1],
      ["too_old", 1],
    ]);
    expect(
      await count("select 1 from ingest_refusal where reason in ('future', 'malformed', 'out_of_range', 'too_old')"),
    ).toBe(4);
  });

  test("of somebody else takes values, and no change", async () => {
    await push({ run });
    const other = (await makeToken("ingest", NOON)).token;
    const pushOther = (body: unknown) => pushWorkload(other, JSON.stringify(body), new Date(NOON));
    expect((await refusal(pushOther({ run: { id: "atlas-7b", endedAt: NOON } }))).code).toBe("forbidden");
    const answer = await pushOther({
      run: { id: "atlas-7b", instance: "gh-1" },
      metrics: [{ name: "epoch", value: 2, at: NOON }],
    });
    expect(answer.run?.outcome).toBe("unchanged");
    expect(await count("select 1 from series s join run r on r.id = s.run_id")).toBe(1);
  });

  test("on a machine that its token does not speak for is refused", async () => {
    const elsewhere = await machine("gh-2");
    const bound = (await makeToken("enrolment", NOON, { resourceId: elsewhere.resourceId })).token;
    const answer = await refusal(pushWorkload(bound, JSON.stringify({ run }), new Date(NOON)));
    expect(answer.code).toBe("forbidden");
  });

  test("leaves an agent's own row as it is", async () => {
    const agent = await prisma.telemetrySource.findUniqueOrThrow({ where: { id: gh.sourceId } });
    const own = await prisma.token.findUniqueOrThrow({ where: { id: agent.tokenId ?? "" } });
    await pushWorkload(own, JSON.stringify({ run: { ...run, host: agent.hostname } }), new Date(NOON));
    expect(await prisma.telemetrySource.findUniqueOrThrow({ where: { id: gh.sourceId } })).toEqual(agent);
  });
});

describe("values", () => {
  test("of one instant are stored once, whoever repeats them", async () => {
    const values = [
      value("vllm:generation_tokens_total", NOON - SECOND, 10),
      value("vllm:generation_tokens_total", NOON, 12),
    ];
    const answers = await Promise.all(Array.from({ length: 6 }, () => record(values)));
    expect(answers.reduce((sum, one) => sum + one.accepted, 0)).toBe(2);
    expect(answers.reduce((sum, one) => sum + one.duplicates, 0)).toBe(10);
    expect(await record([value("tokens_total", NOON, 99)])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await rows("select value from series_sample order by at")).toEqual([{ value: 10 }, { value: 12 }]);
    expect(await rows("select last_value, first_at, last_at from series")).toEqual([
      { last_value: 12, first_at: new Date(NOON - SECOND), last_at: new Date(NOON) },
    ]);
  });

  test("beyond the series a sender may have are refused with the limit, also when many come at once; the others go on", async () => {
    const many = (from: number) =>
      Array.from({ length: 80 }, (_, i) => value("tokens_total", NOON, 1, { request: `${from + i}` }));
    const answers = await Promise.all([0, 80, 160, 240].map((from) => record(many(from))));
    expect(await count("select 1 from series")).toBe(SERIES_LIMITS.active);
    const refused = answers.flatMap((one) => one.refused);
    expect(refused.reduce((sum, one) => sum + one.count, 0)).toBe(320 - SERIES_LIMITS.active);
    expect(
      refused.every(
        ({ reason, example }) => reason === "series_limit" && example?.includes(String(SERIES_LIMITS.active)),
      ),
    ).toBe(true);
    const known = await rows<{ labels: Record<string, string> }>("select labels from series limit 1");
    expect(await record([value("tokens_total", NOON + SECOND, 2, known[0]?.labels)], NOON + SECOND)).toMatchObject({
      accepted: 1,
      refused: [],
    });
    // A day later the old ones are not active any more.
    expect(
      await record([value("tokens_total", NOON + 26 * HOUR, 1, { request: "new" })], NOON + 26 * HOUR),
    ).toMatchObject({ accepted: 1 });
  });

  test("with too many or too long labels, without a bound or a number are refused", async () => {
    const labels = Object.fromEntries(Array.from({ length: SERIES_LIMITS.labels + 1 }, (_, i) => [`l${i}`, "x"]));
    const answer = await record([
      value("tokens_total", NOON, 1, labels),
      value("request_latency_seconds_bucket", NOON, 1),
      value("tokens_total", NOON, Number.NaN),
      value("tokens_total", Number.NaN, 1),
    ]);
    expect(answer.refused.map(({ reason, count: n }) => [reason, n])).toEqual([
      ["series_limit", 1],
      ["malformed", 3],
    ]);
    expect(await count("select 1 from series")).toBe(0);
  });

  test("of a label that names a GPU belong to it", async () => {
    await record([value("samples_per_second", NOON, 5, { gpu: "0" }), value("queue_depth", NOON, 5, { gpu: "9" })]);
    expect(await rows("select metric, gpu_id from series order by 1")).toEqual([
      { metric: "queue_depth", gpu_id: null },
      { metric: "samples_per_second", gpu_id: gh.gpuId },
    ]);
  });

  test("that came before their run become its own", async () => {
    await push({ run: { id: "other", instance: "gh-1" }, metrics: [] });
    await record([value("tokens_total", NOON, 1, { run: "late" })]);
    expect(await count("select 1 from series where run_id is not null")).toBe(0);
    await push({ run: { id: "late", instance: "gh-1", startedAt: NOON - HOUR } });
    expect(await count("select 1 from series s join run r on r.id = s.run_id where r.external_id = 'late'")).toBe(1);
  });
});

describe("what is derived", () => {
  /** A counter every 15 s that begins anew now and then, and misses half an hour. */
  const walk = (from: number, n: number) => {
    let total = 100;
    return Array.from({ length: n }, (_, i) => {
      total = i % 97 === 96 ? 3 : total + ((i * 7) % 11);
      return { at: from + i * 15 * SECOND, value: total };
    }).filter(({ at }) => at < from + 50 * MINUTE || at >= from + 80 * MINUTE);
  };

  test("rises in SQL are those of the domain, by samples and by hours, however they came", async () => {
    const from = NOON - 6 * HOUR;
    const points = walk(from, 1_200);
    const asValues = points.map((point) => value("tokens_total", point.at, point.value));
    // Newest first, so that nearly all are late.
    for (const piece of [asValues.slice(600), asValues.slice(0, 300), asValues.slice(300, 600)]) await record(piece);
    await rollUpWorkload(systemCtx("test", new Date(NOON)));
    const whole = counterIncrease(points) ?? 0;
    const [{ id = 0 } = {}] = await rows<{ id: number }>("select id from series");

    const hours = await rows<{ hour: Date; increase: number; n: number }>(
      "select hour, increase, n from series_hour order by hour",
    );
    expect(hours.reduce((sum, hour) => sum + hour.increase, 0)).toBe(whole);
    expect(hours.reduce((sum, hour) => sum + hour.n, 0)).toBe(points.length);
    const fine = await aggregateSeries([id], { from, to: NOON, stepMs: 5 * MINUTE });
    // The half hour that is missing is no rise that could be put into five minutes, but it is one of the whole.
    const isStep = (i: number) => points.slice(0, i + 1).length > 1;
    const byStep = new Map<number, number>();
    for (const [i, point] of points.entries()) {
      const before = points[i - 1];
      if (!before || !isStep(i)) continue;
      const step = Math.floor(point.at / (5 * MINUTE)) * 5 * MINUTE;
      byStep.set(step, (byStep.get(step) ?? 0) + stepOf(before.value, point.value));
    }
    expect(new Map(fine.map((row) => [row.stepAt, row.increase ?? 0]))).toEqual(byStep);
    expect(await rollUpSeries(new Date(from), new Date(NOON))).toBe(1);
    expect(await rows("select hour, increase, n from series_hour order by hour")).toEqual(hours);
  });

  test("a rate after a gap is over the gap, not a leap", async () => {
    await record([
      value("tokens_total", NOON - 60 * MINUTE, 0),
      value("tokens_total", NOON - 59 * MINUTE, 600),
      value("tokens_total", NOON - 19 * MINUTE, 24_600),
      value("tokens_total", NOON - 18 * MINUTE, 25_200),
    ]);
    const [{ id = 0 } = {}] = await rows<{ id: number }>("select id from series");
    const steps = await aggregateSeries([id], { from: NOON - HOUR, to: NOON, stepMs: MINUTE });
    expect(steps.flatMap(({ ratePerSecond }) => ratePerSecond ?? [])).toEqual([10, 10, 10]);
  });

  test("a run tells its latency, throughput, success and tokens", async () => {
    const ctx = by(await person("Ada", "viewer"), NOON);
    const start = NOON - HOUR;
    const { run } = await push({ run: { id: "serve", workload: "inference", instance: "gh-1", startedAt: start } });
    const bounds = ["0.1", "0.25", "0.5", "1", "+Inf"];
    // Per minute 60 requests: 30 within 0.1 s, 54 within 0.25 s, 60 within 0.5 s; one of them fails.
    const upTo = [30, 54, 60, 60, 60];
    const values = Array.from({ length: 61 }, (_, i) => start + i * MINUTE).flatMap((at, i) => [
      ...bounds.map((le, k) =>
        value("vllm:e2e_request_latency_seconds_bucket", at, i * (upTo[k] ?? 0), { le, model_name: "m" }),
      ),
      value("vllm:e2e_request_latency_seconds_sum", at, i * 9, { model_name: "m" }),
      value("vllm:e2e_request_latency_seconds_count", at, i * 60, { model_name: "m" }),
      value("vllm:request_success_total", at, i * 59, { finished_reason: "stop" }),
      value("vllm:request_success_total", at, i, { finished_reason: "error" }),
      value("vllm:generation_tokens_total", at, i * 6_000),
    ]);
    await record(values);
    const answer = await readRun(ctx, { runId: run?.id ?? "" });
    expect(answer.isByInstance).toBe(true);
    expect(answer.metrics.latency).toMatchObject({ p50Ms: 100, p95Ms: 375, meanMs: 150, isAtLeast: false });
    expect(answer.metrics).toMatchObject({ successRatio: 59 / 60, tokens: { count: 360_000, perSecond: 100 } });
    expect(answer.metrics.tasks).toEqual({ count: 3_600, perSecond: 1 });

    const series = await readRunSeries(ctx, { runId: run?.id ?? "" });
    expect(series.charts.map(({ id }) => id)).toEqual(["latency", "throughput", "success", "tokens"]);
    const p95 = series.charts[0]?.lines[0]?.values ?? [];
    expect(p95.filter((one) => one !== null).every((one) => Math.abs(one - 375) < 1)).toBe(true);
    expect(p95.length).toBe(series.at.length);
  });

  test("a run's own values go before its instance's of the same metric", async () => {
    const ctx = by(await person("Ada", "viewer"), NOON);
    await record([value("samples_per_second", NOON - MINUTE, 999), value("queue_depth", NOON - MINUTE, 4)]);
    const { run } = await push({
      run: { id: "own", instance: "gh-1", startedAt: NOON - HOUR },
      metrics: [{ name: "hopperdeck_samples_per_second", value: 42, at: NOON - MINUTE }],
    });
    const { metrics, isByInstance } = await readRun(ctx, { runId: run?.id ?? "" });
    expect(metrics).toMatchObject({ samples: { perSecond: 42 }, queueDepth: { mean: 4 } });
    expect(isByInstance).toBe(true);
  });

  test("a run that nobody knows is told so", async () => {
    const ctx = by(await person("Ada", "viewer"), NOON);
    expect((await refusal(readRun(ctx, { runId: randomUUID() }))).code).toBe("not-found");
  });
});
