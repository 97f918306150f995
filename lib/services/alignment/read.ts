import { currentDeclaration } from "@/lib/db/alignment/declarations";
import {
  countOpen,
  type FoundTogether,
  listAcceptedKeys,
  listSettled,
  listStanding,
  listTogether,
  type StoredFinding,
  sumOpen,
} from "@/lib/db/alignment/findings";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { Severity } from "@/lib/domain/alerts/types";
import { type Check, keyOf } from "@/lib/domain/alignment/check";
import { factLines, sumGb, totalsOf, type Verdict, verdictOf } from "@/lib/domain/alignment/compare";
import { type Group, poolSets } from "@/lib/domain/alignment/declaration";
import { checksOf } from "@/lib/domain/alignment/engine";
import { cardGb, membersOf, type Observed, type ObservedMachine } from "@/lib/domain/alignment/observed";
import { drawPools, judgePools } from "@/lib/domain/alignment/pools";
import type {
  AlignmentAnswer,
  BadgesAnswer,
  FindingCount,
  FindingGroup,
  FindingRow,
  FindingsQuestion,
  GroupView,
  StoredDeclaration,
} from "@/lib/domain/alignment/view";
import { readFreshness } from "@/lib/services/fleet/freshness";
import { declaredOf } from "./check";
import { observe } from "./observe";
import { readDeclaration } from "./yaml";

const SETTLED_MS = 30 * 24 * 3_600_000;
const MOST_SETTLED = 500;
/** Of a thousand machines with the same finding, as many are named. */
const MOST_NAMED = 40;

/** Declared against recorded against reported, as of now, with every finding that stands. */
export async function readAlignment(ctx: Ctx): Promise<AlignmentAnswer> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const [stored, together, acceptedKeys, freshness, { zone }] = await Promise.all([
    currentDeclaration(),
    listTogether(MOST_NAMED),
    listAcceptedKeys(),
    readFreshness(ctx.now),
    readSetting("accounting"),
  ]);
  const observed = await observe(ctx.now, freshness.lastOkAt ?? now);
  const poll = { at: freshness.lastOkAt, staleSince: freshness.staleSince, error: freshness.error };
  if (!stored) return nothingDeclared(now, zone, poll, observed);

  const { parsed: declaration } = stored;
  const checks = checksOf(declaredOf(stored), observed);
  const accepted = new Set(acceptedKeys);
  const isAccepted = (check: Check) => accepted.has(keyOf(check));
  const { members, strangers } = membersOf(declaration, observed.machines);
  const rows = findingGroups(together, stored, checks);
  const count = (state: string, severity?: Severity) =>
    rows
      .filter((row) => row.state === state && (severity === undefined || row.severity === severity))
      .reduce((sum, { ids }) => sum + ids.length, 0);
  const totals = totalsOf(declaration, observed);
  const differing = checks.filter(({ state }) => state === "differs");
  const overall = verdictOf(checks, isAccepted);
  return {
    now,
    zone,
    declared: {
      version: stored.version,
      at: stored.at,
      by: stored.by,
      note: stored.note,
      fleet: declaration.fleet,
      hoursPerMonth: declaration.hoursPerMonth,
      undeclared: declaration.undeclared,
    },
    poll,
    // What is too old to be judged is not aligned, whatever it was then.
    verdict: poll.staleSince !== null && overall === "aligned" ? "unverified" : overall,
    counts: {
      critical: count("open", "critical"),
      warning: count("open", "warning"),
      notes: count("open", "info"),
      pending: count("pending"),
      accepted: accepted.size,
      unverified: checks.filter(({ state }) => state === "unverified").length,
    },
    totals: {
      machines: totals.machines,
      declaredMachines: totals.declaredMachines,
      gpus: totals.gpus,
      reportingGpus: totals.reportingGpus,
      declaredGb: totals.declaredGb,
      reportedGb: totals.reportedGb,
      declaredMicros: totals.declaredMicros.toString(),
      observedMicros: totals.observedMicros.toString(),
      differenceMicros: (totals.observedMicros - totals.declaredMicros).toString(),
      memoryGb: sumGb(differing.filter(({ fact }) => fact === "memory" || fact === "gpus" || fact === "machines")) ?? 0,
      poolsGb: sumGb(differing.filter(({ fact }) => fact === "pools" || fact === "sums")) ?? 0,
      unpriced: totals.unpriced,
    },
    groups: declaration.groups.map((group) => groupView(group, members.get(group.name) ?? [], checks, isAccepted)),
    strangers: strangers.map(({ id, name, typeName, priceMicros }) => ({
      id,
      name,
      typeName,
      priceMicros: priceMicros?.toString() ?? null,
    })),
    findings: rows,
  };
}

