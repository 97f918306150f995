import { beforeAll, describe, expect, test } from "vitest";
import { setTestClock } from "@/lib/db/clock";
import { listProfiles, replaceProfiles } from "@/lib/db/plan/profile";
import { addDays, type HourUse, noUse, PROFILE_BYTES } from "@/lib/domain/plan/profile";
import { SavingsQuestion } from "@/lib/domain/plan/savings-view";
import { SizingQuestion } from "@/lib/domain/plan/sizing";
import { Story, TYPE } from "@/lib/services/cost/story.testing";
import { measureDay } from "@/lib/services/cost/usage";
import { as } from "@/lib/testing/people";
import { rows } from "@/lib/testing/world";
import { readSavings } from "./savings";
import { readSizing } from "./sizing";
import { exportSavings } from "./sizing-files";
import { readWorkloads } from "./workloads";

const NOW = "2026-11-03T00:00:00Z";
const ids = new Map<string, string>();
const idOf = (name: string) => ids.get(name) ?? "";

/** Two GH200 from Sunday 1 November on; one is for development, and nothing was heard of either until a profile says so. */
beforeAll(async () => {
  const story = await Story.begin("2026-11-01T00:00:00Z");
  await setTestClock(new Date(NOW));
  await story.priceList("2026-11-01T00:00:00Z", { [TYPE]: 229 });
  const both = ["dev-box", "trainer"].map((id) => ({ id, status: "active" }));
  await story.look("2026-11-01T00:00:00Z");
  await story.look("2026-11-01T00:00:15Z", ...both);
  await story.look(NOW, ...both);
  await story.meter(NOW);
  for (const day of ["2026-11-01", "2026-11-02"]) await measureDay(day, "UTC", Date.parse(NOW));
  const found = await rows<{ id: string; name: string }>(
    "select r.id, s.name from resource r join resource_span s on s.resource_id = r.id and s.valid_to is null where r.kind = 'instance'",
  );
  for (const { id, name } of found) ids.set(name, id);
  await rows("update resource_label set workload = 'dev' where resource_id = $1", [idOf("dev-box")]);
});

const asked = (over: object = {}) => SavingsQuestion.parse({ from: "2026-11-01", to: "2026-11-02", ...over });

describe("savings of two days", () => {
  test("a machine that says nothing is paid for, and never idle", async () => {
    const profiles = await listProfiles("2026-11-01", "2026-11-02");
    expect(profiles).toHaveLength(2);
    for (const { days } of profiles) {
      expect(days).toHaveLength(2 * (1 + PROFILE_BYTES));
      expect([days[0], days[1 + PROFILE_BYTES]].sort()).toEqual([0, 1]);
      const all = noUse();
      const first = noUse();
      addDays(days, [Array.from({ length: 25 }, () => true), []], all, first);
      expect(first.billed).toBeGreaterThanOrEqual(1_439);
      expect(first.billed).toBeLessThanOrEqual(1_440);
      expect(all).toMatchObject({ heard: 0, busy: 0, stopEmpty: 0, stopHeld: 0 });
      expect(all.billed).toBeGreaterThanOrEqual(2_879);
    }
    const answer = await readSavings(await as("viewer", new Date(NOW)), asked());
    expect(answer.measures.find(({ measure }) => measure === "idle")).toMatchObject({ machines: 0, evidence: 0 });
  });

  test("the schedule turns Sunday and Monday's night off, for development alone, at what the ledger says", async () => {
    const answer = await readSavings(await as("viewer", new Date(NOW)), asked({ set: "schedule" }));
    expect(answer.offHoursOfWeek).toBe(108);
    expect(answer.machines.map(({ name }) => name)).toEqual(["dev-box"]);
    const [machine] = answer.machines;
    const ledger = await rows<{ micros: string }>(
      "select sum(micros)::text as micros from ledger_row where resource_id = $1 and charge = 'usage'",
      [idOf("dev-box")],
    );
    expect(machine?.micros).toBe(ledger[0]?.micros);
    // 36 of 48 hours.
    expect(Number(machine?.inSet.schedule) / Number(machine?.micros)).toBeCloseTo(0.75, 3);
    expect(answer.total.periodMicros).toBe(machine?.inSet.schedule);
    expect(answer.measures.find(({ measure }) => measure === "schedule")?.past).toMatch(/36.h not known$/);
    expect(answer.unmeasuredMicros).toBe("0");
  });

  test("idle hours at night are counted once, and the file says what the page says", async () => {
    const hour = (use: Partial<HourUse>): HourUse => ({
      billed: 60,
      heard: 60,
      busy: 0,
      stopEmpty: 0,
      stopHeld: 0,
      ...use,
    });
    const hours = Array.from({ length: 24 }, (_, at) => (at < 8 ? hour({ stopEmpty: 60 }) : hour({ busy: 60 })));
    await replaceProfiles("2026-11-02", [
      { resourceId: idOf("dev-box"), hours, peakMib: 20_000, stops: 1, resumes: 1 },
    ]);
    const viewer = await as("viewer", new Date(NOW));
    const both = await readSavings(viewer, asked({ set: "idle,schedule" }));
    const schedule = await readSavings(viewer, asked({ set: "schedule" }));
    expect(both.total.periodMicros).toBe(schedule.total.periodMicros);
    const idle = both.measures.find(({ measure }) => measure === "idle");
    expect(BigInt(both.total.overlapMicros)).toBe(BigInt(idle?.aloneMicros ?? "0"));
    expect(BigInt(idle?.aloneMicros ?? "0")).toBeGreaterThan(0n);
    const file = await exportSavings(await as("finance", new Date(NOW)), asked({ set: "idle,schedule" }));
    for await (const part of file.rows) expect(part).toHaveLength(both.machines.length);
  });

  test("a period that ends before it begins is refused, one of the future is cut at now", async () => {
    const viewer = await as("viewer", new Date(NOW));
    await expect(readSavings(viewer, asked({ from: "2026-11-02", to: "2026-11-01" }))).rejects.toMatchObject({
      code: "invalid",
    });
    expect((await readSavings(viewer, asked({ to: "2027-01-01" }))).to).toBe(Date.parse(NOW));
  });
});

test("sizing and kinds of work read the price book with Lambda's own list on top", async () => {
  const viewer = await as("viewer", new Date(NOW));
  const sizing = await readSizing(viewer, SizingQuestion.parse({ params: 13, gpu: "gh200" }));
  expect(sizing.offers[0]).toMatchObject({ provider: "vultr" });
  expect(sizing.offers.find(({ provider }) => provider === "lambda")).toMatchObject({
    hourMicros: "2290000",
    typeName: TYPE,
  });
  const { lambda, types } = await readWorkloads(viewer);
  expect(types).toHaveLength(6);
  expect(lambda.find(({ typeName }) => typeName === TYPE)).toMatchObject({
    micros: "2290000",
    before: { micros: "1490000", changePct: "+53.7" },
  });
});
