import { createHash, createHmac } from "node:crypto";
import { type Channel, listChannels } from "@/lib/db/alerts/channels";
import type { Batch } from "@/lib/db/alerts/outbox";
import { now } from "@/lib/db/clock";
import { escapeSlack } from "@/lib/domain/alerts/message";
import {
  escapeHtml,
  type GroupNews,
  type MailText,
  mailGroup,
  pagerDutyEvent,
  slackGroup,
  webhookGroup,
} from "@/lib/domain/notify/message";
import { groupLabels } from "@/lib/domain/notify/routes";
import { env } from "@/lib/env";
import { sendMail } from "@/lib/integrations/mail";
import { OutboundError, postJson } from "@/lib/integrations/outbound";
import { restored } from "@/lib/services/alerts/news";
import { type ChannelSecret, openChannel } from "./channel-secret";
import { DEMO_PAGER, postToDemoPager } from "./demo-pager";
import { digestText, isDigest } from "./digest-text";
import { linksFor } from "./links";

export type Outcome = {
  statusCode: number | null;
  retryAfterMs: number | null;
  error: string | null;
  externalId?: string | null;
  isFinal?: boolean;
};

const REFUSED = { statusCode: null, retryAfterMs: null, isFinal: true };

/** Hands one message to its receiver, and says what came of it. */
export async function attempt(batch: Batch): Promise<Outcome> {
  const channel = (await listChannels()).find(({ id }) => id === batch.channelId);
  if (!channel) return { ...REFUSED, error: "The channel was removed" };
  const secret = await openChannel(channel.secretId);
  if (secret === null)
    return { ...REFUSED, error: "The channel's address cannot be read with this SECRETS_KEY; enter it again" };
  try {
    return await send(channel, secret, batch);
  } catch (error) {
    if (error instanceof OutboundError) return { ...REFUSED, error: error.message };
    const { code, responseCode, message } = error as NodeJS.ErrnoException & { responseCode?: number };
    // A mail server's 5xx is final, its 4xx is not; both are told in its own words.
    if (responseCode !== undefined)
      return { statusCode: responseCode < 500 ? 503 : 422, retryAfterMs: null, error: `SMTP ${message.slice(0, 200)}` };
    return { statusCode: null, retryAfterMs: null, error: `Not reached: ${code ?? message}` };
  }
}

async function send(channel: Channel, secret: ChannelSecret, batch: Batch): Promise<Outcome> {
  const options = { allowedCidrs: env.outboundPrivateCidrs };
  if (channel.kind === "email") {
    const { id, answer } = await sendMail(
      secret.url,
      {
        ...(await mailOf(batch, channel)),
        from: channel.config.from ?? "hopperdeck@localhost",
        to: channel.config.to,
        // One message, however often it is handed over (B40).
        messageId: `<${batch.id}@${new URL(env.publicUrl).hostname}>`,
      },
      options,
    );
    return { statusCode: 250, retryAfterMs: null, error: null, externalId: `${id} ${answer}` };
  }
  const body = await bodyOf(channel, secret, batch);
  // An incident that nobody was told of needs no end.
  if (body === null) return { statusCode: 204, retryAfterMs: null, error: null };
  const text = JSON.stringify(body);
  const headers = {
    "idempotency-key": batch.id,
    ...(secret.signingSecret && signed(text, secret.signingSecret, await now())),
  };
  const answer =
    secret.url === DEMO_PAGER
      ? await postToDemoPager(text, headers)
      : await postJson(secret.url, text, headers, options);
  const isGood = answer.statusCode >= 200 && answer.statusCode < 300;
  return {
    statusCode: answer.statusCode,
    retryAfterMs: answer.retryAfterMs,
    error: isGood ? null : `HTTP ${answer.statusCode}`,
  };
}

/** HMAC-SHA256 over "timestamp.body"; the receiver refuses old timestamps, and so replays. */
function signed(text: string, secret: string, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac("sha256", secret).update(`${timestamp}.${text}`).digest("hex");
  return { "hopperdeck-timestamp": timestamp, "hopperdeck-signature": `v1=${signature}` };
}

