import { mutate } from "@/lib/db/mutate";
import { findLease, setLease } from "@/lib/db/policies/acts";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx, can } from "@/lib/domain/access";
import { formatDuration } from "@/lib/domain/format-time";
import type { ExtendLease } from "@/lib/domain/policies/view";
import { AppError } from "@/lib/errors";

const DAY_MS = 24 * 3_600_000;
/** So far ahead a lease may be set by whoever may extend one; further takes who may write policies. */
export const LEASE_MOST_MS = 14 * DAY_MS;
const LEASE_LONGEST_MS = 366 * DAY_MS;
const SLACK_MS = 5 * 60_000;

/** Says when a machine may end: later, sooner, or never by itself. Protection and what is asked for already stay as they are. */
export async function extendLease(ctx: Ctx, { instanceId, until, reason }: ExtendLease): Promise<{ id: string }> {
  authorize(ctx, "lease:extend");
  const now = ctx.now.getTime();
  if (until !== null && until <= now)
    throw new AppError("invalid", "That has passed already. To end it now, terminate it.", {
      until: "lies in the past",
    });
  const mayLong = can(ctx.actor, "policy:write");
  const { maxLeaseMs } = await readSetting("guardrails");
  const most = Math.min(mayLong ? LEASE_LONGEST_MS : LEASE_MOST_MS, maxLeaseMs ?? LEASE_LONGEST_MS);
  if (until === null && maxLeaseMs !== null)
    throw new AppError("invalid", "The guardrails want a lease of every instance. Nothing was changed.", {
      until: "cannot be left open",
    });
  if (until === null && !mayLong)
    throw new AppError("forbidden", "Only an operator or an admin lifts a lease. You may extend it.", {
      until: "cannot be left open",
    });
  // Who reads and presses takes a moment.
  if (until !== null && until - now > most + SLACK_MS)
    throw new AppError(
      most === LEASE_MOST_MS && !mayLong ? "forbidden" : "invalid",
      `It may lie at most ${formatDuration(most)} ahead${maxLeaseMs === most ? ", by the guardrails" : mayLong ? "" : "; an operator may go further"}. Nothing was changed.`,
      { until: `at most ${formatDuration(most)} ahead` },
    );
  return mutate(ctx, "lease:extend", async (tx) => {
    const lease = await findLease(tx, instanceId);
    if (!lease) throw new AppError("not-found", "There is no such instance.");
    if (lease.isGone) throw new AppError("conflict", `${lease.name} is gone already; nothing was changed.`);
    await setLease(tx, instanceId, until === null ? null : new Date(until));
    return {
      action: until === null ? ("lease.lifted" as const) : ("lease.extended" as const),
      subjectKind: "instance",
      subjectId: instanceId,
      subject: lease.name,
      before: { leaseUntil: lease.leaseUntil },
      after: { leaseUntil: until === null ? null : new Date(until) },
      reason: reason || null,
      result: { id: instanceId },
    };
  });
}
