import { z } from "zod";
import { Matchers } from "@/lib/domain/silences/matchers";
import { cleanName } from "@/lib/domain/text";
import { ROUTE_DEFAULTS } from "./routes";

const SECOND = 1_000;
const DAY = 24 * 3_600_000;

const time = (least: number, most: number, otherwise: number) =>
  z.int("Give a time").min(least, "is too short").max(most, "is too long").default(otherwise);

const Step = z.union([
  z.object({
    channelId: z.uuid(),
    afterMs: z
      .int()
      .min(60 * SECOND, "At least a minute")
      .max(7 * DAY),
  }),
  z.object({
    channelId: z.uuid(),
    afterMicros: z
      .string()
      .regex(/^\d{1,13}$/)
      .transform(BigInt),
  }),
]);

/** Which alerts go to which channel, and how. */
export const RouteFields = z.object({
  name: z
    .string()
    .transform((name) => cleanName(name, 80))
    .refine((name) => name !== "", "Give the route a name"),
  matchers: Matchers.default([]),
  channelId: z.uuid("Choose a channel"),
  groupBy: z
    .array(z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, "is not the name of a label"))
    .max(10)
    .default(["alertname"]),
  groupWaitMs: time(0, 10 * 60 * SECOND, ROUTE_DEFAULTS.groupWaitMs),
  groupIntervalMs: time(10 * SECOND, DAY, ROUTE_DEFAULTS.groupIntervalMs),
  repeatMs: time(5 * 60 * SECOND, 30 * DAY, ROUTE_DEFAULTS.repeatMs),
  escalation: z.array(Step).max(10).default([]),
  goesOn: z.stringbool().or(z.boolean()).default(false),
  enabled: z.stringbool().or(z.boolean()).default(true),
});
export type RouteFields = z.output<typeof RouteFields>;

export const RouteChange = RouteFields.extend({ routeId: z.uuid(), version: z.int() });
export type RouteChange = z.output<typeof RouteChange>;

export const RouteId = z.object({ routeId: z.uuid() });
export const RouteOrder = z.object({ routeIds: z.array(z.uuid()).max(200) });

export type RouteStep = { channelId: string; afterMs: number | null; afterMicros: string | null };

export type RouteRow = {
  id: string;
  name: string;
  matchers: { label: string; op: "=" | "!=" | "=~" | "!~"; value: string }[];
  channelId: string;
  channel: string;
  groupBy: string[];
  groupWaitMs: number;
  groupIntervalMs: number;
  repeatMs: number;
  escalation: RouteStep[];
  goesOn: boolean;
  enabled: boolean;
  version: number;
  /** Alerts that fire now and take it. */
  takesNow: number;
};

export type RoutesAnswer = {
  now: number;
  routes: RouteRow[];
  /** Where there are none, every channel hears everything that it wants to hear. */
  channels: { id: string; name: string; enabled: boolean }[];
  /** Alerts that fire now and reach nobody. */
  unheard: { alertId: string; ruleName: string; target: string }[];
};

export type UndeliveredRow = {
  id: string;
  headline: string;
  kind: string;
  alertId: string | null;
  channel: string;
  at: number;
  error: string | null;
};

export type UndeliveredAnswer = { now: number; rows: UndeliveredRow[] };
export const UndeliveredId = z.object({ itemId: z.uuid() });
