import { changeLabels } from "@/lib/db/fleet/labels";
import { mutate } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import type { LabelChange } from "@/lib/domain/fleet/labels";
import { AppError } from "@/lib/errors";

/** Whose an instance is, from now on. What it cost before stays with whom it was. */
export async function changeInstanceLabels(ctx: Ctx, { instanceId, ...labels }: LabelChange): Promise<{ id: string }> {
  return mutate(ctx, "label:write", async (tx) => {
    const by = ctx.actor.kind === "user" ? ctx.actor.id : null;
    const change = await changeLabels(tx, instanceId, labels, by, ctx.now);
    if (!change) throw new AppError("not-found", "There is no such instance; nothing was changed.");
    return {
      action: "labels.changed" as const,
      subjectKind: "instance",
      subjectId: instanceId,
      subject: change.name,
      before: change.before,
      after: labels,
      result: { id: instanceId },
    };
  });
}
