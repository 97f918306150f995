import { createHash, randomBytes } from "node:crypto";
import type { Channel } from "@/lib/db/alerts/channels";
import { addAct, findAlert } from "@/lib/db/alerts/episodes";
import { findLink, insertLinks, useUpLink } from "@/lib/db/alerts/links";
import { now as databaseNow } from "@/lib/db/clock";
import { mutate } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import type { News } from "@/lib/domain/alerts/message";
import type { LinkedAlert } from "@/lib/domain/notify/link";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

const LASTS_MS = 24 * 3_600_000;

const hashOf = (token: string) => new Uint8Array(createHash("sha256").update(token).digest());

/** A link for each alert that somebody can take in hand: it opens a page with one button, which works once, for a day. */
export async function linksFor(news: readonly News[], channel: Pick<Channel, "id">): Promise<Map<string, string>> {
  const takeable = news.filter(({ kind }) => kind !== "resolved" && kind !== "acknowledged");
  if (takeable.length !== 1) return new Map();
  const made = takeable.map(({ alertId }) => ({ alertId, token: randomBytes(32).toString("base64url") }));
  const at = await databaseNow();
  await insertLinks(
    made.map(({ alertId, token }) => ({ alertId, channelId: channel.id, hash: hashOf(token) })),
    at,
    new Date(at.getTime() + LASTS_MS),
  );
  return new Map(made.map(({ alertId, token }) => [alertId, `${env.publicUrl}/a/${token}`]));
}

const GONE = "This link is not known, has run out or was used. Open the alert in Hopperdeck instead.";

/** What a link is about. Looking changes nothing. */
export async function readLink(now: Date, token: string): Promise<LinkedAlert> {
  const link = await findLink(hashOf(token));
  const alert = link && (await findAlert(link.alertId));
  if (!link || !alert) throw new AppError("not-found", GONE);
  return {
    alertId: alert.id,
    ruleName: alert.rule.name,
    targetName: alert.targetName,
    severity: alert.severity,
    firedAt: alert.firedAt?.getTime() ?? null,
    resolvedAt: alert.resolvedAt?.getTime() ?? null,
    acknowledgedBy: alert.acknowledgedAt === null ? null : (alert.acknowledgedBy?.name ?? "Somebody with a link"),
    isUsable: link.usedAt === null && link.expiresAt > now,
  };
}

/** Takes the alert in hand. Activity and the alert's history name the link and the channel that it came by. */
export async function takeByLink(now: Date, token: string): Promise<{ id: string }> {
  const hash = hashOf(token);
  const link = await findLink(hash);
  const alert = link && (await findAlert(link.alertId));
  if (!link || !alert) throw new AppError("not-found", GONE);
  const name = `Link in ${link.channel}`;
  const ctx: Ctx = {
    actor: { kind: "token", id: link.channelId, name, role: "on_call", scopes: ["alert:acknowledge"] },
    now,
  };
  return mutate(ctx, "alert:acknowledge", async (tx) => {
    if (!(await useUpLink(tx, hash, now))) throw new AppError("conflict", GONE);
    const act = { kind: "acknowledged" as const, at: now, actorId: null, actor: name, note: null };
    const change = { acknowledgedAt: now, acknowledgedById: null, acknowledgeNote: null, reraiseAt: null };
    if (!(await addAct(tx, alert.id, act, change, "unacknowledged")))
      throw new AppError(
        "conflict",
        alert.resolvedAt ? "It has resolved meanwhile; there is nothing left to do." : "Somebody has taken it already.",
      );
    return {
      action: "alert.acknowledged",
      subjectKind: "alert",
      subjectId: alert.id,
      subject: `${alert.rule.name}, ${alert.targetName}`,
      result: { id: alert.id },
    };
  });
}
