import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { type Ctx, type Role, systemCtx } from "@/lib/domain/access";
import { NewRun, RunChange } from "@/lib/domain/workload/run";
import { RunsQuestion } from "@/lib/domain/workload/view";
import { AppError } from "@/lib/errors";
import { Story } from "@/lib/services/cost/story.testing";
import { prune } from "@/lib/services/telemetry/prune";
import { by, person } from "@/lib/testing/alerting";
import { rows } from "@/lib/testing/world";
import { readRun, readRuns } from "./read";
import { changeRun, createRun, endRun, removeRun } from "./runs";

const at = (text: string) => Date.parse(`2026-11-20T${text}Z`);
const HOUR = 3_600_000;

let story: Story;
let resourceId: string;
beforeEach(async () => {
  story = await Story.begin("2026-11-20T06:00:00Z");
  await prune(systemCtx("test", new Date(at("06:00:00"))));
  await story.priceList("2026-11-20T06:00:00Z", { gpu_1x_gh200: 149 });
  await story.look("2026-11-20T07:00:00Z");
  await story.look("2026-11-20T07:00:15Z", { id: "gh-1", status: "active" });
  for (let hour = 8; hour <= 12; hour++)
    await story.look(`2026-11-20T${String(hour).padStart(2, "0")}:00:00Z`, { id: "gh-1", status: "active" });
  await story.priceList("2026-11-20T10:00:00Z", { gpu_1x_gh200: 229 });
  await story.meter("2026-11-20T12:00:00Z");
  resourceId = (await prisma.resource.findFirstOrThrow({ where: { externalId: "gh-1" } })).id;
});

const who = async (role: Role, now = "12:00:00"): Promise<Ctx> => by(await person("Ada", role), at(now));
const typed = (more: object = {}) =>
  NewRun.parse({ name: "Atlas", workload: "training", startedAt: at("08:00:00"), instanceId: resourceId, ...more });
const asked = (more: object = {}) => RunsQuestion.parse(more);
const ledger = () =>
  rows<{ micros: string; minutes: number; low: string; high: string }>(
    "select sum(micros)::text as micros, sum(minutes)::int as minutes, sum(low_micros)::text as low, sum(high_micros)::text as high from ledger_row where resource_id = $1",
    [resourceId],
  );
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError) return error;
  throw new Error("it was not refused");
};

describe("what a run cost", () => {
  test("is what the ledger says of its machine, to the micro-dollar and the minute, bounds and all", async () => {
    const ctx = await who("operator");
    const { id } = await createRun(ctx, typed({ startedAt: at("06:00:00") }));
    const { run } = await readRun(ctx, { runId: id });
    const [whole] = await ledger();
    expect(whole?.minutes).toBeGreaterThan(290);
    expect(run.cost).toMatchObject({
      micros: whole?.micros,
      lowMicros: whole?.low,
      highMicros: whole?.high,
      gpuMinutes: whole?.minutes,
      unpricedMinutes: 0,
      // Nobody had looked at the account before seven.
      unknownMinutes: 60,
    });
  });

  test("changes its price where the ledger does", async () => {
    const ctx = await who("operator");
    const { id } = await createRun(ctx, typed({ startedAt: at("09:00:00"), endedAt: at("11:00:00") }));
    const { run } = await readRun(ctx, { runId: id });
    expect(run.cost).toMatchObject({ gpuMinutes: 120, atEndMicros: null, perHourMicros: null });
    // An hour at $1.49 and one at $2.29; the minute that the change falls into is the old one's.
    const off = Number(run.cost?.micros) - 3_780_000;
    expect(Math.abs(off)).toBeLessThanOrEqual(13_334);
  });

  test("of runs one after the other adds up to the machine's", async () => {
    const ctx = await who("operator");
    const cuts = ["06:00:00", "08:17:31", "10:00:07", "12:00:00"].map(at);
    for (const [i, from] of cuts.slice(0, -1).entries())
      await createRun(ctx, typed({ name: `Part ${i}`, startedAt: from, endedAt: cuts[i + 1] }));
    const { rows: parts } = await readRuns(ctx, asked());
    const [whole] = await ledger();
    const sum = parts.reduce((total, part) => total + Number(part.cost?.micros), 0);
    expect(Math.abs(sum - Number(whole?.micros))).toBeLessThanOrEqual(2);
    expect(parts.reduce((total, part) => total + (part.cost?.gpuMinutes ?? 0), 0)).toBe(whole?.minutes);
  });

  test("is estimated to its end while it goes on, and not when it is overdue", async () => {
    const ctx = await who("operator");
    const { id } = await createRun(ctx, typed({ startedAt: at("11:00:00"), expectedHours: 3 }));
    const { run } = await readRun(ctx, { runId: id });
    expect(run).toMatchObject({ state: "running", isOverdue: false, leftMs: 2 * HOUR });
    expect(Number(run.cost?.atEndMicros) - Number(run.cost?.micros)).toBe(2 * 2_290_000);
    const later = await readRun(await who("viewer", "15:00:00"), { runId: id });
    expect(later.run).toMatchObject({ isOverdue: true, overMs: HOUR });
    expect(later.run.cost?.atEndMicros).toBeNull();
  });

  test("stops with its machine, and says so, and nothing is written", async () => {
    const ctx = await who("operator");
    const { id } = await createRun(ctx, typed());
    await story.look("2026-11-20T12:00:15Z", { id: "gh-1", status: "terminating" });
    await story.lookInVain("2026-11-20T12:01:00Z", "2026-11-20T12:01:30Z", "2026-11-20T12:02:00Z");
    await story.meter("2026-11-20T13:00:00Z");
    const { run } = await readRun(await who("viewer", "18:00:00"), { runId: id });
    expect(run.state).toBe("machine_gone");
    expect(run.endedAt).toBeLessThan(at("12:05:00"));
    expect(run.cost?.atEndMicros).toBeNull();
    expect(await prisma.run.findFirst({ select: { endedAt: true } })).toEqual({ endedAt: null });
    expect((await readRuns(ctx, asked({ state: "running" }))).totals.running).toBe(0);
  });
});

