import type { z } from "zod";
import type { RouteFields, RouteStep } from "@/lib/domain/notify/route-input";
import { parseMatchers } from "@/lib/domain/silences/matchers";
import type { Failure } from "@/lib/errors";

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

export type RouteInput = z.input<typeof RouteFields>;

/** A step as it stands in the form: an amount as typed. */
export type DraftStep = { amount: string; unit: "min" | "usd"; channelId: string };

export function draftSteps(steps: readonly RouteStep[]): DraftStep[] {
  return steps.map(({ channelId, afterMs, afterMicros }) =>
    afterMicros === null
      ? { channelId, unit: "min", amount: String((afterMs ?? 0) / MINUTE_MS) }
      : { channelId, unit: "usd", amount: usdText(afterMicros) },
  );
}

function usdText(micros: string): string {
  const padded = micros.padStart(7, "0");
  const [whole, cents] = [padded.slice(0, -6), padded.slice(-6).replace(/0+$/, "")];
  return cents === "" ? whole : `${whole}.${cents.padEnd(2, "0")}`;
}

/** Null: not an amount of dollars. */
function microsOf(text: string): string | null {
  const match = /^(\d{1,7})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) return null;
  return BigInt(`${match[1]}${(match[2] ?? "").padEnd(6, "0")}`).toString();
}

const refused = (field: string, message: string): Failure => ({
  code: "invalid",
  message: "Some fields need another look. Nothing was changed.",
  fields: { [field]: message },
  retryAfterMs: null,
});

type Read = { ok: true; input: RouteInput } | { ok: false; error: Failure };

/** What the form says; refused here where it cannot be read, the server judges the rest. */
export function readDraft(data: FormData): Read {
  const text = (field: string) => String(data.get(field) ?? "");
  const matchers = parseMatchers(text("matchers"));
  if (matchers === null)
    return { ok: false, error: refused("matchers", 'Write it like team="ml", severity="critical"') };
  const escalation = stepsIn(data);
  if (escalation === null) return { ok: false, error: refused("escalation", "Give each step minutes or dollars") };
  return {
    ok: true,
    input: {
      name: text("name"),
      matchers,
      channelId: text("channelId"),
      groupBy: text("groupBy")
        .split(/[\s,]+/)
        .filter((label) => label !== ""),
      groupWaitMs: timeOf(text("wait"), SECOND_MS),
      groupIntervalMs: timeOf(text("interval"), MINUTE_MS),
      repeatMs: timeOf(text("repeat"), HOUR_MS),
      escalation,
      goesOn: data.has("goesOn"),
      enabled: data.has("enabled"),
    },
  };
}

/** NaN, which the server refuses beside the field, where it is no number. */
function timeOf(text: string, unitMs: number): number {
  return text.trim() === "" ? Number.NaN : Math.round(Number(text.replace(",", ".")) * unitMs);
}

function stepsIn(data: FormData): NonNullable<RouteInput["escalation"]> | null {
  const [amounts, units, channels] = [data.getAll("stepAmount"), data.getAll("stepUnit"), data.getAll("stepChannel")];
  const steps: NonNullable<RouteInput["escalation"]> = [];
  for (const [i, amount] of amounts.entries()) {
    const channelId = String(channels[i] ?? "");
    if (units[i] === "usd") {
      const afterMicros = microsOf(String(amount));
      if (afterMicros === null) return null;
      steps.push({ channelId, afterMicros });
    } else {
      const afterMs = timeOf(String(amount), MINUTE_MS);
      if (!Number.isFinite(afterMs)) return null;
      steps.push({ channelId, afterMs });
    }
  }
  return steps;
}
