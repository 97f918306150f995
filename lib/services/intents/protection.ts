import { findProtection, setProtection } from "@/lib/db/fleet/evidence";
import { mutate } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import type { ChangeProtection } from "@/lib/domain/intents/protection";
import { AppError } from "@/lib/errors";

/** From now on no automation ends this machine, and people are asked twice. */
export function protectInstance(ctx: Ctx, input: ChangeProtection): Promise<{ id: string }> {
  return change(ctx, input, true);
}

/** Automation may end it again, where a policy says so. */
export function unprotectInstance(ctx: Ctx, input: ChangeProtection): Promise<{ id: string }> {
  return change(ctx, input, false);
}

function change(ctx: Ctx, { instanceId, reason }: ChangeProtection, isOn: boolean): Promise<{ id: string }> {
  return mutate(ctx, isOn ? "protection:set" : "protection:lift", async (tx) => {
    const before = await findProtection(tx, instanceId);
    if (!before) throw new AppError("not-found", "There is no such instance. Nothing was changed.");
    if (!(await setProtection(tx, instanceId, isOn ? reason : null)))
      throw new AppError("conflict", `It is ${isOn ? "protected already" : "not protected"}. Nothing was changed.`);
    return {
      action: isOn ? ("instance.protected" as const) : ("instance.unprotected" as const),
      subjectKind: "instance",
      subjectId: instanceId,
      subject: before.name,
      before: { isProtected: before.isProtected, protectReason: before.protectReason },
      after: { isProtected: isOn, protectReason: isOn ? reason : "" },
      reason,
      result: { id: instanceId },
    };
  });
}
