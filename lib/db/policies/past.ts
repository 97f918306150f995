import { pool, prisma, transact } from "@/lib/db/client";
import type { NewPolicy } from "@/lib/domain/policies/policy";
import type { ActEvidence } from "./acts";
import { insertPolicy } from "./policies";

/** How many cards each machine had. */
export async function listPastMachines(ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await pool().query<{ id: string; gpus: number }>(
    "select resource_id as id, count(distinct uuid)::int as gpus from gpu where resource_id = any ($1::uuid[]) group by resource_id",
    [ids],
  );
  return new Map(rows.map(({ id, gpus }) => [id, gpus]));
}

export type PastPolicy = { policy: NewPolicy; at: Date; armedAt: Date | null };

/** A policy that somebody made in a demo's past. */
export async function insertPastPolicy({ policy, at, armedAt }: PastPolicy): Promise<string> {
  const { id } = await transact((tx) => insertPolicy(tx, policy, { createdById: null, at }));
  if (armedAt !== null)
    await prisma.policy.update({ where: { id }, data: { mode: "armed", armedAt, updatedAt: armedAt } });
  return id;
}

export type PastAct = {
  resourceId: string;
  slot: Date;
  reason: string;
  evidence: ActEvidence;
  micros: bigint;
};

/** What a policy in shadow would have done in a demo's past. */
export async function insertPastActs(policyId: string, acts: readonly PastAct[]): Promise<void> {
  await prisma.policyAction.createMany({
    data: acts.map(({ evidence, ...act }) => ({
      ...act,
      policyId,
      target: act.resourceId,
      decision: "would_act" as const,
      evidence: { ...evidence },
      decidedAt: act.slot,
    })),
    skipDuplicates: true,
  });
}
