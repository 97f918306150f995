import { notebook } from "./scenario-notebooks";
import { DAY, HOUR, idleWeekend, MINUTE, type PlannedMachine, planned, span, tagged } from "./scenario-plan";
import type { WorkloadSpan } from "./workloads";

/** The fleet of the demo: who rented what in the `days` before `now`. */
export function demoFleet(seed: number, now: number, days: number): PlannedMachine[] {
  return [
    ...gh200s(now, days),
    ...pretraining(now, days),
    ...singles(now),
    ...notebook("a10-dev-anna", "platform", "anna", seed + 1, now, days),
    ...notebook("a10-dev-omar", "data", "omar", seed + 2, now, days),
  ];
}

/** The heart: two that train, one that serves; and one that never came up. */
function gh200s(now: number, days: number): PlannedMachine[] {
  const here = { typeName: "gpu_1x_gh200", regionName: "us-east-3" };
  const saturday = idleWeekend(now);
  const hot = saturday - 2 * DAY - 9 * HOUR;
  const capped = now - 2 * DAY - 7 * HOUR;
  return [
    planned({
      ...here,
      key: "gh-train-01",
      from: now - days * DAY + 2 * HOUR,
      tags: tagged("research", "atlas", "mira", "production", "training"),
      fileSystems: ["datasets"],
      workloads: (activeAt) =>
        inOrder([
          span(activeAt + 4 * MINUTE, "training", { targetPct: 97, memoryPct: 78 }),
          span(hot, "thermal", { memoryPct: 78, temperatureC: 86 }),
          span(hot + 35 * MINUTE, "training", { targetPct: 97, memoryPct: 78 }),
          // A run ended on Friday evening and nobody was there to start the next.
          span(saturday - 6 * HOUR, "idle-held", { memoryPct: 71 }),
          span(saturday + 2 * DAY + 8 * HOUR, "training", { targetPct: 96, memoryPct: 80, epochMinutes: 61 }),
          span(capped, "power-capped", { memoryPct: 80 }),
          span(capped + 50 * MINUTE, "training", { targetPct: 96, memoryPct: 80, epochMinutes: 61 }),
        ]),
    }),
    planned({
      ...here,
      key: "gh-train-02/first",
      name: "gh-train-02",
      from: now - 31 * DAY,
      to: now - 31 * DAY + 11 * MINUTE,
      tags: tagged("research", "borealis", "jonas", "production", "training"),
      isUnhealthy: true,
    }),
    planned({
      ...here,
      key: "gh-train-02",
      from: now - 31 * DAY + 14 * MINUTE,
      tags: tagged("research", "borealis", "jonas", "production", "training"),
      fileSystems: ["datasets"],
      agent: "shell",
      workloads: (activeAt) => [
        span(activeAt + 5 * MINUTE, "training", { targetPct: 93, memoryPct: 72, epochMinutes: 38 }),
        // The data loader cannot keep up.
        span(now - 3 * HOUR - 12 * MINUTE, "training", { targetPct: 67, memoryPct: 72, epochMinutes: 90 }),
      ],
    }),
    planned({
      ...here,
      key: "gh-serve-01",
      from: now - Math.max(days + 6, 51) * DAY,
      tags: tagged("serving", "chat-api", "priya", "production", "inference"),
      restartedAt: [now - 12 * DAY - 9 * HOUR],
      workloads: (activeAt) => [
        span(activeAt + 3 * MINUTE, "inference", { memoryPct: 91, floorPct: 14, peakPct: 86 }),
        span(now - 12 * DAY - 9 * HOUR, "idle-empty"),
        span(now - 12 * DAY - 9 * HOUR + 4 * MINUTE, "inference", { memoryPct: 91, floorPct: 14, peakPct: 86 }),
      ],
    }),
  ];
}

