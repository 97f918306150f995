import { escapeSlack, headline, type News, sentences, slackMessage, webhookBody } from "@/lib/domain/alerts/message";
import { formatUsdRate } from "@/lib/domain/format";
import { formatInstant } from "@/lib/domain/format-time";
import { cleanName } from "@/lib/domain/text";

/** Alertmanager lists everything; people read the first fifty (B30). */
export const MOST_LISTED = 50;

/** What one message tells: news of one group, the worst and newest first. */
export type GroupNews = {
  /** The key that repeats of the message share. */
  key: string;
  /** One for as long as something of the group fires. */
  episode: string;
  labels: Readonly<Record<string, string>>;
  news: readonly News[];
  /** Told before and firing still, those of this message included. */
  stillFiring: number;
  publicUrl: string;
  /** Where one button acts, per alert; null: this channel gets none. */
  linkOf: (alertId: string) => string | null;
};

const RANK = { critical: 0, warning: 1, info: 2 } as const;

export function inOrder(news: readonly News[]): News[] {
  const isEnd = ({ kind }: News) => Number(kind === "resolved");
  return [...news].sort((a, b) => isEnd(a) - isEnd(b) || RANK[a.severity] - RANK[b.severity] || b.at - a.at);
}

/** "3 alerts: VRAM full, and 1 resolved" */
export function groupHeadline({ news }: Pick<GroupNews, "news">): string {
  const [only] = news;
  if (only && news.length === 1) return headline(only);
  const ended = news.filter(({ kind }) => kind === "resolved").length;
  const told = news.length - ended;
  const names = [...new Set(inOrder(news).map(({ ruleName }) => cleanName(ruleName, 60)))];
  const what =
    names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more rules` : names.join(", ");
  const worst = inOrder(news)[0]?.severity ?? "info";
  const parts = [
    told > 0 && `${told} ${worst === "critical" ? "critical " : ""}${told === 1 ? "alert" : "alerts"}`,
    ended > 0 && `${ended} resolved`,
  ].filter(Boolean);
  return `${parts.join(", ")}: ${what}`;
}

const more = (group: GroupNews) => Math.max(0, group.news.length - MOST_LISTED);

function line(news: News): string {
  const cost = news.microsPerHour === null || news.microsPerHour === 0n ? "" : `, ${formatUsdRate(news.microsPerHour)}`;
  const since = news.firedAt === null ? "" : `, since ${formatInstant(news.firedAt, { timeZone: "UTC" })}`;
  return `${headline(news)}${since}${cost}`;
}

function rest(group: GroupNews): string[] {
  const count = more(group);
  return [
    ...(count > 0 ? [`+${count} more`] : []),
    ...(group.stillFiring > 0 && group.news.length > 1 ? [`${group.stillFiring} of this group still firing.`] : []),
  ];
}

export function slackGroup(group: GroupNews) {
  const [only] = group.news;
  if (only && group.news.length === 1) return withLink(slackMessage(only), group.linkOf(only.alertId));
  const head = groupHeadline(group);
  const listed = inOrder(group.news).slice(0, MOST_LISTED);
  const lines = listed.map((news) => `• <${slackUrl(news.url)}|${escapeSlack(line(news))}>`);
  const blocks = [section(`*${escapeSlack(head)}*`), ...sections([...lines, ...rest(group).map(escapeSlack)])];
  return { text: escapeSlack(head), blocks };
}

function withLink(message: ReturnType<typeof slackMessage>, link: string | null) {
  if (link === null) return message;
  return { ...message, blocks: [...message.blocks, section(`<${slackUrl(link)}|Acknowledge>`)] };
}

const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });

/** A section holds 3,000 characters; no line is cut in two. */
function sections(lines: readonly string[]) {
  const made: string[] = [];
  for (const text of lines) {
    const last = made.at(-1);
    if (last !== undefined && last.length + text.length < 2_800) made[made.length - 1] = `${last}\n${text}`;
    else made.push(text.slice(0, 2_900));
  }
  return made.slice(0, 40).map(section);
}

function slackUrl(url: string): string {
  return escapeSlack(url).replace(/\|/g, "%7C");
}

/** Version 1: `alert` and `cost` where one alert is told of, `alerts` always. */
export function webhookGroup(group: GroupNews) {
  const listed = inOrder(group.news);
  const [only] = listed;
  const single = only && listed.length === 1 ? webhookBody(only) : null;
  return {
    version: 1,
    event: single?.event ?? "alerts",
    at: single?.at ?? new Date(Math.max(...listed.map(({ at }) => at))).toISOString(),
    headline: groupHeadline(group),
    group: { key: group.episode, labels: group.labels, stillFiring: group.stillFiring, more: more(group) },
    ...(single && { alert: single.alert, cost: single.cost }),
    alerts: listed.slice(0, MOST_LISTED).map((news) => {
      const { event, alert, cost } = webhookBody(news);
      return { event, ...alert, cost };
    }),
  };
}

/** PagerDuty cuts nothing: longer summaries are refused. */
const SUMMARY_LIMIT = 1_024;
const PAGERDUTY_SEVERITY = { critical: "critical", warning: "warning", info: "info" } as const;

/**
 * An event of the Events API v2. One incident per group and life; it is resolved when nothing of the group fires any more,
 * and acknowledged when all that fires is in somebody's hand.
 */
export function pagerDutyEvent(group: GroupNews, routingKey: string, dedupKey: string) {
  const isAcknowledged = group.news.length > 0 && group.news.every(({ kind }) => kind === "acknowledged");
  const action = group.stillFiring === 0 ? "resolve" : isAcknowledged ? "acknowledge" : "trigger";
  const base = { routing_key: routingKey, dedup_key: dedupKey, event_action: action };
  if (action !== "trigger") return base;
  const listed = inOrder(group.news);
  const [worst] = listed;
  return {
    ...base,
    payload: {
      summary: groupHeadline(group).slice(0, SUMMARY_LIMIT),
      source: cleanName(worst?.targetName ?? "Hopperdeck", 200),
      severity: PAGERDUTY_SEVERITY[worst?.severity ?? "info"],
      timestamp: new Date(worst?.firedAt ?? worst?.at ?? 0).toISOString(),
      component: cleanName(worst?.metricLabel ?? "", 120),
      custom_details: {
        alerts: listed.slice(0, MOST_LISTED).map(line),
        ...(more(group) > 0 && { more: more(group) }),
        ...(worst && { facts: sentences(worst), action: worst.action.slice(0, 2_000) }),
      },
    },
    links: listed.slice(0, 5).map(({ url, ruleName }) => ({ href: url, text: cleanName(ruleName, 120) })),
  };
}

export type MailText = { subject: string; text: string; html: string };

export function mailGroup(group: GroupNews): MailText {
  const head = groupHeadline(group);
  const listed = inOrder(group.news).slice(0, MOST_LISTED);
  const [only] = listed;
  const isSingle = only !== undefined && group.news.length === 1;
  const facts = isSingle ? sentences(only) : listed.map(line);
  const action = isSingle && only.action !== "" && only.kind !== "resolved" ? only.action : null;
  const link = isSingle ? group.linkOf(only.alertId) : null;
  const text = [
    head,
    "",
    ...facts,
    ...rest(group),
    ...(action ? ["", `What to do: ${action}`] : []),
    "",
    ...(link ? [`Acknowledge: ${link}`] : []),
    ...listed.slice(0, 10).map(({ url }) => url),
  ].join("\n");
  const items = isSingle
    ? facts.map((fact) => `<p>${escapeHtml(fact)}</p>`)
    : [
        `<ul>${listed.map((news) => `<li><a href="${escapeHtml(news.url)}">${escapeHtml(line(news))}</a></li>`).join("")}</ul>`,
      ];
  const html = [
    `<h2>${escapeHtml(head)}</h2>`,
    ...items,
    ...rest(group).map((words) => `<p>${escapeHtml(words)}</p>`),
    ...(action ? [`<p><b>What to do:</b> ${escapeHtml(action)}</p>`] : []),
    ...(link ? [`<p><a href="${escapeHtml(link)}">Acknowledge</a></p>`] : []),
    ...(isSingle ? [`<p><a href="${escapeHtml(only.url)}">Open the alert</a></p>`] : []),
  ].join("\n");
  return { subject: oneLine(head), text, html };
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ").slice(0, 200);
}

export function escapeHtml(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;");
}
