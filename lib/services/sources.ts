import { mutate } from "@/lib/db/mutate";
import { adoptSource, findPresentInstance, listSources, lockSource, setDismissed } from "@/lib/db/telemetry/sources";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { SenderAssignment, SenderDismissal, SourcesAnswer } from "@/lib/domain/sources";
import { AppError } from "@/lib/errors";
import { readFleet } from "./fleet/read";

const DAY_MS = 24 * 3_600_000;
/** As far back as samples are still taken; what was derived of older ones stays without this machine. */
const DERIVED_ANEW_MS = 2 * DAY_MS;

/** Who sends telemetry: the agents of the fleet, and senders that belong to nobody yet. */
export async function readSources(ctx: Ctx): Promise<SourcesAnswer> {
  authorize(ctx, "fleet:read");
  const [sources, fleet] = await Promise.all([listSources(new Date(ctx.now.getTime() - DAY_MS)), readFleet(ctx)]);
  const present = fleet.rows.filter((row) => !row.isGone);
  return {
    now: ctx.now.getTime(),
    senders: sources
      .filter((source) => source.resourceId === null)
      .map((source) => ({
        id: source.id,
        hostname: source.hostname,
        ip: source.host.ip ?? null,
        machine: source.host.machine ?? null,
        tokenName: source.tokenName,
        agentVersion: source.agentVersion,
        firstSeenAt: source.firstSeenAt.getTime(),
        lastReceivedAt: source.lastReceivedAt.getTime(),
        gpus: source.models,
        error: source.lastError,
        isDismissed: source.dismissedAt !== null,
      })),
    agents: present.map(({ id, name, telemetry }) => {
      const own = sources.filter((source) => source.resourceId === id);
      const newest = own[0];
      return {
        instanceId: id,
        name,
        state: telemetry.state,
        at: telemetry.at,
        agentVersion: newest?.agentVersion ?? null,
        clockSkewMs: newest?.clockSkewMs ?? null,
        error: telemetry.error,
        refused24h: own.reduce((sum, source) => sum + source.refused, 0),
      };
    }),
    instances: present.map(({ id, name, typeName, ip }) => ({ id, name, typeName, ip })),
  };
}

/** Says to which instance a sender belongs. What it sent in the last two days counts for the fleet from then on. */
export async function assignSender(ctx: Ctx, { sourceId, instanceId }: SenderAssignment): Promise<{ id: string }> {
  return mutate(ctx, "token:ingest", async (tx) => {
    const source = await lockSource(tx, sourceId);
    if (!source) throw new AppError("not-found", "There is no such sender.");
    if (source.resourceId !== null)
      throw new AppError("conflict", "This sender belongs to an instance already; nothing was changed.");
    const instance = await findPresentInstance(tx, instanceId);
    if (!instance)
      throw new AppError("not-found", "This instance is gone. Choose one that is there; nothing was changed.", {
        instanceId: "is gone",
      });
    await adoptSource(tx, sourceId, instanceId, new Date(ctx.now.getTime() - DERIVED_ANEW_MS));
    return {
      action: "sender.assigned",
      subjectKind: "instance",
      subjectId: instanceId,
      subject: instance.name,
      before: { sender: null },
      after: { sender: source.hostname },
      result: { id: sourceId },
    };
  });
}

/** Takes a sender off the queue, or puts it back. Its samples are kept either way. */
export async function dismissSender(ctx: Ctx, { sourceId, isDismissed }: SenderDismissal): Promise<{ id: string }> {
  return mutate(ctx, "token:ingest", async (tx) => {
    const source = await lockSource(tx, sourceId);
    if (!source) throw new AppError("not-found", "There is no such sender.");
    if (source.resourceId !== null)
      throw new AppError("conflict", "This sender was assigned to an instance meanwhile; nothing was changed.");
    await setDismissed(tx, sourceId, isDismissed ? (source.dismissedAt ?? ctx.now) : null);
    return {
      action: isDismissed ? "sender.dismissed" : "sender.restored",
      subjectKind: "sender",
      subjectId: sourceId,
      subject: source.hostname,
      before: { isDismissed: source.dismissedAt !== null },
      after: { isDismissed },
      result: { id: sourceId },
    };
  });
}
