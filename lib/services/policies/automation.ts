import { mutate } from "@/lib/db/mutate";
import { forgetSetting, readSettingNow, writeSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { AutomationState, ResumeAutomation, StopAutomation } from "@/lib/domain/policies/view";
import { AppError } from "@/lib/errors";

const SUBJECT = { subjectKind: "setting", subjectId: "automation", subject: "Automation" };

/** Whether standing policies may act, for the banner that stands on every page while they may not. */
export async function readAutomation(ctx: Ctx): Promise<AutomationState> {
  authorize(ctx, "fleet:read");
  return readSettingNow("automation");
}

/** The one switch: from now on no policy ends, launches or holds back anything, and what it asked for and is not sent is dropped. */
export async function stopAutomation(ctx: Ctx, { reason }: StopAutomation): Promise<AutomationState> {
  authorize(ctx, "automation:stop");
  return turn(ctx, { stoppedAt: ctx.now.getTime(), by: ctx.actor.name, reason });
}

export async function resumeAutomation(ctx: Ctx, { reason }: ResumeAutomation): Promise<AutomationState> {
  authorize(ctx, "automation:resume");
  return turn(ctx, { stoppedAt: null, by: "", reason });
}

async function turn(ctx: Ctx, state: AutomationState): Promise<AutomationState> {
  const isStop = state.stoppedAt !== null;
  const done = await mutate(ctx, isStop ? "automation:stop" : "automation:resume", async (tx) => {
    const before = await readSettingNow("automation", tx);
    if ((before.stoppedAt !== null) === isStop)
      throw new AppError(
        "conflict",
        isStop
          ? `All automation is stopped already, by ${before.by}.`
          : "Automation runs already; nothing was changed.",
      );
    const after = isStop ? state : { ...state, reason: "" };
    await writeSetting(tx, "automation", after, ctx.now);
    return {
      action: isStop ? ("automation.stopped" as const) : ("automation.resumed" as const),
      ...SUBJECT,
      before: { isStopped: !isStop },
      after: { isStopped: isStop },
      reason: state.reason || null,
      result: after,
    };
  });
  forgetSetting("automation");
  return done;
}