function nothingDeclared(
  now: number,
  zone: string,
  poll: AlignmentAnswer["poll"],
  { machines }: Observed,
): AlignmentAnswer {
  const observedMicros = machines.reduce((sum, { priceMicros }) => sum + (priceMicros ?? 0n), 0n) * 720n;
  return {
    now,
    zone,
    declared: null,
    poll,
    verdict: "undeclared",
    counts: { critical: 0, warning: 0, notes: 0, pending: 0, accepted: 0, unverified: 0 },
    totals: {
      machines: machines.length,
      declaredMachines: 0,
      gpus: machines.reduce((sum, { record, cards }) => sum + (record?.gpus ?? cards.length), 0),
      reportingGpus: machines.reduce((sum, { cards }) => sum + cards.length, 0),
      declaredGb: 0,
      reportedGb: 0,
      declaredMicros: "0",
      observedMicros: observedMicros.toString(),
      differenceMicros: observedMicros.toString(),
      memoryGb: 0,
      poolsGb: 0,
      unpriced: 0,
    },
    groups: [],
    strangers: [],
    findings: [],
  };
}

function groupView(
  group: Group,
  machines: readonly ObservedMachine[],
  checks: readonly Check[],
  isAccepted: (check: Check) => boolean,
): GroupView {
  const own = checks.filter((check) => check.group === group.name);
  const cards = machines.flatMap((machine) => machine.cards);
  const smallest = cards.reduce<(typeof cards)[number] | null>(
    (least, card) => (least === null || (card.memoryMib ?? Infinity) < (least.memoryMib ?? Infinity) ? card : least),
    null,
  );
  const nominalGb = smallest && cardGb(smallest);
  const reportedMib = smallest?.memoryMib ?? null;
  const prices = new Map<string | null, number>();
  for (const { priceMicros } of machines) {
    const price = priceMicros?.toString() ?? null;
    prices.set(price, (prices.get(price) ?? 0) + 1);
  }
  return {
    name: group.name,
    owner: group.owner ?? null,
    gpu: group.gpu,
    memoryGb: group.memoryGb,
    gpusPerInstance: group.gpusPerInstance,
    instanceType: group.instanceType,
    regions: group.regions,
    count: group.count,
    pricePerHourMicros: group.pricePerHour ?? null,
    present: machines.length,
    machines: machines.slice(0, MOST_NAMED).map(({ id, name }) => ({ id, name })),
    verdict: verdictOf(own, isAccepted),
    facts: factLines(checks, group.name),
    pools: poolSets(group).map(({ workload, pools }) => ({
      workload,
      pools: pools.map(({ name, gb, tier = null }) => ({ name, gb, tier })),
      sumGb: judgePools(pools, group.memoryGb).sumGb,
      nominalGb,
      reportedMib,
      card: smallest?.name ?? null,
      drawn: drawPools(pools, nominalGb, reportedMib),
    })),
    prices: [...prices].map(([priceMicros, count]) => ({ machines: count, priceMicros })),
  };
}

function findingGroups(
  together: readonly FoundTogether[],
  stored: StoredDeclaration,
  checks: readonly Check[],
): FindingGroup[] {
  const wanted = new Set(together.map(({ key }) => key));
  const now = new Map<string, Check>();
  for (const check of checks) {
    if (check.state !== "differs") continue;
    const key = keyOf(check);
    if (wanted.has(key)) now.set(key, check);
  }
  const lineOf = linesOf(stored);
  return together.map((one) => ({
    fact: one.fact,
    severity: one.severity,
    state: one.state,
    group: one.group,
    declared: one.told.declared,
    observed: one.told.observed,
    why: one.told.why,
    settle: one.told.settle,
    evidence: now.get(one.key)?.evidence ?? one.told.sources,
    monthMicros: one.monthMicros,
    memoryGb: one.memoryGb,
    agreedPolls: one.agreedPolls,
    accepted:
      one.acceptedReason === null
        ? null
        : {
            by: one.acceptedBy ?? "somebody",
            reason: one.acceptedReason,
            until: one.acceptedUntil?.getTime() ?? null,
          },
    assignee: one.assigneeId === null ? null : { id: one.assigneeId, name: one.assignee ?? "somebody" },
    line: lineOf(one.group, one.fact),
    ids: one.ids,
    targets: one.targets.map((name, i) => ({ instanceId: one.resourceIds[i] ?? null, name })),
    since: one.firstPollAt.getTime(),
  }));
}

