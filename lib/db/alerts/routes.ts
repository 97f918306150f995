import { z } from "zod";
import { type Client, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";
import type { EscalationStep, Route } from "@/lib/domain/notify/routes";
import { Matchers } from "@/lib/domain/silences/matchers";

const Steps = z.array(
  z.union([
    z.object({ channelId: z.uuid(), afterMs: z.number() }),
    z.object({ channelId: z.uuid(), afterMicros: z.string().transform(BigInt) }),
  ]),
);

export type StoredRoute = Route & { position: number; enabled: boolean; version: number };

type Row = Prisma.RouteGetPayload<object>;

const routeOf = (row: Row): StoredRoute => ({
  id: row.id,
  isImplicit: false,
  name: row.name,
  channelId: row.channelId,
  matchers: Matchers.parse(row.matchers),
  groupBy: row.groupBy,
  groupWaitMs: row.groupWaitMs,
  groupIntervalMs: row.groupIntervalMs,
  repeatMs: row.repeatMs,
  escalation: Steps.parse(row.escalation),
  goesOn: row.goesOn,
  position: row.position,
  enabled: row.enabled,
  version: row.version,
});

/** All routes in the order in which they are asked. */
export async function listRoutes(client: Client = prisma): Promise<StoredRoute[]> {
  const rows = await client.route.findMany({
    where: { deletedAt: null },
    orderBy: [{ position: "asc" }, { id: "asc" }],
  });
  return rows.map(routeOf);
}

export type RouteInput = Omit<Route, "id" | "isImplicit"> & { enabled: boolean };

const columnsOf = ({ matchers, escalation, groupBy, ...rest }: RouteInput) => ({
  ...rest,
  groupBy: [...groupBy],
  matchers: matchers as unknown as Prisma.InputJsonArray,
  escalation: escalation.map(stored) as Prisma.InputJsonArray,
});

const stored = (step: EscalationStep) =>
  "afterMicros" in step ? { channelId: step.channelId, afterMicros: step.afterMicros.toString() } : step;

export async function insertRoute(tx: Tx, input: RouteInput, position: number, at: Date): Promise<string> {
  const { id } = await tx.route.create({
    data: { ...columnsOf(input), position, createdAt: at, updatedAt: at },
    select: { id: true },
  });
  return id;
}

export async function updateRoute(tx: Tx, id: string, input: RouteInput, at: Date): Promise<void> {
  await tx.route.update({ where: { id }, data: { ...columnsOf(input), updatedAt: at } });
}

export async function deleteRoute(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.route.update({ where: { id }, data: { deletedAt: at, enabled: false, updatedAt: at } });
}

/** Puts routes into an order; those that are not named keep theirs behind. */
export async function orderRoutes(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  for (const [position, id] of ids.entries())
    await tx.route.updateMany({ where: { id, deletedAt: null }, data: { position, updatedAt: at } });
}
