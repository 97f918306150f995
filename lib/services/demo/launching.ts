import type { Ctx } from "@/lib/domain/access";
import { NO_GUARDRAILS } from "@/lib/domain/intents/guardrails";
import { LaunchTemplate } from "@/lib/domain/intents/templates";
import { changeGuardrails } from "@/lib/services/guardrails";
import { launchTemplates } from "@/lib/services/intents/templates";

const HOUR_MS = 3_600_000;

const START = "#!/bin/bash\nset -eu\nsudo -u ubuntu python3 -m venv /home/ubuntu/venv\n";

/** What the demo's house allows, and the launches that it keeps by name. */
export async function setLaunching(ctx: Ctx): Promise<void> {
  await changeGuardrails(ctx, {
    ...NO_GUARDRAILS,
    maxFleetMicrosPerHour: "250000000",
    leaseMs: 72 * HOUR_MS,
    minDriver: "550.54",
    approval: { ...NO_GUARDRAILS.approval, launchAboveMicrosPerHour: "60000000" },
  });
  for (const [name, body] of TEMPLATES)
    await launchTemplates.create(ctx, { name, isShared: true, body: LaunchTemplate.parse(body) });
}

const TEMPLATES: readonly (readonly [string, Partial<LaunchTemplate>])[] = [
  [
    "Training on GH200",
    {
      typeName: "gpu_1x_gh200",
      region: "us-east-3",
      name: "gh-train-{nn}",
      team: "research",
      purpose: "pretraining",
      workload: "training",
      leaseMs: 72 * HOUR_MS,
      userData: START,
    },
  ],
  [
    "Evaluation over night",
    {
      typeName: "gpu_1x_gh200",
      region: "us-east-3",
      name: "gh-eval-{n}",
      count: 2,
      team: "research",
      purpose: "evaluation",
      workload: "batch",
      leaseMs: 12 * HOUR_MS,
    },
  ],
];
