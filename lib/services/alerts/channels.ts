import { randomBytes, randomUUID } from "node:crypto";
import {
  type Channel,
  deleteChannel,
  insertChannel,
  lastDeliveries,
  listChannels,
  updateChannel,
} from "@/lib/db/alerts/channels";
import { enqueue } from "@/lib/db/alerts/outbox";
import { mutate } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import {
  type ChannelChange,
  type ChannelsAnswer,
  type NewChannel,
  PAGERDUTY_EVENTS,
} from "@/lib/domain/alerts/channels";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { checkedMailServer } from "@/lib/integrations/mail";
import { checkedUrl, OutboundError } from "@/lib/integrations/outbound";
import { type ChannelSecret, sealedChannel } from "@/lib/services/notify/channel-secret";
import { openSecret, storeSecret } from "@/lib/services/secrets";

/**
 * Adds a place to which alerts are told. Its address is kept encrypted and never shown again; a webhook's signing secret is
 * shown this once.
 */
export async function createChannel(
  ctx: Ctx,
  input: NewChannel,
): Promise<{ id: string; signingSecret: string | null }> {
  authorize(ctx, "rule:write");
  const { kind, name, from, to, digests, minSeverity, sendResolved } = input;
  const secret = secretOf(input);
  const host = safeHost(kind, secret);
  const config = { from: kind === "email" ? from : null, to: kind === "email" ? to : [], digests };
  const shown = { kind, name, host, config, minSeverity, sendResolved };
  try {
    return await mutate(ctx, "rule:write", async (tx) => {
      const secretId = await storeSecret(tx, "channel", sealedChannel(secret), ctx.now);
      const channel = await insertChannel(tx, { ...shown, secretId }, ctx.now);
      const result = { id: channel.id, signingSecret: secret.signingSecret ?? null };
      return { action: "channel.created", ...subject(channel), after: shown, result };
    });
  } catch (error) {
    if ((error as { code?: string }).code === "P2002")
      throw new AppError("conflict", `There is a channel called ${name} already.`, { name: "is taken" });
    throw error;
  }
}

function secretOf({ kind, url, routingKey, region }: NewChannel): ChannelSecret {
  if (kind === "pagerduty") return { url: PAGERDUTY_EVENTS[region], routingKey };
  if (kind === "webhook") return { url, signingSecret: `whsec_${randomBytes(32).toString("base64url")}` };
  return { url };
}

export async function changeChannel(ctx: Ctx, { channelId, ...change }: ChannelChange): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    const before = (await listChannels(tx)).find((channel) => channel.id === channelId);
    if (!before) throw new AppError("not-found", "There is no such channel.");
    const { digests, ...rest } = change;
    const given = {
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
      ...(digests && { config: { ...before.config, digests } }),
    };
    const after = await updateChannel(tx, channelId, given, ctx.now);
    return {
      action: "channel.changed",
      ...subject(after),
      before: shown(before),
      after: shown(after),
      result: { id: channelId },
    };
  });
}

export async function removeChannel(ctx: Ctx, { channelId }: { channelId: string }): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    const before = (await listChannels(tx)).find((channel) => channel.id === channelId);
    if (!before) throw new AppError("not-found", "There is no such channel.");
    await deleteChannel(tx, channelId, ctx.now);
    return { action: "channel.removed", ...subject(before), before: shown(before), result: { id: channelId } };
  });
}

/** Queues a test message; the delivery log says what came of it. */
export async function testChannel(ctx: Ctx, { channelId }: { channelId: string }): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    const channel = (await listChannels(tx)).find((one) => one.id === channelId);
    if (!channel) throw new AppError("not-found", "There is no such channel.");
    const key = `test:${randomUUID()}`;
    const item = { key, groupKey: key, channelId, routeId: null, alertId: null, kind: "test" as const, body: {} };
    await enqueue(tx, { ...item, at: ctx.now, nextAt: ctx.now });
    return { action: "channel.tested", ...subject(channel), result: { id: channelId } };
  });
}

/** The channels and what came of the last message to each. Addresses stay where they are. */
export async function readChannels(ctx: Ctx): Promise<ChannelsAnswer> {
  authorize(ctx, "fleet:read");
  const [channels, deliveries] = await Promise.all([listChannels(), lastDeliveries()]);
  const rows = await Promise.all(
    channels.map(async ({ secretId, ...channel }) => {
      const last = deliveries.get(channel.id);
      return {
        ...channel,
        isUnreadable: (await openSecret(secretId)) === null,
        last: last
          ? { at: last.at.getTime(), isDelivered: last.error === null, error: last.error, tookMs: last.tookMs }
          : null,
      };
    }),
  );
  return { now: ctx.now.getTime(), channels: rows };
}

/** The host that people may see. Throws where the address may not be called. */
function safeHost(kind: NewChannel["kind"], { url }: ChannelSecret): string {
  try {
    return (kind === "email" ? checkedMailServer : checkedUrl)(url, env.outboundPrivateCidrs).host;
  } catch (error) {
    if (error instanceof OutboundError) throw new AppError("invalid", error.message, { url: error.message });
    throw error;
  }
}

function subject(channel: Pick<Channel, "id" | "name">) {
  return { subjectKind: "channel", subjectId: channel.id, subject: channel.name };
}

function shown({ kind, name, host, config, minSeverity, sendResolved, enabled }: Channel) {
  return { kind, name, host, config, minSeverity, sendResolved, enabled };
}
