import type { listOffers } from "@/lib/db/fleet/catalog";
import type { LastProcess, MachineUse, UsePart } from "@/lib/db/fleet/evidence";
import { toSeen } from "@/lib/db/fleet/inventory";
import type { Filesystem, InstanceFacts } from "@/lib/db/fleet/read";
import type { Intent } from "@/lib/db/intents";
import { type Ctx, can } from "@/lib/domain/access";
import type { GpuNow, InstanceRow } from "@/lib/domain/fleet/view";
import { type ChangeEvidence, concernsOf, type UseOver } from "@/lib/domain/intents/change";
import { type Checklist, checklistFor } from "@/lib/domain/intents/checklist";
import { holdersOf } from "@/lib/domain/intents/evidence";
import { approvalNeeded, type Guardrails } from "@/lib/domain/intents/guardrails";
import { confirmationOf, planHash } from "@/lib/domain/intents/plan";
import { hashBytes } from "./hash";

const BUSY_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;

export type Surroundings = {
  fleet: InstanceFacts[];
  rows: Map<string, InstanceRow>;
  gpus: Map<string, GpuNow[]>;
  use: Map<string, MachineUse>;
  isFrozen: boolean;
  listedAt: number | null;
  filesystems: Filesystem[];
  storageMicros: bigint | null;
  offers: Awaited<ReturnType<typeof listOffers>>;
  open: Map<string, Intent>;
  named: Set<string>;
  lately: number;
  last: Map<string, LastProcess>;
  launches: Map<string, { requestedBy: string; createdAt: Date; reason: string | null }>;
  guardrails: Guardrails;
  checklists: { name: string; body: Checklist }[];
  monthEnd: number;
  zone: string;
};

type Line = { line: (number | null)[]; lineFrom: number };

