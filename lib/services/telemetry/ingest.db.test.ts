import { beforeEach, describe, expect, test } from "vitest";
import { setTestClock } from "@/lib/db/clock";
import { listUnassigned } from "@/lib/db/fleet/read";
import { listProcesses } from "@/lib/db/telemetry/read";
import { systemCtx } from "@/lib/domain/access";
import { WIDE_METRICS } from "@/lib/domain/telemetry/catalogue";
import { decodeMissing, type GpuReading } from "@/lib/domain/telemetry/sample";
import { readGpus } from "@/lib/services/fleet/instance";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordListing } from "@/lib/services/fleet/poll";
import { prepareHouse } from "@/lib/services/house";
import { emptyDatabase } from "@/lib/testing/empty";
import { instance, makeToken, reading, report } from "@/lib/testing/senders";
import { count, rows } from "@/lib/testing/world";
import { ingest } from "./ingest";
import { rollUp, seal } from "./roll-up";
import { senderToken } from "./senders";

const NOON = Date.UTC(2026, 10, 21, 12);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const at = (ms: number) => new Date(NOON + ms);

beforeEach(async () => {
  await emptyDatabase();
  await setTestClock(at(0));
  await prepareHouse(systemCtx("test", at(0)));
});

/** Machines are listed: ids by their Lambda ids. */
async function list(ms: number, ...listing: Parameters<typeof instance>[]): Promise<Map<string, string>> {
  const connection = await lambdaConnection(at(ms));
  const machines = listing.map((one) => instance(...one));
  const applied = await recordListing(systemCtx("test", at(ms)), connection, machines, 100);
  return applied?.ids ?? new Map();
}

async function sender() {
  const ids = await list(-HOUR, ["gh-1"]);
  const resourceId = ids.get("gh-1") ?? "";
  const { token, secret } = await makeToken("enrolment", NOON, { resourceId });
  return { token, secret, resourceId };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "taken",
    (error: { code?: string }) => error.code ?? String(error),
  );

