import { type Client, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";
import type { SavedKind } from "@/lib/domain/saved";

export type StoredItem = {
  id: string;
  kind: SavedKind;
  name: string;
  body: unknown;
  version: number;
  isShared: boolean;
  ownerId: string | null;
  owner: string | null;
  updatedAt: number;
};

const OWNER = { owner: { select: { name: true } } } as const;
const MOST = 500;

type Row = Prisma.SavedItemGetPayload<{ include: typeof OWNER }>;

function itemOf({ id, kind, name, body, version, isShared, ownerId, owner, updatedAt }: Row): StoredItem {
  return {
    id,
    kind,
    name,
    body,
    version,
    isShared,
    ownerId,
    owner: owner?.name ?? null,
    updatedAt: updatedAt.getTime(),
  };
}

/** What is shared, and what one person keeps; by name. */
export async function listSaved(
  kind: SavedKind,
  ownerId: string | null,
  client: Client = prisma,
): Promise<StoredItem[]> {
  const rows = await client.savedItem.findMany({
    where: { kind, deletedAt: null, OR: [{ isShared: true }, ...(ownerId === null ? [] : [{ ownerId }])] },
    include: OWNER,
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: MOST,
  });
  return rows.map(itemOf);
}

export async function findSaved(kind: SavedKind, id: string, client: Client = prisma): Promise<StoredItem | null> {
  const row = await client.savedItem.findFirst({ where: { id, kind, deletedAt: null }, include: OWNER });
  return row && itemOf(row);
}

export async function countSaved(kind: SavedKind, client: Client = prisma): Promise<number> {
  return client.savedItem.count({ where: { kind, deletedAt: null } });
}

type Kept = { name: string; isShared: boolean; body: unknown };

export async function insertSaved(
  tx: Tx,
  kind: SavedKind,
  { name, isShared, body }: Kept,
  ownerId: string | null,
  at: Date,
): Promise<string> {
  const { id } = await tx.savedItem.create({
    data: { kind, name, isShared, body: body as Prisma.InputJsonValue, ownerId, createdAt: at, updatedAt: at },
    select: { id: true },
  });
  return id;
}

/** False: it was changed or removed since that version. */
export async function updateSaved(
  tx: Tx,
  { id, version, name, isShared, body }: Kept & { id: string; version: number },
  at: Date,
): Promise<boolean> {
  const { count } = await tx.savedItem.updateMany({
    where: { id, version, deletedAt: null },
    data: { name, isShared, body: body as Prisma.InputJsonValue, updatedAt: at },
  });
  return count > 0;
}

export async function removeSaved(tx: Tx, id: string, at: Date): Promise<boolean> {
  const { count } = await tx.savedItem.updateMany({
    where: { id, deletedAt: null },
    data: { deletedAt: at, updatedAt: at },
  });
  return count > 0;
}
