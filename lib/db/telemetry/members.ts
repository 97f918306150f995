import type pg from "pg";
import { MOST_SCOPES, type ScopeKind, scopeOf } from "@/lib/domain/telemetry/scope";

/** A stretch of time in which a GPU belonged to some groups. */
export type Membership = { from: number; to: number; scopes: readonly string[] };

type Querier = Pick<pg.PoolClient, "query">;

/** The memory of each GPU that belongs to a machine: what the fleet is made of. */
export async function fleetMembers(client: Querier): Promise<Map<number, number | null>> {
  const { rows } = await client.query<{ id: number; memoryMib: number | null }>(
    `select id, memory_mib as "memoryMib" from gpu where resource_id is not null`,
  );
  return new Map(rows.map((row) => [row.id, row.memoryMib]));
}

type Spans = { resourceId: string; from: Date; to: Date | null; words: Partial<Record<ScopeKind, string | null>> };

/** To which groups each GPU belonged in [from, to): by its model, its machine's type, and the labels as they were then. */
export async function membershipsIn(client: Querier, from: number, to: number): Promise<Map<number, Membership[]>> {
  const window = [new Date(from), new Date(to)];
  const { rows: gpus } = await client.query<{ id: number; resourceId: string; model: string }>(
    `select id, resource_id as "resourceId", model from gpu where resource_id is not null`,
  );
  const { rows: labels } = await client.query<
    Record<ScopeKind, string> & { resourceId: string; from: Date; to: Date | null }
  >(
    `select resource_id as "resourceId", valid_from as "from", valid_to as "to", team, project, environment, workload::text as workload
     from resource_label where valid_from < $2 and (valid_to is null or valid_to > $1)`,
    window,
  );
  const { rows: types } = await client.query<{ resourceId: string; from: Date; to: Date | null; type: string | null }>(
    `select resource_id as "resourceId", valid_from as "from", valid_to as "to", type_name as type
     from resource_span where valid_from < $2 and (valid_to is null or valid_to > $1)`,
    window,
  );
  const spans = new Map<string, Spans[]>();
  const add = (span: Spans) => spans.set(span.resourceId, [...(spans.get(span.resourceId) ?? []), span]);
  for (const { resourceId, from: start, to: end, team, project, environment, workload } of labels)
    add({ resourceId, from: start, to: end, words: { team, project, environment, workload } });
  for (const { resourceId, from: start, to: end, type } of types)
    add({ resourceId, from: start, to: end, words: { type } });

  const ofResource = new Map([...spans].map(([id, own]) => [id, cutUp(own, from, to)]));
  return limited(
    new Map(
      gpus.map(({ id, resourceId, model }) => {
        const own = ofResource.get(resourceId) ?? [{ from, to, words: {} }];
        return [
          id,
          own.map((piece) => ({ from: piece.from, to: piece.to, scopes: scopesOf({ ...piece.words, model }) })),
        ];
      }),
    ),
  );
}

/** The window in pieces within which nothing changes. */
function cutUp(
  spans: readonly Spans[],
  from: number,
  to: number,
): { from: number; to: number; words: Spans["words"] }[] {
  const edges = new Set([from, to]);
  for (const span of spans)
    for (const at of [span.from.getTime(), span.to?.getTime() ?? to]) if (at > from && at < to) edges.add(at);
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((start, i) => {
    const holding = spans.filter(
      (span) => span.from.getTime() <= start && (span.to === null || span.to.getTime() > start),
    );
    return {
      from: start,
      to: sorted[i + 1] ?? to,
      words: Object.assign({}, ...holding.map((span) => span.words)) as Spans["words"],
    };
  });
}

function scopesOf(words: Partial<Record<ScopeKind, string | null>>): string[] {
  // Object.entries widens its keys; they are exactly the kinds.
  return (Object.entries(words) as [ScopeKind, string | null][])
    .map(([kind, value]) => scopeOf(kind, value))
    .filter((scope) => scope !== null);
}

/** The largest groups, so that a label per job does not fill the disk. */
function limited(all: Map<number, Membership[]>): Map<number, Membership[]> {
  const sizes = new Map<string, number>();
  for (const pieces of all.values())
    for (const { scopes } of pieces) for (const scope of scopes) sizes.set(scope, (sizes.get(scope) ?? 0) + 1);
  if (sizes.size <= MOST_SCOPES) return all;
  const kept = new Set(
    [...sizes]
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, MOST_SCOPES)
      .map(([scope]) => scope),
  );
  return new Map(
    [...all].map(([id, pieces]) => [
      id,
      pieces.map((piece) => ({ ...piece, scopes: piece.scopes.filter((scope) => kept.has(scope)) })),
    ]),
  );
}
