import { listChannels } from "@/lib/db/alerts/channels";
import { countDead, dismissDead, listDead, redrive } from "@/lib/db/alerts/outbox";
import {
  deleteRoute,
  insertRoute,
  listRoutes,
  orderRoutes,
  type StoredRoute,
  updateRoute,
} from "@/lib/db/alerts/routes";
import { listFiring } from "@/lib/db/alerts/silences";
import { mutate, type Tx } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import type {
  RouteChange,
  RouteFields,
  RouteRow,
  RoutesAnswer,
  UndeliveredAnswer,
} from "@/lib/domain/notify/route-input";
import { MOST_ROUTES } from "@/lib/domain/notify/routes";
import { matcherText } from "@/lib/domain/silences/matchers";
import { labelsOf } from "@/lib/domain/silences/silence";
import { AppError } from "@/lib/errors";
import { waysBy } from "@/lib/services/alerts/news";

export async function createRoute(ctx: Ctx, input: RouteFields): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    await requireChannels(tx, input);
    const routes = await listRoutes(tx);
    if (routes.length >= MOST_ROUTES) throw new AppError("too-many", `There are ${MOST_ROUTES} routes already.`);
    const id = await insertRoute(tx, input, routes.length, ctx.now);
    return { action: "route.created", ...subject(id, input.name), after: shown(input), result: { id } };
  });
}

export async function changeRoute(ctx: Ctx, { routeId, version, ...input }: RouteChange): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    await requireChannels(tx, input);
    const before = await existing(tx, routeId);
    if (before.version !== version)
      throw new AppError("conflict", "Somebody has changed this route meanwhile. Load it again; nothing was changed.");
    await updateRoute(tx, routeId, input, ctx.now);
    return {
      action: "route.changed",
      ...subject(routeId, input.name),
      before: shown(before),
      after: shown(input),
      result: { id: routeId },
    };
  });
}

export async function removeRoute(ctx: Ctx, { routeId }: { routeId: string }): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    const before = await existing(tx, routeId);
    await deleteRoute(tx, routeId, ctx.now);
    return {
      action: "route.removed",
      ...subject(routeId, before.name),
      before: shown(before),
      result: { id: routeId },
    };
  });
}

/** Routes are asked in this order. */
export async function sortRoutes(ctx: Ctx, { routeIds }: { routeIds: string[] }): Promise<{ ordered: number }> {
  return mutate(ctx, "rule:write", async (tx) => {
    const before = (await listRoutes(tx)).map(({ id, name }) => ({ id, name }));
    const rest = before.filter(({ id }) => !routeIds.includes(id)).map(({ id }) => id);
    const ordered = [...routeIds.filter((id) => before.some((route) => route.id === id)), ...rest];
    await orderRoutes(tx, ordered, ctx.now);
    const names = (ids: readonly string[]) => ids.map((id) => before.find((route) => route.id === id)?.name ?? id);
    return {
      action: "route.ordered",
      ...subject("all", "The routes"),
      before: { order: names(before.map(({ id }) => id)) },
      after: { order: names(ordered) },
      result: { ordered: ordered.length },
    };
  });
}

/** The routes in the order in which they are asked, with what takes them now, and what reaches nobody. */
export async function readRoutes(ctx: Ctx): Promise<RoutesAnswer> {
  authorize(ctx, "fleet:read");
  const [routes, channels, firing] = await Promise.all([listRoutes(), listChannels(), listFiring()]);
  const takes = new Map<string, number>();
  const unheard: RoutesAnswer["unheard"] = [];
  for (const episode of firing) {
    const ways = waysBy(routes, channels, labelsOf(episode));
    for (const { route } of ways) takes.set(route.id, (takes.get(route.id) ?? 0) + 1);
    if (ways.length === 0 && unheard.length < 100)
      unheard.push({ alertId: episode.alertId, ruleName: episode.ruleName, target: episode.target });
  }
  return {
    now: ctx.now.getTime(),
    routes: routes.map((route) =>
      rowOf(route, channels.find(({ id }) => id === route.channelId)?.name ?? "removed", takes),
    ),
    channels: channels.map(({ id, name, enabled }) => ({ id, name, enabled })),
    unheard,
  };
}

function rowOf(route: StoredRoute, channel: string, takes: ReadonlyMap<string, number>): RouteRow {
  const { isImplicit: _, position: __, matchers, groupBy, escalation, ...rest } = route;
  return {
    ...rest,
    channel,
    matchers: [...matchers],
    groupBy: [...groupBy],
    escalation: escalation.map((step) => ({
      channelId: step.channelId,
      afterMs: "afterMs" in step ? step.afterMs : null,
      afterMicros: "afterMicros" in step ? step.afterMicros.toString() : null,
    })),
    takesNow: takes.get(route.id) ?? 0,
  };
}

/** What could not be delivered, until somebody sends it again or takes it off the list (B42). */
export async function readUndelivered(ctx: Ctx): Promise<UndeliveredAnswer> {
  authorize(ctx, "fleet:read");
  const rows = await listDead();
  return { now: ctx.now.getTime(), rows: rows.map(({ at, ...row }) => ({ ...row, at: at.getTime() })) };
}

/** For the frame of every page: an alarm that depends on no channel. */
export async function countUndelivered(ctx: Ctx): Promise<{ now: number; undelivered: number }> {
  authorize(ctx, "fleet:read");
  return { now: ctx.now.getTime(), undelivered: await countDead() };
}

export async function sendAgain(ctx: Ctx, { itemId }: { itemId: string }): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    if (!(await redrive(tx, itemId, ctx.now)))
      throw new AppError("conflict", "It is on its way already, or was taken off.");
    return {
      action: "message.sent_again",
      subjectKind: "message",
      subjectId: itemId,
      subject: "A message",
      result: { id: itemId },
    };
  });
}

export async function takeOff(ctx: Ctx, { itemId }: { itemId: string }): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    if (!(await dismissDead(tx, itemId, ctx.now)))
      throw new AppError("conflict", "It is not among the undelivered any more.");
    return {
      action: "message.taken_off",
      subjectKind: "message",
      subjectId: itemId,
      subject: "A message",
      result: { id: itemId },
    };
  });
}

async function existing(tx: Tx, routeId: string): Promise<StoredRoute> {
  const route = (await listRoutes(tx)).find(({ id }) => id === routeId);
  if (!route) throw new AppError("not-found", "There is no such route.");
  return route;
}

async function requireChannels(tx: Tx, { channelId, escalation }: RouteFields): Promise<void> {
  const known = new Set((await listChannels(tx)).map(({ id }) => id));
  if (!known.has(channelId))
    throw new AppError("invalid", "There is no such channel.", { channelId: "Choose a channel" });
  if (escalation.some((step) => !known.has(step.channelId)))
    throw new AppError("invalid", "A step leads to a channel that is not there.", { escalation: "Choose a channel" });
}

function subject(subjectId: string, name: string) {
  return { subjectKind: "route", subjectId, subject: name };
}

function shown(route: RouteFields | StoredRoute) {
  const { name, matchers, channelId, groupBy, groupWaitMs, groupIntervalMs, repeatMs, escalation, goesOn, enabled } =
    route;
  return {
    name,
    which: matcherText(matchers),
    channelId,
    groupBy,
    groupWaitMs,
    groupIntervalMs,
    repeatMs,
    escalation,
    goesOn,
    enabled,
  };
}
