import type { Ctx } from "@/lib/domain/access";
import { LaunchTemplate, type LaunchTemplatesAnswer } from "@/lib/domain/intents/templates";
import { savedNoun } from "@/lib/services/saved/saved";

export const launchTemplates = savedNoun({
  kind: "launch_template",
  called: "launch template",
  body: LaunchTemplate,
  write: "intent:launch",
});

/** One's own templates and those that are shared, by name. */
export async function readLaunchTemplates(ctx: Ctx): Promise<LaunchTemplatesAnswer> {
  return { now: ctx.now.getTime(), rows: await launchTemplates.list(ctx) };
}
