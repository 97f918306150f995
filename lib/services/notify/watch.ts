import { type Channel, listChannels } from "@/lib/db/alerts/channels";
import { addAct, findAlert } from "@/lib/db/alerts/episodes";
import { dropOldLinks } from "@/lib/db/alerts/links";
import { listTold, listUntoldEnds, type ToldAlert } from "@/lib/db/alerts/outbox";
import { listRoutes } from "@/lib/db/alerts/routes";
import { type FiredEpisode, listFiring } from "@/lib/db/alerts/silences";
import { transact } from "@/lib/db/client";
import type { Ctx } from "@/lib/domain/access";
import type { NewsKind } from "@/lib/domain/alerts/notify";
import { burnedMicros } from "@/lib/domain/cost/burn";
import { repetition, stepsDue } from "@/lib/domain/notify/routes";
import { labelsOf } from "@/lib/domain/silences/silence";
import { newsOfRow, queue, type Way, waysBy } from "@/lib/services/alerts/news";

const DAY_MS = 24 * 3_600_000;

/**
 * Once a minute: repeats what fires and nobody has taken, passes on what nobody takes, and repairs what should have been told
 * and was not (B44). What it counts as repaired points to a fault.
 */
export async function watchNotifications(ctx: Ctx): Promise<void> {
  const repaired = await watchAll(ctx);
  if (repaired > 0)
    process.stderr.write(`${JSON.stringify({ level: "warn", job: "watch-notifications", repaired })}\n`);
}

async function watchAll(ctx: Ctx): Promise<number> {
  const now = ctx.now.getTime();
  const [channels, routes, firing] = await Promise.all([listChannels(), listRoutes(), listFiring()]);
  const told = new Map<string, ToldAlert>();
  for (const one of await listTold(firing.map(({ alertId }) => alertId)))
    told.set(`${one.alertId}/${one.channelId}`, one);
  let repaired = 0;
  for (const episode of firing) {
    for (const way of waysBy(routes, channels, labelsOf(episode))) {
      const known = told.get(`${episode.alertId}/${way.channel.id}`);
      if (!known) repaired += await again(ctx, episode, way, "fired", "repair-fired");
      else if (known.lastToldAt) {
        const n = repetition(way.route, known.lastToldAt.getTime(), known.times, now);
        if (n > 0) await again(ctx, episode, way, "repeat", `repeat-${n}`);
      }
      await passOn(ctx, episode, way, channels);
    }
  }
  repaired += await repairEnds(ctx, channels);
  await dropOldLinks(new Date(now - DAY_MS));
  return repaired;
}

/** Tells of an episode as it stands now. Whether it is wanted, kept back or in somebody's hand is seen when it is sent. */
async function again(ctx: Ctx, episode: FiredEpisode, way: Way, kind: NewsKind, what: string): Promise<number> {
  const alert = await findAlert(episode.alertId);
  if (!alert || alert.resolvedAt !== null) return 0;
  if (kind === "repeat" && alert.acknowledgedAt !== null) return 0;
  if (kind === "fired" && alert.flappingUntil !== null && alert.flappingUntil > ctx.now) return 0;
  const isNew = await transact((tx) => queue(tx, way, alert.id, what, newsOfRow(alert, kind, ctx.now), ctx.now));
  return isNew ? 1 : 0;
}

async function passOn(ctx: Ctx, episode: FiredEpisode, way: Way, channels: readonly Channel[]): Promise<void> {
  if (way.route.escalation.length === 0) return;
  const now = ctx.now.getTime();
  const spentMicros = burnedMicros(episode.priceMicros, episode.firedAt, now);
  for (const i of stepsDue(way.route.escalation, { firedAt: episode.firedAt, spentMicros }, now)) {
    const step = way.route.escalation[i];
    const channel = channels.find(({ id, enabled }) => id === step?.channelId && enabled);
    if (!channel) continue;
    const alert = await findAlert(episode.alertId);
    if (!alert || alert.resolvedAt !== null || alert.acknowledgedAt !== null) return;
    await transact(async (tx) => {
      const news = newsOfRow(alert, "passed_on", ctx.now);
      if (!(await queue(tx, { ...way, channel }, alert.id, `pass-${i}-${alert.firedAt?.getTime()}`, news, ctx.now)))
        return;
      const note = `nobody has taken it: told to ${channel.name}`;
      await addAct(
        tx,
        alert.id,
        { kind: "escalated", at: ctx.now, actorId: null, actor: "Hopperdeck", note },
        {},
        "any",
      );
    });
  }
}

async function repairEnds(ctx: Ctx, channels: readonly Channel[]): Promise<number> {
  let repaired = 0;
  for (const { alertId, channelId, transitions } of await listUntoldEnds(new Date(ctx.now.getTime() - DAY_MS))) {
    const channel = channels.find(({ id }) => id === channelId);
    const alert = channel && (await findAlert(alertId));
    const groupKey = alert?.outbox.find((item) => item.channel.id === channelId && item.kind === "fired")?.groupKey;
    if (!channel || !alert || groupKey === undefined) continue;
    const route = { id: channelId, isImplicit: true, groupWaitMs: 0, groupIntervalMs: 0 };
    const isNew = await transact((tx) =>
      queue(
        tx,
        { route, channel, groupKey },
        alertId,
        `repair-resolved-${transitions}`,
        newsOfRow(alert, "resolved", ctx.now),
        ctx.now,
      ),
    );
    if (isNew) repaired += 1;
  }
  return repaired;
}
