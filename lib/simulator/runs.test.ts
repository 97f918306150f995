import { describe, expect, test } from "vitest";
import { historyOfWork, runsOf, workAt } from "./runs";
import { demoScenario } from "./scenario";

const NOW = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;
const MINUTE = 60_000;
const state = demoScenario(1, NOW, 45);
const named = (name: string) => {
  const machine = state.machines.findLast((one) => one.names[0]?.value === name);
  if (!machine) throw new Error(`no ${name}`);
  return machine;
};

describe("the runs of the demo", () => {
  test("every run has its own id, and a machine runs one at a time", () => {
    const ids = new Set<string>();
    for (const machine of state.machines) {
      let end = 0;
      for (const run of runsOf(machine, NOW)) {
        expect(ids.has(run.id), run.id).toBe(false);
        ids.add(run.id);
        expect(run.startedAt).toBeGreaterThanOrEqual(end);
        expect(run.until).toBeGreaterThan(run.startedAt);
        end = run.until;
      }
    }
    expect(ids.size).toBeGreaterThan(25);
  });

  test("what was told an hour ago is told the same now", () => {
    for (const machine of state.machines) {
      const before = runsOf(machine, NOW - 3_600_000);
      const after = runsOf(machine, NOW);
      for (const [i, run] of before.entries())
        expect(after[i]).toMatchObject({ id: run.id, startedAt: run.startedAt, until: run.until });
    }
  });

  test("training and serving go on now, and one run went with its machine", () => {
    const going = state.machines.flatMap((machine) =>
      runsOf(machine, NOW)
        .filter((run) => run.until > NOW)
        .map((run) => run.workload),
    );
    expect(going).toContain("training");
    expect(going).toContain("inference");
    const pretraining = state.machines.filter((one) => one.names[0]?.value === "h100x8-pretrain");
    const last = runsOf(pretraining[0] ?? named("h100x8-pretrain"), NOW).at(-1);
    expect(last).toMatchObject({ endedAt: null });
    expect(last?.until).toBeLessThan(NOW);
  });

  test("one run is past its hours", () => {
    const overdue = state.machines.flatMap((machine) =>
      runsOf(machine, NOW).filter(
        ({ until, startedAt, expectedHours }) =>
          until > NOW && expectedHours !== null && NOW - startedAt > expectedHours * 3_600_000,
      ),
    );
    expect(overdue.map(({ id }) => id)).toContainEqual(expect.stringContaining("h100x8-pretrain"));
  });

  test("counters only rise, but for a restart", () => {
    const machine = named("gh-serve-01");
    const [run] = runsOf(machine, NOW);
    if (!run) throw new Error("no service");
    const restart = machine.restarts[0]?.to ?? 0;
    let before = workAt(machine, run, NOW - 14 * DAY);
    for (let at = NOW - 14 * DAY + 7 * MINUTE; at < NOW; at += 7 * MINUTE) {
      const now = workAt(machine, run, at);
      const isRestarted = at - 7 * MINUTE < restart && restart <= at;
      for (const [i, { name, value }] of now.entries())
        if (name !== "vllm:num_requests_waiting" && !isRestarted)
          expect(value, name).toBeGreaterThanOrEqual(before[i]?.value ?? 0);
      const buckets = now.filter(({ name }) => name.endsWith("_bucket")).map(({ value }) => value);
      expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
      before = now;
    }
  });

  test("slow work counts slower", () => {
    const machine = named("gh-train-02");
    const run = runsOf(machine, NOW).at(-1);
    if (!run) throw new Error("no run");
    const samples = (at: number) =>
      workAt(machine, run, at).find(({ name }) => name.endsWith("samples_total"))?.value ?? 0;
    const slow = samples(NOW) - samples(NOW - 60 * MINUTE);
    const change = NOW - 3 * 3_600_000 - 12 * MINUTE;
    if (run.startedAt > change - 60 * MINUTE) return expect(slow).toBeGreaterThan(0);
    expect(slow).toBeLessThan(0.8 * (samples(change) - samples(change - 60 * MINUTE)));
  });

  test("a silent agent's machine tells nothing", () => {
    const chunks = [...historyOfWork([named("a100-batch-01")], NOW - 20 * MINUTE, NOW, MINUTE)];
    expect(chunks).toEqual([]);
  });
});
