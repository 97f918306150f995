import type { Tx } from "@/lib/db/mutate";
import { type Labels, NO_LABELS } from "@/lib/domain/fleet/workloads";

/**
 * Ends the labels that hold and begins new ones at `at`; the past keeps its own. Within one instant the later word counts.
 * Null: there is no such machine.
 */
export async function changeLabels(
  tx: Tx,
  resourceId: string,
  labels: Labels,
  byId: string | null,
  at: Date,
): Promise<{ name: string; before: Labels } | null> {
  const [locked] = await tx.$queryRaw<{ name: string | null; externalId: string }[]>`
    SELECT (SELECT s.name FROM resource_span s WHERE s.resource_id = r.id ORDER BY s.valid_from DESC LIMIT 1) AS name,
           r.external_id AS "externalId"
    FROM resource r WHERE r.id = ${resourceId}::uuid FOR NO KEY UPDATE`;
  if (!locked) return null;
  const current = await tx.resourceLabel.findFirst({ where: { resourceId, validTo: null } });
  const { owner, team, project, environment, costCenter, workload } = current ?? NO_LABELS;
  if (current && current.validFrom >= at) {
    await tx.resourceLabel.update({ where: { id: current.id }, data: { ...labels, byId } });
  } else {
    if (current) await tx.resourceLabel.update({ where: { id: current.id }, data: { validTo: at } });
    await tx.resourceLabel.create({ data: { resourceId, validFrom: at, byId, ...labels } });
  }
  return {
    name: locked.name ?? locked.externalId,
    before: { owner, team, project, environment, costCenter, workload },
  };
}
