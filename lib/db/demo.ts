import { randomUUID } from "node:crypto";
import type { AlertState, ResolveReason, Severity, Transition } from "@/lib/domain/alerts/types";
import { pool, prisma } from "./client";

/** Whether the demo's past has been written. */
export async function isSeeded(): Promise<boolean> {
  return (await prisma.setting.count({ where: { id: "demo-seeded" } })) > 0;
}

export async function markSeeded(at: Date): Promise<void> {
  await prisma.setting.create({ data: { id: "demo-seeded", value: at.getTime(), updatedAt: at } });
}

/** A first attempt that was cut off leaves a part; the demo's database is its own, so it is emptied whole. */
export async function emptyDemo(): Promise<void> {
  const { rows } = await pool().query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname not in ('_prisma_migrations', 'setting', 'audit_event')`,
  );
  const tables = rows.map(({ name }) => `"${name}"`).join(", ");
  // One transaction: closed months guard themselves against being emptied, and a demo's go with it.
  const guards = ["ledger_row", "shared_cost", "cost_day", "period", "statement"];
  const turn = (how: "disable" | "enable") =>
    guards.map((name) => `alter table ${name} ${how} trigger user`).join("; ");
  await pool().query(`${turn("disable")}; truncate ${tables} restart identity cascade; ${turn("enable")}`);
  await pool().query("insert into cost_owner (id, team) values (0, '')");
}

/** A good look in which nothing had changed: evidence for the edges of what came next. */
export async function insertQuietPoll(connectionId: string, at: Date): Promise<void> {
  await pool().query(
    "insert into poll (connection_id, at, outcome, duration_ms) values ($1, $2, 'ok', 180) on conflict do nothing",
    [connectionId, at],
  );
  await pool().query(
    "update connection set last_poll_at = greatest(last_poll_at, $2), last_ok_at = greatest(last_ok_at, $2) where id = $1",
    [connectionId, at],
  );
}

/** Good looks all along, as a worker that ran would have left them: every few minutes, but for the hours in which it did not. */
export async function insertPastPolls(
  connectionId: string,
  from: Date,
  to: Date,
  everyMs: number,
  away: readonly { from: Date; to: Date }[],
): Promise<void> {
  await pool().query(
    `insert into poll (connection_id, at, outcome, duration_ms)
     select $1, at, 'ok', 180 from generate_series($2::timestamptz, $3::timestamptz, $4 * interval '1 millisecond') as at
     where not exists (select from unnest($5::timestamptz[], $6::timestamptz[]) as away (f, t) where at > f and at < t) on conflict do nothing`,
    [connectionId, from, to, everyMs, away.map((one) => one.from), away.map((one) => one.to)],
  );
}

/** The sender that speaks for a machine of the past. */
export async function findSourceOf(resourceId: string): Promise<{ id: string; resourceId: string | null } | null> {
  return prisma.telemetrySource.findFirst({ where: { resourceId }, select: { id: true, resourceId: true } });
}

export async function dateConnection(connectionId: string, createdAt: Date): Promise<void> {
  await prisma.connection.update({ where: { id: connectionId }, data: { createdAt } });
}

export type PastIntent = {
  kind: "launch" | "terminate";
  connectionId: string;
  externalId: string;
  targetId: string | null;
  request: object;
  by: string;
  at: Date;
};

/** A request that was made here in the past, and came true. */
export async function insertPastIntent({ at, by, externalId, request, ...intent }: PastIntent): Promise<string> {
  const id = randomUUID();
  await prisma.intent.create({
    data: {
      id,
      token: id,
      ...intent,
      request,
      planHash: new Uint8Array(32),
      requestedBy: by,
      state: "confirmed",
      createdAt: at,
      queuedAt: at,
      sentAt: at,
      acceptedAt: at,
      settledAt: at,
      sends: 1,
      externalId,
    },
  });
  return id;
}

export type PastEpisode = {
  ruleId: string;
  severity: Severity;
  target: { key: string; name: string; resourceId: string | null; gpuId: number | null };
  state: AlertState;
  end: { reason: ResolveReason; at: number } | null;
  transitions: Transition[];
};

/** Episodes that the replayed past brought about. */
export async function insertPastEpisodes(episodes: PastEpisode[]): Promise<void> {
  const instant = (at: number | null) => (at === null ? null : new Date(at));
  const rows = episodes.map((episode) => ({ id: randomUUID(), ...episode }));
  await prisma.alert.createMany({
    data: rows.map(({ id, ruleId, severity, target, state, end, transitions }) => ({
      id,
      ruleId,
      ruleVersion: state.ruleVersion,
      target: target.key,
      targetName: target.name,
      resourceId: target.resourceId,
      gpuId: target.gpuId,
      severity,
      status: end ? ("resolved" as const) : state.status,
      activeAt: new Date(state.activeAt),
      firedAt: instant(state.firedAt),
      keepSince: instant(state.keepSince),
      unknownSince: instant(state.unknownSince),
      lastSlot: new Date(state.lastSlot),
      firstValue: state.firstValue,
      lastValue: state.lastValue,
      peakValue: state.peakValue,
      resolvedAt: end ? new Date(end.at) : null,
      resolveReason: end?.reason ?? null,
      transitions: transitions.length,
    })),
  });
  await prisma.alertTransition.createMany({
    data: rows.flatMap(({ id, transitions }) =>
      transitions.map(({ kind, slot, value, note }, i) => ({
        alertId: id,
        seq: i + 1,
        kind,
        at: new Date(slot),
        slot: new Date(slot),
        value,
        note,
      })),
    ),
  });
}

export async function markJudged(ruleId: string, ruleVersion: number, slot: Date): Promise<void> {
  await prisma.ruleEval.upsert({
    where: { ruleId },
    create: { ruleId, ruleVersion, lastSlot: slot },
    update: { lastSlot: slot },
  });
}

/** Machines that ended by a request of this house say so. */
export async function nameTerminations(): Promise<void> {
  await pool().query(
    "update resource r set gone_reason = 'terminated_here' where gone_at is not null and exists (select 1 from intent i where i.target_id = r.id and i.kind = 'terminate')",
  );
}

export type PastMachine = {
  id: string;
  externalId: string;
  name: string;
  typeName: string | null;
  region: string;
  owner: string;
  team: string;
  workload: string;
  goneAt: Date | null;
};

/** Every machine that was ever seen. */
export async function listPastMachines(): Promise<PastMachine[]> {
  const { rows } = await pool().query<PastMachine>(
    `select r.id, r.external_id as "externalId", coalesce(s.name, r.external_id) as name, s.type_name as "typeName", s.region, coalesce(l.owner, '') as owner, coalesce(l.team, '') as team,
            coalesce(l.workload::text, 'unknown') as workload, r.gone_at as "goneAt"
     from resource r join lateral (select * from resource_span s where s.resource_id = r.id order by valid_from desc limit 1) s on true
     left join resource_label l on l.resource_id = r.id and l.valid_to is null where r.kind = 'instance'`,
  );
  return rows;
}