/** Eight H100 for a day now and then; one GPU of the run that goes on is slower than the others. */
function pretraining(now: number, days: number): PlannedMachine[] {
  const runs: [start: number, hours: number | null][] = [[now - 19 * HOUR, null]];
  for (let back = 14; back <= days; back += 19) runs.unshift([now - back * DAY, back === 14 ? 26 : 30]);
  return runs.map(([from, hours], i) =>
    planned({
      key: `h100x8-pretrain/${runs.length - i}`,
      name: "h100x8-pretrain",
      typeName: "gpu_8x_h100_sxm5",
      regionName: "us-south-2",
      from,
      to: hours === null ? null : from + hours * HOUR,
      tags: tagged("research", "atlas-xl", "mira", "production", "training"),
      workloads: (activeAt) => [
        span(activeAt + 9 * MINUTE, "training", {
          targetPct: 98,
          memoryPct: 84,
          epochMinutes: 140,
          // The one that goes on should have been over by now.
          plannedHours: hours === null ? 18 : hours - 2,
        }),
        { ...span(now - 5 * HOUR, "training", { targetPct: 74, memoryPct: 84, epochMinutes: 140 }), gpu: 5 },
      ],
    }),
  );
}

function singles(now: number): PlannedMachine[] {
  const climbing = now - 132 * MINUTE;
  return [
    planned({
      key: "a100-eval-02",
      typeName: "gpu_1x_a100_sxm4",
      regionName: "us-east-1",
      from: now - 28 * DAY - 5 * HOUR,
      to: now - 24 * DAY - 2 * HOUR,
      tags: tagged("serving", "chat-api", "priya", "staging", "inference"),
      workloads: (activeAt) => [span(activeAt + 3 * MINUTE, "inference", { memoryPct: 83, peakPct: 55 })],
    }),
    planned({
      key: "a100-batch-01",
      typeName: "gpu_1x_a100_sxm4",
      regionName: "us-east-1",
      from: now - 40 * DAY - 4 * HOUR,
      tags: tagged("data", "embeddings", "chen", "production", "batch"),
      agentModes: [{ from: now - 25 * MINUTE, value: "stopped" }],
      workloads: (activeAt) => [span(activeAt + 4 * MINUTE, "batch", { jobMinutes: 44, pauseMinutes: 7 })],
    }),
    planned({
      key: "h100-finetune-01",
      typeName: "gpu_1x_h100_pcie",
      regionName: "us-west-3",
      from: now - 20 * DAY - 3 * HOUR,
      tags: tagged("finetune", "lora-med", "sofia", "production", "training"),
      workloads: (activeAt) => [
        span(activeAt + 4 * MINUTE, "batch", { jobMinutes: 190, pauseMinutes: 8, memoryPct: 69, targetPct: 95 }),
        span(climbing, "memory-climb", { fromPct: 61, memoryPct: 95, overMinutes: 170, targetPct: 93 }),
      ],
    }),
    planned({
      key: "console/past",
      name: "test",
      typeName: "gpu_1x_a100_sxm4",
      regionName: "us-west-2",
      from: now - 22 * DAY - 2 * HOUR,
      to: now - 22 * DAY + 3 * HOUR,
      via: "console",
      agent: null,
    }),
    // Started in the provider's console: no tags, no agent, and it bills.
    planned({
      key: "console/now",
      name: "tmp benchmark",
      typeName: "gpu_1x_a10",
      regionName: "us-west-1",
      from: now - 9 * HOUR - 20 * MINUTE,
      via: "console",
      agent: null,
    }),
    planned({
      key: "a100-sweep-07",
      typeName: "gpu_1x_a100_sxm4",
      regionName: "us-west-2",
      from: now - 6 * HOUR - 10 * MINUTE,
      to: now - 35 * MINUTE,
      tags: tagged("data", "ranker", "chen", "development", "batch"),
      workloads: (activeAt) => [
        span(activeAt + 3 * MINUTE, "batch", { jobMinutes: 58, pauseMinutes: 4, memoryPct: 54 }),
        span(now - 115 * MINUTE, "idle-empty"),
      ],
    }),
  ];
}

/** Spans by time, without those before the first. */
function inOrder(spans: WorkloadSpan[]): WorkloadSpan[] {
  const first = spans[0]?.from ?? 0;
  return spans.filter(({ from }) => from >= first).sort((a, b) => a.from - b.from);
}
