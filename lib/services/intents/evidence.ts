import { isNamedByFiring } from "@/lib/db/alerts/incidents";
import { currentPrice } from "@/lib/db/cost/prices";
import { EVERY_REGION, listOffers } from "@/lib/db/fleet/catalog";
import { findConnection } from "@/lib/db/fleet/connection";
import { toSeen } from "@/lib/db/fleet/inventory";
import { type InstanceFacts, listFilesystems, listInstances } from "@/lib/db/fleet/read";
import { findLastSpan } from "@/lib/db/fleet/resources";
import { countLately, openIntentOf } from "@/lib/db/intents";
import { readSetting } from "@/lib/db/settings";
import { listMinutes, readMachineMeans } from "@/lib/db/telemetry/read";
import { authorize, type Ctx, can } from "@/lib/domain/access";
import { dayOf, monthOf, monthRange } from "@/lib/domain/cost/zone";
import { type ChangeEvidence, concernsOf } from "@/lib/domain/intents/change";
import { confirmationOf, planHash } from "@/lib/domain/intents/plan";
import { resolveRange } from "@/lib/domain/telemetry/series";
import { AppError } from "@/lib/errors";
import { STORAGE_SKU } from "@/lib/services/cost/meter";
import { readFreshness } from "@/lib/services/fleet/freshness";
import { readGpus } from "@/lib/services/fleet/instance";
import { instanceRows } from "@/lib/services/fleet/instances";
import { hashBytes } from "./hash";

