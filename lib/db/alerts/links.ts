import { type Client, prisma } from "@/lib/db/client";
import type { Tx } from "@/lib/db/mutate";

export type MessageLink = { alertId: string; channelId: string; channel: string; expiresAt: Date; usedAt: Date | null };

export async function insertLinks(
  links: readonly { hash: Uint8Array<ArrayBuffer>; alertId: string; channelId: string }[],
  createdAt: Date,
  expiresAt: Date,
): Promise<void> {
  await prisma.messageLink.createMany({ data: links.map((link) => ({ ...link, createdAt, expiresAt })) });
}

export async function findLink(hash: Uint8Array<ArrayBuffer>): Promise<MessageLink | null> {
  const row = await prisma.messageLink.findUnique({
    where: { hash },
    include: { channel: { select: { name: true } } },
  });
  return row && { ...row, channel: row.channel.name };
}

/** False: it was used already, or has run out. */
export async function useUpLink(tx: Tx, hash: Uint8Array<ArrayBuffer>, at: Date): Promise<boolean> {
  const { count } = await tx.messageLink.updateMany({
    where: { hash, usedAt: null, expiresAt: { gt: at } },
    data: { usedAt: at },
  });
  return count > 0;
}

export async function dropOldLinks(before: Date, client: Client = prisma): Promise<number> {
  const { count } = await client.messageLink.deleteMany({ where: { expiresAt: { lt: before } } });
  return count;
}