/** The line of the document that a fact of a group contradicts. */
function linesOf(stored: StoredDeclaration | null): (group: string | null, fact: FindingRow["fact"]) => number | null {
  const read = stored ? readDeclaration(stored.yaml) : null;
  if (!read || read.declaration === null) return () => null;
  const groups = read.declaration.groups.map(({ name }) => name);
  const { lineOf } = read;
  return (group, fact) => {
    const index = group === null ? -1 : groups.indexOf(group);
    return index < 0 ? null : lineOf(["groups", index, LINES[fact] ?? "name"]);
  };
}

/** Findings as pages show them: with what is seen of them now, where it is still the same. */
export function findingRows(
  standing: readonly StoredFinding[],
  stored: StoredDeclaration | null,
  checks: readonly Check[],
): FindingRow[] {
  const now = new Map(checks.map((check) => [keyOf(check), check]));
  const lineOf = linesOf(stored);
  const lines = new Map<string, number | null>();
  const lineAt = (group: string | null, fact: FindingRow["fact"]) => {
    const key = `${group ?? ""}|${fact}`;
    const known = lines.get(key);
    if (known !== undefined) return known;
    const line = lineOf(group, fact);
    lines.set(key, line);
    return line;
  };
  return standing
    .map((finding) => {
      const check = now.get(finding.key);
      const isSame = check?.state === "differs";
      const told = finding.told;
      return {
        id: finding.id,
        fact: finding.fact,
        severity: finding.severity,
        state: finding.state,
        group: finding.group,
        instanceId: finding.resourceId,
        target: told.target,
        gpuId: finding.gpuId,
        declared: told.declared,
        observed: told.observed,
        why: told.why,
        settle: told.settle,
        evidence: isSame ? check.evidence : told.sources,
        monthMicros: finding.monthMicros?.toString() ?? null,
        memoryGb: finding.memoryGb,
        firstPollAt: finding.firstPollAt,
        lastPollAt: finding.lastPollAt,
        agreedPolls: finding.agreedPolls,
        settledAt: finding.settledAt,
        accepted:
          finding.acceptedReason === null
            ? null
            : { by: finding.acceptedBy ?? "somebody", reason: finding.acceptedReason, until: finding.acceptedUntil },
        assignee: finding.assignee,
        line: lineAt(finding.group, finding.fact),
      } satisfies FindingRow;
    })
    .sort(bySeverity);
}

/** Which key of a group a fact contradicts. */
const LINES: Partial<Record<FindingRow["fact"], string>> = {
  machines: "count",
  extra: "count",
  type: "instanceType",
  model: "gpu",
  label: "gpu",
  memory: "memoryGb",
  gpus: "gpusPerInstance",
  pools: "pools",
  sums: "pools",
  price: "pricePerHour",
  region: "regions",
  image: "images",
  tags: "tagsRequired",
  architecture: "architecture",
  driver: "software",
  cuda: "software",
  pytorch: "software",
  capability: "software",
};

const RANK: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };

function bySeverity(a: FindingRow, b: FindingRow): number {
  return (
    RANK[a.severity] - RANK[b.severity] ||
    inOrder(a.fact, b.fact) ||
    inOrder(a.group ?? "", b.group ?? "") ||
    inOrder(a.target, b.target)
  );
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Findings alone: those that stand, or what was settled within a month. */
export async function readFindings(
  ctx: Ctx,
  { state }: FindingsQuestion,
): Promise<{ now: number; rows: FindingRow[] }> {
  authorize(ctx, "fleet:read");
  const [stored, standing, settled] = await Promise.all([
    currentDeclaration(),
    state === "settled" ? [] : listStanding(),
    state === "settled" || state === "all" ? listSettled(new Date(ctx.now.getTime() - SETTLED_MS), MOST_SETTLED) : [],
  ]);
  const wanted = standing.filter((finding) => state !== "accepted" || finding.state === "accepted");
  return { now: ctx.now.getTime(), rows: findingRows([...wanted, ...settled], stored, []) };
}

/** How many findings stand, for the frame. */
export async function countFindings(ctx: Ctx): Promise<FindingCount> {
  authorize(ctx, "fleet:read");
  const { findings, isDeclared } = await sumOpen();
  const verdict: Verdict = !isDeclared ? "undeclared" : findings > 0 ? "differs" : "unverified";
  return { now: ctx.now.getTime(), verdict, findings };
}

/** The same by machine, for the marks beside them. */
export async function readBadges(ctx: Ctx): Promise<BadgesAnswer> {
  authorize(ctx, "fleet:read");
  const own = (await countOpen()).flatMap(({ resourceId, severity, findings: count }) =>
    resourceId === null ? [] : [[resourceId, { count, severity }] as const],
  );
  return { now: ctx.now.getTime(), byInstance: Object.fromEntries(own) };
}