async function groupOf(batch: Batch, channel: Channel): Promise<GroupNews> {
  const news = batch.items.filter(({ alertId }) => alertId !== null).map(({ body }) => restored(body));
  const links = channel.kind === "slack" || channel.kind === "email" ? await linksFor(news, channel) : new Map();
  return {
    key: batch.id,
    episode: batch.episode,
    labels: groupLabels(batch.groupKey.replace(/:passed-on$/, "")),
    news,
    stillFiring: batch.stillFiring,
    publicUrl: env.publicUrl,
    linkOf: (alertId) => links.get(alertId) ?? null,
  };
}

type Plain = { subject: string; lines: string[] };

/** What is told of no alert; null: this batch is of alerts. */
function plainOf(batch: Batch): Plain | null {
  const [first] = batch.items;
  if (!first || first.alertId !== null) return null;
  if (first.kind === "undelivered") {
    const { channel, count, error } = first.body as { channel: string; count: number; error: string | null };
    return {
      subject: `Not delivered: ${count === 1 ? "a message" : `${count} messages`} to ${channel}`,
      lines: [
        `${channel} did not take ${count === 1 ? "it" : "them"}: ${error ?? "no reason given"}.`,
        `See Settings, Channels: ${env.publicUrl}/settings/channels`,
      ],
    };
  }
  if (first.kind === "digest" && isDigest(first.body)) return digestText(first.body, env.publicUrl);
  return { subject: "Test from Hopperdeck: this channel works.", lines: [] };
}

async function bodyOf(channel: Channel, secret: ChannelSecret, batch: Batch): Promise<unknown> {
  const plain = plainOf(batch);
  if (channel.kind === "pagerduty") {
    const routingKey = secret.routingKey ?? "";
    if (plain) return pagerDutyNote(plain, routingKey, batch);
    const group = await groupOf(batch, channel);
    return pagerDutyEvent(group, routingKey, dedupKey(channel, batch));
  }
  if (plain) return channel.kind === "slack" ? slackPlain(plain) : webhookPlain(plain, batch);
  const group = await groupOf(batch, channel);
  return channel.kind === "slack" ? slackGroup(group) : webhookGroup(group);
}

/** B40: of the route, the group's labels and its life; 64 of the 255 characters that PagerDuty takes. */
function dedupKey(channel: Channel, batch: Batch): string {
  return createHash("sha256").update(`${channel.id}|${batch.groupKey}|${batch.episode}`).digest("hex");
}

/** A test opens an incident of lowest severity; a digest is no incident. */
function pagerDutyNote({ subject }: Plain, routingKey: string, batch: Batch): unknown {
  if (batch.items[0]?.kind === "digest") return null;
  return {
    routing_key: routingKey,
    dedup_key: batch.id,
    event_action: "trigger",
    payload: { summary: subject, source: "Hopperdeck", severity: batch.items[0]?.kind === "test" ? "info" : "error" },
  };
}

function slackPlain({ subject, lines }: Plain) {
  return { text: [`*${escapeSlack(subject)}*`, ...lines.map(escapeSlack)].join("\n").slice(0, 3_000) };
}

function webhookPlain({ subject, lines }: Plain, batch: Batch) {
  const [first] = batch.items;
  return {
    version: 1,
    event: first?.kind ?? "test",
    at: (first?.createdAt ?? batch.firstAt).toISOString(),
    headline: subject,
    lines,
    ...(first?.kind === "digest" && { digest: first.body }),
  };
}

async function mailOf(batch: Batch, channel: Channel): Promise<MailText> {
  const plain = plainOf(batch);
  if (!plain) return mailGroup(await groupOf(batch, channel));
  const { subject, lines } = plain;
  const html = [`<h2>${escapeHtml(subject)}</h2>`, ...lines.map((line) => `<p>${escapeHtml(line)}</p>`)].join("\n");
  return { subject, text: [subject, "", ...lines].join("\n"), html };
}
