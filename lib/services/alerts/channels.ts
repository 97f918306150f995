import { randomUUID } from "node:crypto";
import {
  type Channel,
  deleteChannel,
  enqueue,
  insertChannel,
  lastDeliveries,
  listChannels,
  updateChannel,
} from "@/lib/db/alerts/outbox";
import { mutate } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { ChannelChange, ChannelsAnswer, NewChannel } from "@/lib/domain/alerts/channels";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { checkedUrl, OutboundError } from "@/lib/integrations/outbound";
import { openSecret, storeSecret } from "@/lib/services/secrets";

/** Adds a place to which alerts are told. Its address is kept encrypted and never shown again. */
export async function createChannel(ctx: Ctx, { url, ...input }: NewChannel): Promise<{ id: string }> {
  const { host } = safeUrl(url);
  try {
    return await mutate(ctx, "rule:write", async (tx) => {
      const secretId = await storeSecret(tx, "channel", url, ctx.now);
      const channel = await insertChannel(tx, { ...input, host, secretId }, ctx.now);
      return { action: "channel.created", ...subject(channel), after: { ...input, host }, result: { id: channel.id } };
    });
  } catch (error) {
    if ((error as { code?: string }).code === "P2002")
      throw new AppError("conflict", `There is a channel called ${input.name} already.`, { name: "is taken" });
    throw error;
  }
}

export async function changeChannel(ctx: Ctx, { channelId, ...change }: ChannelChange): Promise<{ id: string }> {
  return mutate(ctx, "rule:write", async (tx) => {
    const before = (await listChannels(tx)).find((channel) => channel.id === channelId);
    if (!before) throw new AppError("not-found", "There is no such channel.");
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
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
    await enqueue(tx, { key: `test:${randomUUID()}`, channelId, alertId: null, kind: "test", body: {}, at: ctx.now });
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

function safeUrl(url: string): URL {
  try {
    return checkedUrl(url, env.outboundPrivateCidrs);
  } catch (error) {
    if (error instanceof OutboundError) throw new AppError("invalid", error.message, { url: error.message });
    throw error;
  }
}

function subject(channel: Pick<Channel, "id" | "name">) {
  return { subjectKind: "channel", subjectId: channel.id, subject: channel.name };
}

function shown({ kind, name, host, minSeverity, sendResolved, enabled }: Channel) {
  return { kind, name, host, minSeverity, sendResolved, enabled };
}