describe("writing runs down", () => {
  test("is for operators and admins; everybody reads", async () => {
    const { id } = await createRun(await who("admin"), typed());
    for (const role of ["viewer", "finance", "on_call"] as const) {
      const ctx = await who(role);
      expect((await refusal(createRun(ctx, typed()))).code).toBe("forbidden");
      expect((await refusal(endRun(ctx, { runId: id }))).code).toBe("forbidden");
      expect((await refusal(removeRun(ctx, { runId: id, reason: "wrong" }))).code).toBe("forbidden");
      expect((await readRuns(ctx, asked())).rows).toHaveLength(1);
    }
  });

  test("changing, ending and removing are told, with what was before and why", async () => {
    const ctx = await who("operator");
    const { id, externalId } = await createRun(ctx, typed());
    expect(externalId).toMatch(/^run-[0-9a-f]{8}$/);
    await changeRun(ctx, RunChange.parse({ ...typed({ name: "Atlas 2", expectedHours: 5 }), runId: id }));
    await endRun(ctx, { runId: id });
    expect((await refusal(endRun(ctx, { runId: id }))).code).toBe("conflict");
    await removeRun(ctx, { runId: id, reason: "written down twice" });
    expect((await refusal(readRun(ctx, { runId: id }))).code).toBe("not-found");
    const trail = await rows<{ action: string; reason: string | null; changes: Record<string, unknown> }>(
      "select action, reason, changes from audit_event where subject_id = $1 order by seq",
      [id],
    );
    expect(trail.map(({ action }) => action)).toEqual(["run.started", "run.changed", "run.ended", "run.removed"]);
    expect(trail[1]?.changes).toEqual({
      name: { from: "Atlas", to: "Atlas 2" },
      expectedMs: { from: null, to: 5 * HOUR },
    });
    expect(trail[3]?.reason).toBe("written down twice");
  });

  test.each([
    [{ startedAt: at("13:00:00") }, "startedAt"],
    [{ endedAt: at("07:00:00") }, "endedAt"],
    [{ instanceId: "0199a000-0000-7000-8000-000000000001" }, "instanceId"],
    [{ gpuIds: [999] }, "gpuIds"],
  ])("%o is refused by its field", async (part, field) => {
    const { fields } = await refusal(createRun(await who("operator"), typed(part)));
    expect(Object.keys(fields)).toEqual([field]);
  });
});

test("the list: what goes on first, overdue counted, found by words of name, id or instance", async () => {
  const ctx = await who("operator");
  await createRun(ctx, typed({ name: "Old", startedAt: at("07:30:00"), endedAt: at("08:00:00"), workload: "batch" }));
  await createRun(ctx, typed({ name: "Late", startedAt: at("08:00:00"), expectedHours: 1 }));
  await createRun(ctx, typed({ name: "New", startedAt: at("09:00:00"), endedAt: at("09:30:00") }));
  const names = async (more: object) => (await readRuns(ctx, asked(more))).rows.map(({ name }) => name);
  expect(await names({})).toEqual(["Late", "New", "Old"]);
  expect(await names({ q: "gh-1 new" })).toEqual(["New"]);
  expect(await names({ q: "%" })).toEqual([]);
  expect(await names({ workload: "batch" })).toEqual(["Old"]);
  expect(await names({ state: "overdue" })).toEqual(["Late"]);
  expect(await names({ state: "ended" })).toEqual(["New", "Old"]);
  expect((await readRuns(ctx, asked({ q: "none" }))).totals).toEqual({ runs: 3, running: 1, overdue: 1 });
});
