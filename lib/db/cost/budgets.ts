import { type Client, pool, prisma } from "@/lib/db/client";
import type { Tx } from "@/lib/db/mutate";
import { type Budget, Threshold } from "@/lib/domain/cost/budgets";
import { isFleet, Selector } from "@/lib/domain/cost/scope";

type Row = Awaited<ReturnType<Client["budget"]["findMany"]>>[number];

function toBudget(row: Row): Budget {
  return {
    id: row.id,
    name: row.name,
    selector: Selector.parse(row.selector),
    every: row.every,
    micros: row.micros,
    thresholds: Threshold.array().parse(row.thresholds),
    fromDay: row.fromDay.toISOString().slice(0, 10),
    version: row.version,
  };
}

/** Every budget that stands, the fleet's first. */
export async function listBudgets(client: Client = prisma): Promise<Budget[]> {
  const rows = await client.budget.findMany({
    where: { deletedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const budgets = rows.map(toBudget);
  return [
    ...budgets.filter(({ selector }) => isFleet(selector)),
    ...budgets.filter(({ selector }) => !isFleet(selector)),
  ];
}

/** The month's budget of the whole fleet: what Overview and Cost are drawn against. */
export async function fleetBudget(): Promise<Budget | null> {
  return (await listBudgets()).find(({ selector, every }) => isFleet(selector) && every === "month") ?? null;
}

/** A budget that stands, locked against another who changes it at the same moment. */
export async function lockBudget(tx: Tx, id: string): Promise<Budget | null> {
  await tx.$queryRaw`SELECT id FROM budget WHERE id = ${id}::uuid FOR UPDATE`;
  const row = await tx.budget.findFirst({ where: { id, deletedAt: null } });
  return row && toBudget(row);
}

export type BudgetRow = Omit<Budget, "id" | "version" | "fromDay">;

export async function insertBudget(tx: Tx, budget: BudgetRow & { fromDay: string }, at: Date): Promise<Budget> {
  const { selector, thresholds, fromDay, ...rest } = budget;
  return toBudget(
    await tx.budget.create({
      data: {
        ...rest,
        selector: { ...selector },
        thresholds: [...thresholds],
        fromDay: new Date(fromDay),
        createdAt: at,
        updatedAt: at,
      },
    }),
  );
}

export async function updateBudget(
  tx: Tx,
  id: string,
  { selector, thresholds, ...rest }: BudgetRow,
  at: Date,
): Promise<void> {
  await tx.budget.update({
    where: { id },
    data: { ...rest, selector: { ...selector }, thresholds: [...thresholds], updatedAt: at },
  });
}

export async function removeBudget(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.budget.update({ where: { id }, data: { deletedAt: at, updatedAt: at } });
}

export type BudgetAct = {
  at: Date;
  actor: string;
  action: string;
  changes: Record<string, { from: unknown; to: unknown }>;
};

/** Who did what to a budget, newest first. */
export async function listBudgetActs(id: string, limit = 20): Promise<BudgetAct[]> {
  const rows = await prisma.auditEvent.findMany({
    where: { subjectKind: "budget", subjectId: id },
    orderBy: { seq: "desc" },
    take: limit,
    select: { at: true, actor: true, action: true, changes: true },
  });
  return rows.map(({ changes, ...row }) => ({ ...row, changes: Object(changes) }));
}

export type KnownScopes = Record<
  "team" | "project" | "environment" | "costCenter" | "type" | "region" | "connection",
  string[]
>;

/** What a budget may be for: the words that money was spent under. */
export async function knownScopes(): Promise<KnownScopes> {
  const { rows } = await pool().query<{ kind: keyof KnownScopes; word: string }>(
    `select distinct kind, word from (
       select unnest(array['team', 'project', 'environment', 'costCenter']) as kind, unnest(array[team, project, environment, cost_center]) as word from cost_owner
       union all select 'type', type_name from cost_day union all select 'region', region from cost_day
       union all select 'connection', name from connection) x where coalesce(word, '') <> '' order by 1, 2 limit 2000`,
  );
  const known: KnownScopes = {
    team: [],
    project: [],
    environment: [],
    costCenter: [],
    type: [],
    region: [],
    connection: [],
  };
  for (const { kind, word } of rows) known[kind].push(word);
  return known;
}
