import type { IntentState } from "@/lib/domain/intents/intent";
import { type Client, pool, prisma } from "./client";
import type { Tx } from "./mutate";

const UNLISTED_MS = 3_600_000;

export type SeenCapacity = { typeName: string; region: string; at: Date };

/** When each type was last listed in each region, up to an instant. */
export async function lastCapacity(provider: string, now: Date): Promise<SeenCapacity[]> {
  const { rows } = await pool().query<SeenCapacity>(
    `select type_name as "typeName", region, max(coalesce("to", $2)) as at from capacity_span where provider = $1 group by type_name, region`,
    [provider, now],
  );
  return rows;
}

/** What each type has cost on demand, the oldest price first. */
export async function listedPrices(provider: string): Promise<{ sku: string; micros: bigint; validFrom: Date }[]> {
  return prisma.price.findMany({
    where: { provider, unit: "instance_hour", tier: "on_demand", supersededAt: null },
    orderBy: [{ validFrom: "asc" }, { id: "asc" }],
    select: { sku: true, micros: true, validFrom: true },
  });
}

export type AnsweredLaunch = {
  typeName: string;
  region: string;
  at: Date;
  isAccepted: boolean;
  errorCode: string | null;
  error: string | null;
};

/** Launches since an instant that Lambda answered, the newest first. */
export async function answeredLaunches(since: Date): Promise<AnsweredLaunch[]> {
  const { rows } = await pool().query<AnsweredLaunch>(
    `select request ->> 'typeName' as "typeName", request ->> 'region' as region, coalesce(accepted_at, settled_at) as at,
            state <> 'refused' as "isAccepted", error_code as "errorCode", error
     from intent where kind = 'launch' and created_at >= $1 and sends > 0
       and (state = 'refused' or accepted_at is not null or state = 'adopted')
     order by coalesce(accepted_at, settled_at) desc limit 2000`,
    [since],
  );
  return rows;
}

/** Which of these launches a person asked for. */
export async function launchesOf(personId: string, intentIds: string[]): Promise<Set<string>> {
  const rows = await prisma.intent.findMany({
    where: { id: { in: intentIds }, requestedById: personId },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}

export type OpenLaunch = { id: string; typeName: string; name: string; requestedById: string | null };

/** Launches that are asked for and have no machine yet, those that wait for an approval included. */
export async function openLaunches(now: Date, client: Client = prisma): Promise<OpenLaunch[]> {
  const rows = await client.intent.findMany({
    where: {
      kind: "launch",
      launched: null,
      OR: [
        { state: { in: ["awaiting_approval", "ready", "sending", "indeterminate"] } },
        // Accepted and not listed yet; what is not listed after so long is not coming.
        { state: "confirmed", acceptedAt: { gte: new Date(now.getTime() - UNLISTED_MS) } },
      ],
    },
    orderBy: { id: "asc" },
    select: { id: true, request: true, requestedById: true },
  });
  return rows.map(({ id, request, requestedById }) => {
    // Written by this product; see NewIntent.
    const { typeName, name } = request as { typeName: string; name: string };
    return { id, typeName, name, requestedById };
  });
}

/** One launch is judged at a time, so that two together cannot pass a limit that each alone keeps to. */
export async function lockLaunches(tx: Tx): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtext('launches'))) locked`;
}

/** Launches that were asked for in one act with this one, itself included, by name; none where it was asked for alone. */
export async function batchOf(intentId: string): Promise<{ id: string; name: string; state: IntentState }[]> {
  const { rows } = await pool().query<{ id: string; name: string; state: IntentState }>(
    `select b.id, b.request ->> 'name' as name, b.state::text as state
     from intent a join intent b on b.batch_id = a.batch_id and b.kind = 'launch' where a.id = $1 order by name, b.id`,
    [intentId],
  );
  return rows;
}
