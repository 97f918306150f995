import { burnedMicros } from "@/lib/domain/cost/burn";
import { isAcknowledged } from "./acknowledgement";
import type { OpenStatus, Severity } from "./types";
import type { AlertCounts, InboxPart } from "./view";

/** What of an episode decides where it stands in the inbox. */
export type Standing = {
  status: OpenStatus | "resolved";
  firedAt: number | null;
  resolvedAt: number | null;
  acknowledgedAt: number | null;
  reraiseAt: number | null;
};

/** Acknowledgement belongs to the episode: it moves it out of what needs somebody, whatever its state; silence alone never ends it. */
export function inboxPart({ status, firedAt, resolvedAt, ...acknowledgement }: Standing, now: number): InboxPart {
  if (resolvedAt !== null) return "resolved";
  if (firedAt !== null && isAcknowledged(acknowledgement, now)) return "acknowledged";
  if (status === "unknown" || status === "pending") return status;
  return "firing";
}

/** What needs somebody: firing or unknown, in nobody's hand. Criticals are counted among both. */
export function countAlerts(alerts: readonly (Standing & { severity: Severity })[], now: number): AlertCounts {
  const parts = alerts.map((alert) => ({ part: inboxPart(alert, now), severity: alert.severity }));
  const open = parts.filter(({ part }) => part === "firing" || part === "unknown");
  return {
    now,
    firing: open.filter(({ part }) => part === "firing").length,
    unknown: open.filter(({ part }) => part === "unknown").length,
    critical: open.filter(({ severity }) => severity === "critical").length,
  };
}

type Burning = {
  resourceId: string | null;
  firedAt: number | null;
  resolvedAt: number | null;
  microsPerHour: string | null;
  priceMicros: string | null;
};

/** What alerts burn together. A machine that several of them name at once is counted once. */
export function burnOf(alerts: readonly Burning[], now: number): { microsPerHour: bigint; spentMicros: bigint } {
  const rates = new Map<string, bigint>();
  const spells = new Map<string, { price: bigint; from: number; to: number }[]>();
  for (const { resourceId, firedAt, resolvedAt, microsPerHour, priceMicros } of alerts) {
    if (resourceId === null || firedAt === null) continue;
    if (microsPerHour !== null) rates.set(resourceId, BigInt(microsPerHour));
    if (priceMicros === null) continue;
    const spell = { price: BigInt(priceMicros), from: firedAt, to: resolvedAt ?? now };
    spells.set(resourceId, [...(spells.get(resourceId) ?? []), spell]);
  }
  const sum = (values: Iterable<bigint>) => [...values].reduce((total, value) => total + value, 0n);
  return { microsPerHour: sum(rates.values()), spentMicros: sum([...spells.values()].map(spent)) };
}

/** The cost of the time that the spells of one machine cover, however they overlap. */
function spent(spells: { price: bigint; from: number; to: number }[]): bigint {
  let covered = Number.NEGATIVE_INFINITY;
  let micros = 0n;
  for (const { price, from, to } of spells.toSorted((a, b) => a.from - b.from)) {
    micros += burnedMicros(price, Math.max(from, covered), to) ?? 0n;
    covered = Math.max(covered, to);
  }
  return micros;
}

/** One line of the inbox: an alert, and those that were merged with it. */
export type Incident<R> = { row: R; others: R[] };

type Foldable = { id: string; leadId: string | null; part: InboxPart };

const URGENCY: readonly InboxPart[] = ["firing", "unknown", "pending", "acknowledged", "resolved"];

/** Alerts of one incident as one line, in the given order. Whoever needs somebody most stands for it; among equals its lead does. */
export function foldIncidents<R extends Foldable>(rows: readonly R[]): Incident<R>[] {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const key = row.leadId ?? row.id;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const heads = new Map<string, Incident<R>>();
  for (const [leadId, own] of groups) {
    const rank = (row: R) => URGENCY.indexOf(row.part) * 2 + (row.id === leadId ? 0 : 1);
    const row = own.reduce((best, one) => (rank(one) < rank(best) ? one : best));
    heads.set(row.id, { row, others: own.filter((one) => one !== row) });
  }
  return rows.flatMap((row) => heads.get(row.id) ?? []);
}
