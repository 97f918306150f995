import { z } from "zod";
import { dollarsText, entryIn, type FileEntry, into, type Plan, planSection } from "@/lib/domain/alerts/file-plan";
import { usd } from "@/lib/domain/settings";
import { matcherText, parseMatchers } from "@/lib/domain/silences/matchers";
import { RouteFields } from "./route-input";
import { ROUTE_DEFAULTS } from "./routes";

const SECOND = 1_000;
const MINUTE = 60_000;

const dollars = z.coerce
  .string()
  .pipe(usd(10_000_000n * 1_000_000n))
  .pipe(z.bigint({ error: "Give an amount of dollars" }));

const ORDER = [
  "name",
  "match",
  "channel",
  "groupBy",
  "groupWaitSeconds",
  "groupIntervalSeconds",
  "repeatMinutes",
  "escalation",
  "goesOn",
  "enabled",
];
const DEFAULTS: FileEntry = {
  match: "",
  groupBy: ["alertname"],
  groupWaitSeconds: ROUTE_DEFAULTS.groupWaitMs / SECOND,
  groupIntervalSeconds: ROUTE_DEFAULTS.groupIntervalMs / SECOND,
  repeatMinutes: ROUTE_DEFAULTS.repeatMs / MINUTE,
  escalation: [],
  goesOn: false,
  enabled: true,
};

type Channel = { id: string; name: string };
export type FiledRoute = Omit<RouteFields, "matchers" | "groupBy" | "escalation"> & {
  matchers: RouteFields["matchers"] | readonly RouteFields["matchers"][number][];
  groupBy: readonly string[];
  escalation: readonly RouteFields["escalation"][number][];
};

/** A route as the file has it: channels by their names, conditions as people write them. */
export function routeEntry(route: FiledRoute, channels: readonly Channel[]): FileEntry {
  const nameOf = (channelId: string) => channels.find(({ id }) => id === channelId)?.name ?? channelId;
  const { name, matchers, channelId, groupBy, groupWaitMs, groupIntervalMs, repeatMs, escalation, goesOn, enabled } =
    route;
  return entryIn(
    ORDER,
    {
      name,
      match: matcherText(matchers),
      channel: nameOf(channelId),
      groupBy: [...groupBy],
      groupWaitSeconds: groupWaitMs / SECOND,
      groupIntervalSeconds: groupIntervalMs / SECOND,
      repeatMinutes: repeatMs / MINUTE,
      escalation: escalation.map((step) =>
        "afterMs" in step
          ? { channel: nameOf(step.channelId), afterMinutes: step.afterMs / MINUTE }
          : { channel: nameOf(step.channelId), afterUsd: dollarsText(step.afterMicros) },
      ),
      goesOn,
      enabled,
    },
    DEFAULTS,
  );
}

/** What the routes of a file would change. Channels hold secrets and are not in files: a route names one that stands. */
export function planRoutes(
  entries: readonly FileEntry[],
  existing: readonly (FiledRoute & { id: string })[],
  channels: readonly Channel[],
): Plan<RouteFields> {
  const schema = entrySchema(channels);
  return planSection<RouteFields>({
    of: "route",
    entries,
    existing: existing.map((route) => ({ id: route.id, name: route.name, entry: routeEntry(route, channels) })),
    read: (entry) => schema.safeParse(entry),
    entryOf: (input) => routeEntry(input, channels),
  });
}

function entrySchema(channels: readonly Channel[]) {
  const channel = z.string({ error: "Name a channel" }).transform((name, issues) => {
    const found = channels.find((one) => one.name === name);
    if (found) return found.id;
    issues.addIssue({ code: "custom", message: `there is no channel called ${name}; make it first` });
    return z.NEVER;
  });
  const match = z
    .string()
    .max(8_000)
    .default("")
    .transform((text, issues) => {
      const matchers = parseMatchers(text);
      if (matchers) return matchers;
      issues.addIssue({ code: "custom", message: 'is not like team="ml", severity=critical' });
      return z.NEVER;
    });
  const step = z.union([
    z
      .strictObject({ channel, afterMinutes: z.number() })
      .transform((one) => ({ channelId: one.channel, afterMs: one.afterMinutes * MINUTE })),
    z
      .strictObject({ channel, afterUsd: dollars })
      .transform((one) => ({ channelId: one.channel, afterMicros: one.afterUsd.toString() })),
  ]);
  return z
    .strictObject({
      name: z.string(),
      match,
      channel,
      groupBy: z.array(z.string()).default(["alertname"]),
      groupWaitSeconds: z.number().default(Number(DEFAULTS.groupWaitSeconds)),
      groupIntervalSeconds: z.number().default(Number(DEFAULTS.groupIntervalSeconds)),
      repeatMinutes: z.number().default(Number(DEFAULTS.repeatMinutes)),
      escalation: z.array(step).max(10).default([]),
      goesOn: z.boolean().default(false),
      enabled: z.boolean().default(true),
    })
    .transform(
      ({ match: matchers, channel: channelId, groupWaitSeconds, groupIntervalSeconds, repeatMinutes, ...rest }) => ({
        ...rest,
        matchers,
        channelId,
        groupWaitMs: groupWaitSeconds * SECOND,
        groupIntervalMs: groupIntervalSeconds * SECOND,
        repeatMs: repeatMinutes * MINUTE,
      }),
    )
    .transform(into(RouteFields));
}
