import { expect, test } from "vitest";
import { formatDuration } from "@/lib/domain/format-time";
import { policyOf } from "./policies.testing";
import type { Policy } from "./policy";
import { policyWords } from "./words";

const template = "0190b8a2-0000-7000-8000-00000000000a";
const budget = "0190b8a2-0000-7000-8000-00000000000b";
const named = new Map([
  [template, "Training"],
  [budget, "The fleet"],
]);
const dev = { workload: ["dev" as const], team: [], type: [], instance: [] };

test.each<[string, Policy]>([
  ["Ends all instances whose lease is over, unless they work.", policyOf("lease", {})],
  [
    "Ends dev instances after working hours (Mon–Fri 08:00–19:00 Europe/Berlin, one holiday), unless they work. Launches as many again in the morning, from Training.",
    policyOf("schedule", { holidays: "2026-12-25", templateId: template }, { zone: "Europe/Berlin", selector: dev }),
  ],
  [
    "Ends all instances after working hours (Mon, Wed 08:00–19:00 UTC), busy ones too.",
    policyOf("schedule", { days: [3, 1], endBusy: true }),
  ],
  [
    `Ends instances of research or data that have been empty for ${formatDuration(7_200_000)}.`,
    policyOf("idle_termination", {}, { selector: { ...dev, workload: [], team: ["research", "data"] } }),
  ],
  ["Stops new launches when The fleet is 100 % spent.", policyOf("budget_guard", { budgetId: budget, pct: 100 })],
  [
    "Ends all instances that are not protected, idle ones first, when The fleet is 120 % at the rate of now.",
    policyOf("budget_guard", { budgetId: budget, pct: 120, on: "burn", act: "terminate" }),
  ],
  [
    "Launches 2 × gpu_1x_gh200 in us-east-3 at up to $2.50 an hour, when there is capacity.",
    policyOf("capacity_watch", {
      typeNames: "gpu_1x_gh200",
      regions: "us-east-3",
      maxUsdPerHour: "2.50",
      count: 2,
      until: 1,
      act: "launch",
      templateId: template,
    }),
  ],
])("%s", (words, policy) => expect(policyWords(policy, named)).toBe(words));
