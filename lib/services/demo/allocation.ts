import type { Ctx } from "@/lib/domain/access";
import { NOBODY } from "@/lib/domain/cost/allocation";
import { RuleDraft } from "@/lib/domain/cost/allocation-view";
import { createRule } from "@/lib/services/cost/allocation-change";

const CENTRES = [
  ["research", "CC-4100"],
  ["finetune", "CC-4200"],
  ["serving", "CC-5100"],
] as const;

/** What finance would have ruled: cost centres of teams, and a file system that everybody uses. Two things stay nobody's. */
export async function setAllocation(ctx: Ctx, from: number): Promise<void> {
  const month = new Date(from).toISOString().slice(0, 7);
  for (const [team, costCenter] of CENTRES) {
    const shares = [{ words: { ...NOBODY, costCenter }, ppm: 1_000_000 }];
    const selector = { tags: [{ key: "team", value: team }] };
    await createRule(
      ctx,
      RuleDraft.parse({ name: `Cost centre of ${team}`, selector, method: "whole", shares, from, month }),
    );
  }
  const datasets = { name: "Shared datasets", selector: { name: "datasets" }, method: "gpu_minutes", shares: [] };
  await createRule(ctx, RuleDraft.parse({ ...datasets, from, month }));
}
