import { pool, prisma } from "./client";

/** A policy as far as it matters when something is about to be done in its name. */
export type Standing = { id: string; name: string; mode: "paused" | "shadow" | "armed"; isRemoved: boolean };

export async function findStanding(policyId: string): Promise<Standing | null> {
  const row = await prisma.policy.findUnique({
    where: { id: policyId },
    select: { id: true, name: true, mode: true, deletedAt: true },
  });
  return row && { id: row.id, name: row.name, mode: row.mode, isRemoved: row.deletedAt !== null };
}

/** What is known of a machine without asking how busy it is. */
export type MachineStanding = {
  isGone: boolean;
  isProtected: boolean;
  protectReason: string;
  isOurs: boolean;
  isReserved: boolean;
  /** GPUs of its type, or as many as it ever reported. */
  gpus: number;
  idleSince: Date | null;
};

export async function machineStanding(resourceId: string): Promise<MachineStanding | null> {
  const { rows } = await pool().query<MachineStanding>(
    `select r.gone_at is not null as "isGone", r.is_protected as "isProtected", r.protect_reason as "protectReason",
            r.launch_intent_id is not null as "isOurs", coalesce(s.attrs ->> 'isReserved', 'false') = 'true' as "isReserved",
            coalesce(t.gpus, 0) as gpus, r.idle_since as "idleSince"
     from resource r
     join lateral (select * from resource_span s where s.resource_id = r.id order by s.valid_from desc limit 1) s on true
     left join instance_type t on t.provider = s.provider and t.name = s.type_name
     where r.id = $1`,
    [resourceId],
  );
  return rows[0] ?? null;
}

/** How many machines there are, how many automation has ended since an instant, and launches whose outcome nobody knows. */
export async function automationPace(
  since: Date,
): Promise<{ machines: number; lately: number; unknownLaunches: number }> {
  const { rows } = await pool().query<{ machines: number; lately: number; unknownLaunches: number }>(
    `select (select count(*)::int from resource where kind = 'instance' and gone_at is null) as machines,
            (select count(*)::int from intent where kind = 'terminate' and policy_id is not null and sent_at >= $1
               and (state <> 'sending' or accepted_at is not null)) as lately,
            (select count(*)::int from intent where kind = 'launch' and state = 'indeterminate') as "unknownLaunches"`,
    [since],
  );
  return rows[0] ?? { machines: 0, lately: 0, unknownLaunches: 0 };
}

/** Whether the last good look at the fleet was one that proves little. */
export async function isLastListingSuspect(connectionId: string): Promise<boolean> {
  const last = await prisma.poll.findFirst({
    where: { connectionId, outcome: { in: ["ok", "suspect"] } },
    orderBy: { at: "desc" },
    select: { outcome: true },
  });
  return last?.outcome === "suspect";
}