/** Puts together what is known of one machine; null: it has no row, so nothing can be said. */
export function evidenceOf(
  ctx: Ctx,
  kind: "terminate" | "restart",
  facts: InstanceFacts,
  span: Parameters<typeof toSeen>[1],
  around: Surroundings,
  { line, lineFrom }: Line,
): ChangeEvidence | null {
  const row = around.rows.get(facts.id);
  if (!row) return null;
  const now = ctx.now.getTime();
  const gpus = around.gpus.get(facts.id) ?? [];
  const use = around.use.get(facts.id) ?? { minutes: [], day: [], gpus: 0 };
  const lately = use.minutes.filter(({ at }) => at.getTime() >= now - BUSY_MS);
  const busy = lately.flatMap(({ effectivePct }) => effectivePct ?? []);
  const known = line.filter((value) => value !== null);
  const processes = gpus.some((gpu) => gpu.processes !== null) ? gpus.flatMap((gpu) => gpu.processes ?? []) : null;
  const over = { now, since: facts.activeSince?.getTime() ?? 0, gpus: use.gpus };
  const machine = toSeen(facts.externalId, span);
  const launch = around.launches.get(facts.id);
  const launchedBy = launch?.requestedBy ?? row.launchedBy;
  const concerns = concernsOf({
    isBilled: row.isBilled,
    telemetry: row.telemetry.state,
    peakPct: busy.length === 0 ? null : Math.max(...busy),
    isOurs: row.isOurs,
    isReserved: facts.attrs.isReserved === true,
    launchedBy: row.launchedBy,
    owner: facts.owner,
    protection: facts.isProtected ? facts.protectReason : null,
    self: selfOf(ctx),
  });
  const attached = attachedTo(facts, around);
  const open = around.open.get(facts.id);
  const price = row.isBilled && row.priceMicros !== null ? BigInt(row.priceMicros) : null;
  const needed =
    kind === "terminate"
      ? approvalNeeded(
          {
            kind,
            actor: ctx.actor,
            concerns: concerns.map(({ key }) => key),
            isProtected: facts.isProtected,
          },
          around.guardrails,
        )
      : null;
  return {
    now,
    instanceId: facts.id,
    externalId: facts.externalId,
    name: row.name,
    typeName: facts.typeName,
    gpus: row.gpus,
    region: facts.region,
    status: row.status,
    listedAt: around.listedAt,
    heardAt: row.telemetry.at,
    confirmation: confirmationOf(
      facts,
      around.fleet.map((one) => one.name),
    ),
    planHash: Buffer.from(hashBytes(planHash(machine))).toString("hex"),
    concerns,
    use: {
      utilizationPct: row.utilizationPct,
      memoryUsedMib: row.memoryUsedMib,
      memoryTotalMib: row.memoryTotalMib,
      processes,
      processesAt: gpus.find((gpu) => gpu.processesAt !== null)?.processesAt ?? null,
      line,
      lineFrom,
      peakPct: known.length === 0 ? null : Math.max(...known),
      idleSince: row.idle?.since ?? null,
      hour: usedOver(
        use.minutes.map(({ at, meanPct, effectivePct }) => ({
          at: at.getTime(),
          lastsMs: MINUTE_MS,
          meanPct,
          peakPct: effectivePct,
        })),
        { ...over, lastsMs: HOUR_MS },
      ),
      day: usedOver(use.day, { ...over, lastsMs: DAY_MS }),
      lastProcess: lastProcessOf(around.last.get(facts.id)),
    },
    whose: {
      owner: facts.owner,
      team: facts.team,
      project: facts.project,
      workload: facts.workload,
      launchedBy,
      launchedAt: launch?.createdAt.getTime() ?? facts.firstSeenAt.getTime(),
      purpose: facts.purpose || (launch?.reason ?? ""),
    },
    leaseUntil: facts.leaseUntil?.getTime() ?? null,
    protection: facts.isProtected ? { reason: facts.protectReason } : null,
    lost: { storageGib: storageGib(around, facts), ip: facts.ip },
    filesystems: attached,
    priceMicros: row.priceMicros,
    savedMicros: price === null ? null : ((price * BigInt(around.monthEnd - now)) / BigInt(HOUR_MS)).toString(),
    savedDayMicros: price === null ? null : (price * 24n).toString(),
    monthEnd: around.monthEnd,
    comeback: comebackOf(around, facts, now),
    open: open
      ? {
          id: open.id,
          state: open.state,
          by: open.requestedBy,
          at: open.createdAt.getTime(),
          acceptedAt: open.acceptedAt?.getTime() ?? null,
          approvalUntil: open.state === "awaiting_approval" ? (open.approvalExpiresAt?.getTime() ?? null) : null,
          error: open.error,
        }
      : null,
    lately: around.lately,
    checklist: kind === "terminate" ? checklistFor(facts, around.checklists) : { name: "", items: [] },
    approval: needed === null ? null : { reason: needed, expiresMs: around.guardrails.approval.expiresMs },
    seen: {
      name: row.name,
      typeName: facts.typeName,
      region: facts.region,
      status: row.status,
      tags: Object.entries(facts.tags)
        .map(([key, value]) => `${key}=${value}`.slice(0, 300))
        .sort(),
      priceMicros: row.priceMicros,
      concerns: concerns.map(({ key }) => key),
      holders: holdersOf(processes),
      filesystems: attached.map(({ name }) => name).sort(),
      protection: facts.isProtected ? facts.protectReason : null,
    },
    denied: whyDenied(ctx, kind, facts.isProtected, around.named.has(facts.id)),
    frozen: around.isFrozen,
    zone: around.zone,
  };
}

function selfOf({ actor }: Ctx): string[] {
  return actor.kind === "user" ? [actor.name, actor.email, actor.email.split("@")[0] ?? ""] : [];
}