const PROVIDER = "lambda";
const BUSY_MS = 10 * 60_000;
const LINE_MS = 2.5 * 3_600_000;
const LINE_POINTS = 76;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a person must see before a machine ends or restarts: what runs on it, what is lost, what goes on billing. */
export async function readChangeEvidence(
  ctx: Ctx,
  { instanceId, kind }: { instanceId: string; kind: "terminate" | "restart" },
): Promise<ChangeEvidence> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const { zone } = await readSetting("accounting");
  const today = dayOf(now, zone);
  const [[facts], fleet, span] = await Promise.all([
    listInstances(today, { ids: [instanceId] }),
    listInstances(today, { goneSince: ctx.now }),
    findLastSpan(instanceId),
  ]);
  if (!facts || !span) throw new AppError("not-found", "There is no such instance, or it was never seen here.");
  if (facts.goneAt !== null)
    throw new AppError("conflict", `${facts.name ?? facts.externalId} is gone already; nothing bills for it.`);
  const range = resolveRange(now - LINE_MS, now, LINE_POINTS);
  const [[row], gpus, minutes, means, freshness, connection, filesystems, storage, offers, open, isNamed, lately] =
    await Promise.all([
      instanceRows([facts], ctx.now),
      readGpus(instanceId),
      listMinutes([instanceId], new Date(now - BUSY_MS), ctx.now),
      readMachineMeans([instanceId], "utilizationPct", range),
      readFreshness(ctx.now),
      findConnection(),
      listFilesystems(),
      currentPrice({ provider: PROVIDER, sku: STORAGE_SKU, region: EVERY_REGION, unit: "gib_month" }),
      listOffers(PROVIDER, new Date(now - DAY_MS)),
      openIntentOf(instanceId, kind),
      isNamedByFiring(instanceId),
      ctx.actor.kind === "user" ? countLately(ctx.actor.id, "terminate", new Date(now - HOUR_MS)) : 0,
    ]);
  if (!row) throw new AppError("not-found", "There is no such instance.");
  const busy = minutes.flatMap((minute) => (minute.effectivePct === null ? [] : [minute.effectivePct]));
  const line = means.get(instanceId) ?? [];
  const known = line.filter((value) => value !== null);
  const processes = gpus.flatMap((gpu) => gpu.processes ?? []);
  const monthEnd = monthRange(monthOf(now, zone), zone).to;
  const seen = toSeen(facts.externalId, span);
  return {
    now,
    instanceId,
    externalId: facts.externalId,
    name: row.name,
    typeName: facts.typeName,
    gpus: row.gpus,
    region: facts.region,
    status: row.status,
    listedAt: connection?.lastOkAt?.getTime() ?? null,
    heardAt: row.telemetry.at,
    confirmation: confirmationOf(
      facts,
      fleet.map((one) => one.name),
    ),
    planHash: Buffer.from(hashBytes(planHash(seen))).toString("hex"),
    concerns: concernsOf({
      isBilled: row.isBilled,
      telemetry: row.telemetry.state,
      peakPct: busy.length === 0 ? null : Math.max(...busy),
      isOurs: row.isOurs,
      isReserved: facts.attrs.isReserved === true,
      launchedBy: row.launchedBy,
      owner: facts.owner,
      self: ctx.actor.kind === "user" ? [ctx.actor.name, ctx.actor.email, ctx.actor.email.split("@")[0] ?? ""] : [],
    }),
    use: {
      utilizationPct: row.utilizationPct,
      memoryUsedMib: row.memoryUsedMib,
      memoryTotalMib: row.memoryTotalMib,
      processes: gpus.some((gpu) => gpu.processes !== null) ? processes : null,
      processesAt: gpus.find((gpu) => gpu.processesAt !== null)?.processesAt ?? null,
      line,
      lineFrom: range.from,
      peakPct: known.length === 0 ? null : Math.max(...known),
      idleSince: row.idle?.since ?? null,
    },
    lost: { storageGib: storageGib(offers, facts), ip: facts.ip },
    filesystems: filesystems
      .filter((one) => attached(facts).includes(one.name ?? "") && one.region === facts.region)
      .map((one) => ({
        name: one.name ?? one.externalId,
        bytesUsed: one.bytesUsed?.toString() ?? null,
        monthMicros:
          storage === null || one.bytesUsed === null
            ? null
            : ((storage.micros * one.bytesUsed) / 1024n ** 3n).toString(),
      })),
    priceMicros: row.priceMicros,
    savedMicros:
      row.isBilled && row.priceMicros !== null
        ? ((BigInt(row.priceMicros) * BigInt(monthEnd - now)) / BigInt(HOUR_MS)).toString()
        : null,
    monthEnd,
    comeback: comebackOf(offers, facts, now),
    open: open && {
      id: open.id,
      by: open.requestedBy,
      at: open.createdAt.getTime(),
      acceptedAt: open.acceptedAt?.getTime() ?? null,
      error: open.error,
    },
    lately,
    denied: whyDenied(ctx, kind, isNamed),
    frozen: freshness.isFrozen,
    zone,
  };
}

/** On-call may end one machine, and only one that an alert names. */
function whyDenied(ctx: Ctx, kind: "terminate" | "restart", isNamed: boolean): string | null {
  if (!can(ctx.actor, `intent:${kind}`)) return `Your role does not allow to ${kind} instances.`;
  if (ctx.actor.kind !== "system" && ctx.actor.role === "on_call" && !isNamed)
    return `On-call may ${kind} an instance that a firing alert names; none names this one.`;
  return null;
}

type Offers = Awaited<ReturnType<typeof listOffers>>;

function storageGib({ types }: Offers, facts: InstanceFacts): number | null {
  return types.find((type) => type.name === facts.typeName)?.storageGib ?? null;
}

/** How often its type was listed in its region over the last day: whether it could be had again. */
function comebackOf({ capacity }: Offers, facts: InstanceFacts, now: number): ChangeEvidence["comeback"] {
  const spans = capacity.filter((span) => span.typeName === facts.typeName && span.region === facts.region);
  const listedMs = spans.reduce(
    (sum, span) => sum + (span.to?.getTime() ?? now) - Math.max(now - DAY_MS, span.from.getTime()),
    0,
  );
  return { region: facts.region, share: Math.min(1, listedMs / DAY_MS) };
}

function attached(facts: InstanceFacts): string[] {
  const names = facts.attrs.fileSystemNames;
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : [];
}