describe("each GPU and instant once", () => {
  test("B22: a report again is harmless, a different value for the same instant is refused and counted, the first stays", async () => {
    const { token, resourceId } = await sender();
    const first = report([reading(NOON - 20 * SECOND), reading(NOON - 10 * SECOND)]);
    expect(await ingest(token, first, at(0))).toMatchObject({
      accepted: 2,
      duplicates: 0,
      refused: [],
      isUnassigned: false,
    });
    expect(await ingest(token, first, at(1))).toMatchObject({ accepted: 0, duplicates: 2, refused: [] });
    const other = reading(NOON - 10 * SECOND, { values: { ...reading(0).values, utilizationPct: 99 } });
    const mixed = report([other, reading(NOON)]);
    expect(await ingest(token, mixed, at(2))).toMatchObject({
      accepted: 1,
      duplicates: 0,
      refused: [{ reason: "conflict", count: 1 }],
    });
    expect(await rows("select distinct utilization_pct as pct from gpu_sample")).toEqual([{ pct: 50 }]);
    expect(await count("select 1 from gpu_sample")).toBe(3);
    expect(await rows("select reason, sum(count)::int as n from ingest_refusal group by 1 order by 1")).toEqual([
      { reason: "conflict", n: 1 },
      { reason: "duplicate", n: 2 },
    ]);
    expect((await readGpus(resourceId)).map((gpu) => gpu.at)).toEqual([NOON]);
  });

  test("the newest is shown, in whatever order reports come", async () => {
    const { token, resourceId } = await sender();
    for (const ms of [-10, -30, 0, -20]) {
      const values = { ...reading(0).values, utilizationPct: 50 + ms };
      await ingest(token, report([reading(NOON + ms * SECOND, { values })]), at(0));
    }
    expect(await readGpus(resourceId)).toMatchObject([{ at: NOON, utilizationPct: 50 }]);
  });

  test("twelve copies of one report at once, of a sender never seen before: one sender, one row each", async () => {
    const { token } = await sender();
    const readings = [0, 1, 2, 3].flatMap((gpu) =>
      Array.from({ length: 30 }, (_, i) => reading(NOON - i * 10 * SECOND, { uuid: `GPU-${gpu}`, index: gpu })),
    );
    for (let round = 0; round < 3; round++) {
      const body = report(readings, { host: `host-${round}` });
      const answers = await Promise.all(Array.from({ length: 12 }, () => ingest(token, body, at(0))));
      const accepted = answers.reduce((sum, answer) => sum + answer.accepted, 0);
      expect(accepted).toBe(round === 0 ? readings.length : 0);
      expect(answers.every((answer) => answer.accepted + answer.duplicates === readings.length)).toBe(true);
    }
    expect(await count("select 1 from gpu_sample")).toBe(readings.length);
    expect(await count("select 1 from gpu")).toBe(4);
    expect(await count("select 1 from telemetry_source")).toBe(3);
    expect(await count("select 1 from ingest_refusal where reason <> 'duplicate'")).toBe(0);
  });

  test("a fleet that reports at once: each sender has its own answer, whatever the others sent", async () => {
    const { token } = await makeToken("ingest", NOON);
    const stored = (host: string) => report([reading(NOON, { uuid: `GPU-${host}` })], { host });
    const hosts = Array.from({ length: 40 }, (_, i) => `host-${i}`);
    await Promise.all(["host-3", "host-17"].map((host) => ingest(token, stored(host), at(0))));
    const answers = await Promise.all(
      hosts.map((host, i) => {
        const values = { ...reading(0).values, utilizationPct: 99 };
        const body =
          i === 17
            ? report(
                [reading(NOON, { uuid: `GPU-${host}`, values }), reading(NOON - 10 * SECOND, { uuid: `GPU-${host}` })],
                { host },
              )
            : i === 29
              ? report([reading(NOON - 72 * HOUR, { uuid: `GPU-${host}` })], { host })
              : stored(host);
        return ingest(token, body, at(0)).catch((error: Error) => error.message);
      }),
    );
    for (const [i, answer] of answers.entries()) {
      if (i === 29) expect(answer).toMatch(/^Nothing in this report could be stored \(too_old/);
      else if (i === 3) expect(answer).toMatchObject({ accepted: 0, duplicates: 1, refused: [] });
      else if (i === 17) expect(answer).toMatchObject({ accepted: 1, refused: [{ reason: "conflict", count: 1 }] });
      else expect(answer).toMatchObject({ accepted: 1, duplicates: 0, refused: [] });
    }
    expect(await count("select 1 from gpu_sample")).toBe(40);
    expect(await count("select 1 from source_latest")).toBe(39);
  });

  test("overlapping reports at once, with a roll-up between them: what is acknowledged is stored, and derived", async () => {
    const { token } = await sender();
    const body = (from: number) =>
      report(Array.from({ length: 60 }, (_, i) => reading(NOON - HOUR + (from + i) * 10 * SECOND)));
    const jobs = [0, 30, 60, 90, 120, 150].map((from) => () => ingest(token, body(from), at(0)));
    const answers = await Promise.all([
      ...jobs.map((job) => job()),
      ...[1, 2, 3].map(() => rollUp(systemCtx("roll-up", at(0)))),
    ]);
    const accepted = answers.reduce((sum, answer) => sum + (answer?.accepted ?? 0), 0);
    expect(accepted).toBe(210);
    await rollUp(systemCtx("roll-up", at(0)));
    await seal(systemCtx("seal", new Date(at(0).getTime() + 3 * 3_600_000)));
    expect(await rows("select sum(samples)::int as n from gpu_hour")).toEqual([{ n: 210 }]);
    expect(await count("select 1 from telemetry_mark")).toBe(0);
  });
});

test("a print without a UUID speaks of the card that is known at its place", async () => {
  const { token } = await sender();
  await ingest(token, report([reading(NOON - 20 * SECOND)]), at(0));
  const [known] = await rows<{ uuid: string; bus: string }>("select uuid, attrs ->> 'busId' as bus from gpu");
  const row = `index, pci.bus_id, utilization.gpu [%]\n0, ${known?.bus}, 12 %\n`;
  await ingest(
    token,
    `#agent protocol=1 host=gh-1 interval=10\n#gpu at=${new Date(NOON).toISOString()}\n${row}`,
    at(0),
  );
  expect(await rows("select uuid from gpu")).toEqual([{ uuid: known?.uuid }]);
  expect(await count("select 1 from gpu_sample")).toBe(2);
});

describe("who may write", () => {
  test.each([
    ["no token", async () => null, "unauthenticated"],
    ["a made-up token", async () => "hd_0123456789ab_nothing", "unauthenticated"],
    [
      "the right prefix with another secret",
      async () => `${(await sender()).secret.slice(0, -3)}abc`,
      "unauthenticated",
    ],
    ["a revoked token", async () => (await makeToken("ingest", NOON, { revokedAt: at(-1) })).secret, "unauthenticated"],
    [
      "a token that has run out",
      async () => (await makeToken("ingest", NOON, { expiresAt: at(-1) })).secret,
      "unauthenticated",
    ],
    ["an API token", async () => (await makeToken("api", NOON)).secret, "forbidden"],
    ["an invitation", async () => (await makeToken("invite", NOON)).secret, "forbidden"],
    ["an ingest token", async () => (await makeToken("ingest", NOON)).secret, "taken"],
    ["a machine's own token", async () => (await sender()).secret, "taken"],
  ])("%s", async (_, bearer, expected) => {
    expect(await codeOf(senderToken(await bearer(), at(0)))).toBe(expected);
  });

  test("a machine's own token speaks for that machine alone, whatever name it gives", async () => {
    const { token, resourceId } = await sender();
    await list(-MINUTE, ["gh-1"], ["gh-2", { hostname: "host-gh-2", privateIp: "10.19.60.12" }]);
    await ingest(token, report([reading(NOON)], { host: "host-gh-2", ip: "10.19.60.12" }), at(0));
    expect(await rows("select resource_id as id from telemetry_source")).toEqual([{ id: resourceId }]);
    expect(await rows("select resource_id as id from gpu")).toEqual([{ id: resourceId }]);
  });

  test("when a token was last used is kept, at most once a minute", async () => {
    const { secret } = await makeToken("ingest", NOON);
    for (const ms of [0, 10_000, 50_000, 70_000]) await senderToken(secret, at(ms));
    expect(await rows("select last_used_at as at from token")).toEqual([{ at: at(70_000) }]);
  });
});

describe("whose it is", () => {
  test("an unknown sender waits in the queue, and its samples are the machine's once that is listed", async () => {
    const { token } = await makeToken("ingest", NOON);
    const send = (ms: number) => ingest(token, report([reading(NOON + ms)], { host: "host-late" }), at(ms));
    expect(await send(0)).toMatchObject({ accepted: 1, isUnassigned: true });
    expect(await listUnassigned()).toMatchObject([{ hostname: "host-late", gpus: [{ model: "NVIDIA GH200 480GB" }] }]);
    await rollUp(systemCtx("roll-up", at(0)));
    expect(await count("select 1 from metric_dist")).toBe(0);

    const ids = await list(5 * MINUTE, ["late"]);
    expect(await send(6 * MINUTE)).toMatchObject({ isUnassigned: false });
    expect(await listUnassigned()).toEqual([]);
    expect(await rows("select resource_id as id from gpu")).toEqual([{ id: ids.get("late") }]);
    // What it sent while it was nobody's counts for the fleet too.
    await rollUp(systemCtx("roll-up", at(0)));
    expect(await rows("select distinct at, n from metric_dist order by at")).toEqual([
      { at: at(0), n: 1 },
      { at: at(5 * MINUTE), n: 1 },
    ]);
  });

  test("a name that fits two machines fits none", async () => {
    await list(-HOUR, ["a", { hostname: "same" }], ["b", { hostname: "same" }]);
    const { token } = await makeToken("ingest", NOON);
    expect(await ingest(token, report([reading(NOON)], { host: "same" }), at(0))).toMatchObject({ isUnassigned: true });
  });

  test("an address that is rented again belongs to the machine that has it now", async () => {
    const { token } = await makeToken("ingest", NOON);
    const send = (ms: number) => ingest(token, report([reading(NOON + ms)], { host: "192-0-2-10" }), at(ms));
    const before = await list(-HOUR, ["old", { hostname: "192-0-2-10" }]);
    await send(0);
    await list(MINUTE);
    await list(2 * MINUTE);
    await list(3 * MINUTE);
    const after = await list(4 * MINUTE, ["new", { hostname: "192-0-2-10" }]);
    await send(5 * MINUTE);
    expect(await rows("select external_id as id from resource where gone_at is not null")).toEqual([{ id: "old" }]);
    expect(
      await rows("select g.resource_id as id, s.at from gpu_sample s join gpu g on g.id = s.gpu_id order by s.at"),
    ).toEqual([
      { id: before.get("old"), at: at(0) },
      { id: after.get("new"), at: at(5 * MINUTE) },
    ]);
  });
});

describe("what is no number is missing, with the reason", () => {
  const HEADER =
    "index, uuid, name, memory.total [MiB], utilization.gpu [%], memory.used [MiB], temperature.gpu, power.draw [W]";
  const cells: [string, string][] = [
    ["[N/A]", "not_applicable"],
    ["N/A", "not_applicable"],
    ["[Not Supported]", "not_supported"],
    ["[Unknown Error]", "unknown_error"],
    ["ERR!", "error"],
    ["[Requested functionality has been deprecated]", "deprecated"],
    ["[Function Not Found]", "function_not_found"],
    ["[GPU is lost]", "gpu_lost"],
    ["9223372036854775794", "sentinel"],
    ["2147483632", "sentinel"],
    ["101 %", "out_of_range"],
    ["-1 %", "out_of_range"],
    ["1e3 %", "malformed"],
    ["", "not_reported"],
  ];

  test.each(cells)("%s", async (cell, reason) => {
    const { token, resourceId } = await sender();
    const body = `${HEADER}\n0, GPU-1, NVIDIA GH200 480GB, 97871 MiB, ${cell}, 10 MiB, 60, 400.00 W\n`;
    expect(await ingest(token, body, at(0))).toMatchObject({ accepted: 1 });
    const [row] = await rows<{ pct: number | null; mib: number; missing: string }>(
      "select utilization_pct as pct, memory_used_mib as mib, missing::text from gpu_sample",
    );
    expect(row).toMatchObject({ pct: null, mib: 10 });
    expect(decodeMissing(Number(row?.missing))).toMatchObject({ utilizationPct: reason });
    const [gpu] = await readGpus(resourceId);
    expect(gpu?.utilizationPct).toBeNull();
    expect(gpu?.missing.utilizationPct).toMatch(/^GPU utilisation: /);
  });

  test("a driver's message in place of GPUs is shown as the reason, and nothing is made up", async () => {
    const { token } = await sender();
    const body = `#agent protocol=1 host=gh-1 interval=10 sent_at=2026-11-21T12:00:00Z\n#error at=2026-11-21T12:00:00Z status=9\nNVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n`;
    expect(await ingest(token, body, at(0))).toMatchObject({ accepted: 0 });
    expect(await rows("select last_error as error from telemetry_source")).toEqual([
      { error: expect.stringMatching(/couldn't communicate with the NVIDIA driver/) },
    ]);
    await ingest(token, report([reading(NOON + 10_000)]), at(10_000));
    expect(await rows("select last_error as error from telemetry_source")).toEqual([{ error: null }]);
  });
});

describe("when it was measured", () => {
  const bits = { late: 1, skewed: 2 };
  test.each<[string, number, string | number | null]>([
    ["just now", 0, null],
    ["ten minutes ago", -10 * MINUTE, null],
    ["longer ago: late", -10 * MINUTE - SECOND, bits.late],
    ["two days ago: late", -48 * HOUR, bits.late],
    ["longer ago than two days: refused", -48 * HOUR - SECOND, "too_old"],
    ["a minute ahead", 60 * SECOND, null],
    ["further ahead: refused", 61 * SECOND, "future"],
    ["in 1970: refused", -NOON, "too_old"],
  ])("%s", async (_, ms, expected) => {
    const { token } = await sender();
    const outcome = codeOf(ingest(token, report([reading(NOON + ms)], { sentAt: NOON }), at(0)));
    if (typeof expected === "string") {
      expect(await outcome).toBe("invalid");
      expect(await rows("select reason, count::int from ingest_refusal")).toEqual([{ reason: expected, count: 1 }]);
      expect(await count("select 1 from gpu_sample")).toBe(0);
    } else {
      expect(await outcome).toBe("taken");
      expect(await rows("select quality from gpu_sample")).toEqual([{ quality: expected }]);
    }
  });

  test("a good part of a report is stored when another part is refused", async () => {
    const { token } = await sender();
    const body = report([reading(NOON), reading(NOON - 72 * HOUR), reading(NOON + HOUR)], { sentAt: NOON });
    expect(await ingest(token, body, at(0))).toMatchObject({
      accepted: 1,
      refused: [
        { reason: "too_old", count: 1 },
        { reason: "future", count: 1 },
      ]
        .sort((a, b) => a.reason.localeCompare(b.reason))
        .reverse(),
    });
  });

  test("a sender's clock that is off by minutes is measured, and its samples are marked", async () => {
    const { token } = await sender();
    await ingest(token, report([reading(NOON - 3 * MINUTE)], { sentAt: NOON - 3 * MINUTE }), at(0));
    expect(await rows("select quality from gpu_sample")).toEqual([{ quality: bits.skewed }]);
    expect(await rows("select clock_skew_ms as ms from telemetry_source")).toEqual([{ ms: 3 * MINUTE }]);
  });
});

describe("processes", () => {
  test("one span while they are the same ones, a new one when they change, in whatever order reports come", async () => {
    const { token } = await sender();
    const train = { pid: 7, name: "python", usedMib: 9_000, user: "ubuntu" };
    const send = (ms: number, ...processes: (typeof train)[]) =>
      ingest(
        token,
        report([reading(NOON + ms)], { processes: [{ at: NOON + ms, byUuid: new Map([["GPU-1", processes]]) }] }),
        at(ms),
      );
    await send(0, train);
    await send(MINUTE, { ...train, usedMib: 9_500 });
    await send(2 * MINUTE);
    await send(MINUTE, { ...train, usedMib: 9_500 });
    const spans = await rows<{ seconds: number; n: number }>(
      `select extract(epoch from last_seen_at - valid_from)::int as seconds, jsonb_array_length(processes) as n from gpu_process_span order by valid_from`,
    );
    expect(spans).toEqual([
      { seconds: 60, n: 1 },
      { seconds: 0, n: 0 },
    ]);
    const [gpu] = await rows<{ id: number }>("select id from gpu");
    expect(await listProcesses([gpu?.id ?? 0])).toMatchObject([{ processes: [] }]);
  });
});

test("every stored null of a wide metric has its reason, and only nulls have one", async () => {
  const { token } = await sender();
  const odd: Partial<GpuReading> = {
    values: { ...reading(0).values, powerW: null, memoryTemperatureC: null },
    missing: { powerW: "error", memoryTemperatureC: "not_applicable" },
  };
  await ingest(token, report([reading(NOON, odd), reading(NOON - 10_000)]), at(0));
  const stored = await rows<{ missing: string | null; values: (number | null)[] }>(
    `select missing::text, array[${WIDE_METRICS.map((metric) => metric.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)).join(", ")}]::float8[] as values from gpu_sample`,
  );
  expect(stored).toHaveLength(2);
  for (const { missing, values } of stored) {
    const reasons = decodeMissing(missing === null ? null : Number(missing));
    for (const [i, metric] of WIDE_METRICS.entries())
      expect(reasons[metric] === undefined, metric).toBe(values[i] !== null);
  }
});
