import { formatUsd, formatUsdRate, THIN } from "@/lib/domain/format";
import { formatDuration, formatInstant } from "@/lib/domain/format-time";
import { cleanName } from "@/lib/domain/text";
import { COMPARISON_WORDS, numberText } from "./condition";
import type { NewsKind } from "./notify";
import type { Comparison, ResolveReason, Severity } from "./types";

export const SEVERITY_WORDS: Record<Severity, string> = { info: "Info", warning: "Warning", critical: "Critical" };

/** One piece of news about one episode, as it is told. Times are epoch milliseconds; money may be unknown. */
export type News = {
  kind: NewsKind;
  at: number;
  alertId: string;
  ruleName: string;
  severity: Severity;
  /** What a person calls the target: "gh-train-02, GPU 0". */
  targetName: string;
  team: string;
  metricLabel: string;
  unit: string;
  comparison: Comparison;
  threshold: number;
  forMs: number;
  value: number | null;
  peakValue: number | null;
  activeAt: number;
  firedAt: number | null;
  resolvedAt: number | null;
  resolveReason: ResolveReason | null;
  /** What to do, in the rule's words. */
  action: string;
  /** Spent on the target since the alert fired; null: not known. */
  spentMicros: bigint | null;
  /** Its price now; null: not known; 0: it costs nothing any more. */
  microsPerHour: bigint | null;
  /** The alert's page. */
  url: string;
};

export const RESOLVE_WORDS: Record<ResolveReason, string> = {
  recovered: "it recovered",
  instance_gone: "the instance is gone",
  series_ended: "the series ended",
  not_covered: "the rule no longer covers it",
  rule_paused: "the rule was paused",
  rule_deleted: "the rule was deleted",
};

/** "Critical: VRAM full, gh-train-02" */
export function headline(news: News): string {
  const what = `${cleanName(news.ruleName, 120)}, ${cleanName(news.targetName, 120)}`;
  const severity = SEVERITY_WORDS[news.severity];
  switch (news.kind) {
    case "fired":
      return `${severity}: ${what}`;
    case "resolved":
      return `Resolved: ${what}`;
    case "reraised":
      return `Still firing, ${severity.toLowerCase()}: ${what}`;
    case "escalated":
      return `Now ${severity.toLowerCase()}: ${what}`;
    case "repeat":
      return `Still firing, ${severity.toLowerCase()}: ${what}`;
    case "passed_on":
      return `Nobody has taken it, ${severity.toLowerCase()}: ${what}`;
    case "acknowledged":
      return `Acknowledged: ${what}`;
    case "flapping":
      return `Flapping, ${severity.toLowerCase()}: ${what}`;
  }
}

/** The facts in sentences: what was measured, for how long, why it ended, what it has cost. */
export function sentences(news: News): string[] {
  const lines = [measured(news)];
  if (news.kind === "resolved" && news.resolvedAt !== null) {
    const lasted = formatDuration(news.resolvedAt - (news.firedAt ?? news.activeAt));
    const why = news.resolveReason === null ? "" : `, ${RESOLVE_WORDS[news.resolveReason]}`;
    lines.push(`It fired for ${lasted}${why}.`);
  }
  if (news.kind === "reraised") lines.push("The acknowledgement has run out and the alert has not resolved.");
  if (news.kind === "passed_on") lines.push("It was told before, and nobody has acknowledged it.");
  if (news.kind === "flapping")
    lines.push("It fires and recovers again and again. Nothing more is sent until it is calm for 15 min.");
  lines.push(money(news));
  return lines;
}

function measured(news: News): string {
  const limit = `${COMPARISON_WORDS[news.comparison]} ${quantity(news.threshold, news.unit)}`;
  const demand = news.forMs > 0 ? `${limit} for ${formatDuration(news.forMs)}` : limit;
  const now = news.value === null ? "no value" : quantity(news.value, news.unit);
  return `${cleanName(news.metricLabel, 120)}: ${now}. The rule fires ${demand}.`;
}

