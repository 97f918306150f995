import { z } from "zod";
import { formatDuration } from "@/lib/domain/format-time";
import { cleanName } from "@/lib/domain/text";
import { type AlertLabels, type Matcher, Matchers, matches } from "./matchers";
import { Recurrence, type Window, windowsIn } from "./windows";

export const SILENCE_KINDS = ["silence", "quiet_hours", "maintenance"] as const;
export type SilenceKind = (typeof SILENCE_KINDS)[number];

export type Silence = {
  kind: SilenceKind;
  matchers: readonly Matcher[];
  startsAt: number;
  /** By itself; `endedAt`: by a person, before that. */
  endsAt: number;
  endedAt: number | null;
  /** Null: from its start to its end without a break. */
  recurrence: Recurrence | null;
};

/** The stretches of [from, to) in which a silence holds. */
export function silentSpans(silence: Silence, from: number, to: number): Window[] {
  const { startsAt, endsAt, endedAt, recurrence } = silence;
  const within = { from: Math.max(from, startsAt), to: Math.min(to, endsAt, endedAt ?? endsAt) };
  if (within.to <= within.from) return [];
  if (!recurrence) return [within];
  return windowsIn(recurrence, within.from, within.to).map((window) => ({
    from: Math.max(window.from, within.from),
    to: Math.min(window.to, within.to),
  }));
}

export function holdsAt(silence: Silence, at: number): boolean {
  return silentSpans(silence, at, at + 1).length > 0;
}

/** The first silence that keeps the news of an alert back at an instant; null: it is told. */
export function silencedBy<S extends Silence>(silences: readonly S[], labels: AlertLabels, at: number): S | null {
  return silences.find((silence) => matches(silence.matchers, labels) && holdsAt(silence, at)) ?? null;
}

/** How long an alert that fired over [firedAt, until) was kept back. */
export function hiddenMs(silence: Silence, firedAt: number, until: number): number {
  return silentSpans(silence, firedAt, until).reduce((sum, { from, to }) => sum + to - from, 0);
}

export type SilencePhase = "planned" | "active" | "paused" | "over";

/** `paused`: between two of its windows. */
export function phaseOf(silence: Silence, at: number): SilencePhase {
  if (at >= Math.min(silence.endsAt, silence.endedAt ?? silence.endsAt)) return "over";
  if (at < silence.startsAt) return "planned";
  return holdsAt(silence, at) ? "active" : "paused";
}

const DAY_MS = 24 * 3_600_000;
export const LONGEST_SILENCE_MS = 30 * DAY_MS;
export const LONGEST_RECURRING_MS = 366 * DAY_MS;

const instant = z.int().min(0).max(8_640_000_000_000_000);

export const NewSilence = z
  .object({
    kind: z.enum(SILENCE_KINDS).default("silence"),
    matchers: Matchers.min(1, "Say which alerts: at least one condition"),
    reason: z
      .string()
      .transform((reason) => cleanName(reason, 500))
      .refine((reason) => reason !== "", "Say why: whoever wonders tomorrow why nothing rang reads it"),
    ticketUrl: z
      .union([z.literal("").transform(() => null), z.url({ protocol: /^https?$/ }).max(500)])
      .nullable()
      .default(null),
    startsAt: instant,
    endsAt: instant,
    recurrence: Recurrence.nullable().default(null),
  })
  .superRefine(({ kind, startsAt, endsAt, recurrence }, context) => {
    const longest = recurrence ? LONGEST_RECURRING_MS : LONGEST_SILENCE_MS;
    if (endsAt <= startsAt) context.addIssue({ code: "custom", path: ["endsAt"], message: "must lie after its start" });
    else if (endsAt - startsAt > longest)
      context.addIssue({
        code: "custom",
        path: ["endsAt"],
        message: `may lie at most ${formatDuration(longest)} after its start; everything ends`,
      });
    if (kind === "quiet_hours" && !recurrence)
      context.addIssue({ code: "custom", path: ["recurrence"], message: "Quiet hours want days and times" });
  });
export type NewSilence = z.output<typeof NewSilence>;

export const SILENCE_WORDS: Record<SilenceKind, string> = {
  silence: "Silence",
  quiet_hours: "Quiet hours",
  maintenance: "Maintenance",
};

/** What a rule, its target and its machine are called, for matchers; rule labels do not replace the others. */
export function labelsOf(facts: {
  ruleName: string;
  severity: string;
  kind: string;
  metric: string;
  ruleLabels: Record<string, string>;
  target: string;
  resourceId: string | null;
  instance: string;
  gpu: string;
  team: string;
  project: string;
  environment: string;
  workload: string;
  type: string;
  region: string;
}): AlertLabels {
  const { ruleName, ruleLabels, severity, kind, metric, target, resourceId, instance, gpu } = facts;
  const { team, project, environment, workload, type, region } = facts;
  const own = { alertname: ruleName, severity, kind, metric, target, instance, instance_id: resourceId ?? "", gpu };
  const place = { team, project, environment, workload, type, region };
  const labels = { ...ruleLabels, ...own, ...place };
  return Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, cleanName(value, 300)]));
}