/** On-call may end one machine, and only one that an alert names and nobody protects. */
function whyDenied(ctx: Ctx, kind: "terminate" | "restart", isProtected: boolean, isNamed: boolean): string | null {
  if (!can(ctx.actor, `intent:${kind}`)) return `Your role does not allow to ${kind} instances.`;
  if (ctx.actor.kind === "system" || ctx.actor.role !== "on_call") {
    // A program cannot prove anew who it is: what is protected is for people.
    return kind === "terminate" && isProtected && ctx.actor.kind === "token"
      ? "It is protected: a person ends it, not a token."
      : null;
  }
  if (!isNamed) return `On-call may ${kind} an instance that a firing alert names; none names this one.`;
  if (kind === "terminate" && isProtected)
    return "It is protected: an operator or an admin may end it, on-call may not.";
  return null;
}

/** `since`: when it became active; nothing is expected of the time before. */
type Over = { now: number; since: number; lastsMs: number; gpus: number };

/** Weighted by time and over all GPUs; the share counts a GPU that said nothing as silence. */
function usedOver(parts: readonly UsePart[], { now, since, lastsMs, gpus }: Over): UseOver {
  const overMs = Math.max(1, Math.min(lastsMs, now - since));
  const inside = parts.filter(({ at, lastsMs, meanPct }) => at + lastsMs > now - overMs && meanPct !== null);
  const heardMs = inside.reduce((sum, { lastsMs }) => sum + lastsMs, 0);
  if (heardMs === 0) return { meanPct: null, peakPct: null, heardShare: 0 };
  const weighted = inside.reduce((sum, { meanPct, lastsMs }) => sum + (meanPct ?? 0) * lastsMs, 0);
  const peaks = inside.flatMap(({ peakPct }) => peakPct ?? []);
  return {
    meanPct: weighted / heardMs,
    peakPct: peaks.length === 0 ? null : Math.max(...peaks),
    heardShare: Math.min(1, heardMs / (overMs * Math.max(1, gpus))),
  };
}

function lastProcessOf(last: LastProcess | undefined): ChangeEvidence["use"]["lastProcess"] {
  const [most] = [...(last?.processes ?? [])].sort((a, b) => (b.usedMib ?? 0) - (a.usedMib ?? 0));
  return last && most
    ? { name: most.name, user: most.user ?? null, usedMib: most.usedMib, at: last.at.getTime() }
    : null;
}

function attachedTo(facts: InstanceFacts, { filesystems, fleet, storageMicros }: Surroundings) {
  return filesystems
    .filter((one) => attachedNames(facts).includes(one.name ?? "") && one.region === facts.region)
    .map((one) => ({
      name: one.name ?? one.externalId,
      bytesUsed: one.bytesUsed?.toString() ?? null,
      monthMicros:
        storageMicros === null || one.bytesUsed === null
          ? null
          : ((storageMicros * one.bytesUsed) / 1024n ** 3n).toString(),
      others: fleet.filter(
        (other) =>
          other.id !== facts.id && other.region === one.region && attachedNames(other).includes(one.name ?? ""),
      ).length,
    }));
}

/** Names of the file systems that a machine was launched with. */
export function attachedNames(facts: Pick<InstanceFacts, "attrs">): string[] {
  const names = facts.attrs.fileSystemNames;
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : [];
}

function storageGib({ offers }: Surroundings, facts: InstanceFacts): number | null {
  return offers.types.find((type) => type.name === facts.typeName)?.storageGib ?? null;
}

/** How often its type was listed in its region over the last day: whether it could be had again. */
function comebackOf({ offers }: Surroundings, facts: InstanceFacts, now: number): ChangeEvidence["comeback"] {
  const spans = offers.capacity.filter((span) => span.typeName === facts.typeName && span.region === facts.region);
  const listedMs = spans.reduce(
    (sum, span) => sum + (span.to?.getTime() ?? now) - Math.max(now - DAY_MS, span.from.getTime()),
    0,
  );
  return { region: facts.region, share: Math.min(1, listedMs / DAY_MS) };
}