function money({ spentMicros, microsPerHour }: News): string {
  const spent = spentMicros === null ? "Cost since it fired unknown" : `${formatUsd(spentMicros)} since it fired`;
  if (microsPerHour === 0n) return `${spent}, no longer billed.`;
  return `${spent}, ${microsPerHour === null ? "price unknown" : `${formatUsdRate(microsPerHour)} now`}.`;
}

/** A value of a rule's metric with its unit; durations and states in words. */
export function quantity(value: number, unit: string): string {
  if (unit === "ms") return formatDuration(value);
  if (unit === "USD") return formatUsd(Number.isFinite(value) ? BigInt(Math.round(value * 1e6)) : null);
  if (unit === "%") return `${numberText(value)}${THIN}%`;
  return unit === "" || unit === "0 or 1" ? numberText(value) : `${numberText(value)} ${unit}`;
}

/** The body of a webhook, version 1. Money is decimal text in dollars, instants are ISO 8601 in UTC, unknown is null. */
export function webhookBody(news: News) {
  return {
    version: 1,
    event: `alert.${news.kind}`,
    at: iso(news.at),
    headline: headline(news),
    alert: {
      id: news.alertId,
      url: news.url,
      rule: cleanName(news.ruleName, 120),
      severity: news.severity,
      target: cleanName(news.targetName, 120),
      team: cleanName(news.team, 120),
      metric: cleanName(news.metricLabel, 120),
      unit: news.unit,
      comparison: news.comparison,
      threshold: json(news.threshold),
      forSeconds: news.forMs / 1000,
      value: json(news.value),
      peakValue: json(news.peakValue),
      activeAt: iso(news.activeAt),
      firedAt: iso(news.firedAt),
      resolvedAt: iso(news.resolvedAt),
      resolveReason: news.resolveReason,
      action: news.action,
    },
    cost: {
      currency: "USD",
      sinceFired: decimal(news.spentMicros),
      perHour: decimal(news.microsPerHour),
    },
  } as const;
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** JSON has no infinities (B11 stores them), so they are words. */
function json(value: number | null): number | string | null {
  return value === null || Number.isFinite(value) ? value : String(value);
}

function decimal(micros: bigint | null): string | null {
  if (micros === null) return null;
  const size = micros < 0n ? -micros : micros;
  return `${micros < 0n ? "-" : ""}${size / 1_000_000n}.${String(size % 1_000_000n).padStart(6, "0")}`;
}

/** The three characters that Slack reads as markup; without them no name can mention a channel or hide a link. */
export function escapeSlack(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** A section of a Slack message holds 3,000 characters. */
const SECTION_LIMIT = 2_900;

/** A Slack incoming-webhook message; `text` is what a notification shows. */
export function slackMessage(news: News) {
  const start = news.firedAt ?? news.activeAt;
  const since = `Since ${slackInstant(start)}`;
  const facts = [...sentences(news).map(escapeSlack), since].join("\n");
  const blocks = [section(`*${escapeSlack(headline(news))}*`), section(facts)];
  if (news.action !== "" && news.kind !== "resolved") blocks.push(section(`*What to do*\n${escapeSlack(news.action)}`));
  blocks.push(section(`<${slackUrl(news.url)}|Open the alert>`));
  return { text: escapeSlack(`${headline(news)}. ${measured(news)}`), blocks };
}

function section(text: string) {
  const clipped = text.length > SECTION_LIMIT ? `${text.slice(0, SECTION_LIMIT).replace(/&[a-z]*$/, "")}…` : text;
  return { type: "section", text: { type: "mrkdwn", text: clipped } };
}

/** Shown in each reader's own zone; the fallback is UTC. */
function slackInstant(at: number): string {
  const fallback = escapeSlack(formatInstant(at, { timeZone: "UTC" }));
  return `<!date^${Math.floor(at / 1000)}^{date_short_pretty}, {time}|${fallback}>`;
}

function slackUrl(url: string): string {
  return escapeSlack(url).replace(/\|/g, "%7C");
}
