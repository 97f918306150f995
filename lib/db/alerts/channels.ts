import { type Client, pool, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";
import { type ChannelConfig, type ChannelKind, readConfig } from "@/lib/domain/alerts/channels";
import type { Severity } from "@/lib/domain/alerts/types";

export type Channel = {
  id: string;
  kind: ChannelKind;
  name: string;
  host: string;
  config: ChannelConfig;
  minSeverity: Severity;
  sendResolved: boolean;
  enabled: boolean;
  secretId: string;
};

const SHOWN = {
  id: true,
  kind: true,
  name: true,
  host: true,
  config: true,
  minSeverity: true,
  sendResolved: true,
  enabled: true,
  secretId: true,
} as const;

type Row = Prisma.ChannelGetPayload<{ select: typeof SHOWN }>;

const channelOf = ({ config, ...row }: Row): Channel => ({ ...row, config: readConfig(config) });

export async function listChannels(tx: Client = prisma): Promise<Channel[]> {
  const rows = await tx.channel.findMany({ where: { deletedAt: null }, select: SHOWN, orderBy: { name: "asc" } });
  return rows.map(channelOf);
}

export async function insertChannel(tx: Tx, channel: Omit<Channel, "id" | "enabled">, at: Date): Promise<Channel> {
  const config = { ...channel.config } as Prisma.InputJsonObject;
  return channelOf(await tx.channel.create({ data: { ...channel, config, updatedAt: at }, select: SHOWN }));
}

export async function updateChannel(
  tx: Tx,
  id: string,
  change: Partial<Pick<Channel, "enabled" | "minSeverity" | "sendResolved" | "config">>,
  at: Date,
): Promise<Channel> {
  const { config, ...rest } = change;
  const data = { ...rest, ...(config && { config: { ...config } as Prisma.InputJsonObject }), updatedAt: at };
  return channelOf(await tx.channel.update({ where: { id }, data, select: SHOWN }));
}

export async function deleteChannel(tx: Tx, id: string, at: Date): Promise<Channel> {
  const { name } = await tx.channel.findUniqueOrThrow({ where: { id }, select: { name: true } });
  // The name becomes free again; the row stays for its deliveries.
  return channelOf(
    await tx.channel.update({
      where: { id },
      data: { deletedAt: at, enabled: false, updatedAt: at, name: `${name} (removed ${at.toISOString()})` },
      select: SHOWN,
    }),
  );
}

/** The last attempt on each channel, for Settings. */
export async function lastDeliveries(): Promise<
  Map<string, { at: Date; statusCode: number | null; error: string | null; tookMs: number | null }>
> {
  const { rows } = await pool().query<{
    channelId: string;
    at: Date;
    statusCode: number | null;
    error: string | null;
    tookMs: number | null;
  }>(
    `select d.channel_id as "channelId", d.started_at as at, d.status_code as "statusCode", d.error,
            (extract(epoch from d.finished_at - d.started_at) * 1000)::float8 as "tookMs"
     from channel c cross join lateral (select * from delivery where channel_id = c.id order by started_at desc limit 1) d`,
  );
  return new Map(rows.map(({ channelId, ...last }) => [channelId, last]));
}
