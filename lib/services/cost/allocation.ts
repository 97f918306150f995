import {
  listOwnedRows,
  listOwnerWords,
  listPayables,
  type OwnedRow,
  type OwnerSum,
  type PayableFact,
  potDaysOf,
  sumByOwner,
  sumLoose,
  unborneFacts,
} from "@/lib/db/cost/allocation";
import { readAllocation, type StoredRule } from "@/lib/db/cost/owners";
import { findPeriod } from "@/lib/db/cost/periods";
import { listParts, type PotPart } from "@/lib/db/cost/shared";
import { spendLabels } from "@/lib/db/cost/spend";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { type Bearer, bearersOf, NOBODY, type OWNER_FIELDS, selectorWords } from "@/lib/domain/cost/allocation";
import type {
  AllocationAnswer,
  AllocationQuestion,
  PotView,
  RulesAnswer,
  RuleView,
  SharesAnswer,
  SharesQuestion,
  Uncategorised,
} from "@/lib/domain/cost/allocation-view";
import { figuresByRule, isUnborne, type Piece, piecesOf, total } from "@/lib/domain/cost/attribution";
import { sum } from "@/lib/domain/cost/money";
import { type OwnerShare, sharesBy } from "@/lib/domain/cost/shares";
import { wordsKey } from "@/lib/domain/cost/sharing";
import { type Categorised, suggestionsFor } from "@/lib/domain/cost/suggest";
import { dayOf, dayRange, monthOf, monthRange } from "@/lib/domain/cost/zone";
import { providerActor } from "@/lib/domain/fleet/provider-actor";
import { groupBy } from "@/lib/domain/group";
import { AppError } from "@/lib/errors";
import { sharingOf } from "./sharing";

export async function monthAsked(ctx: Ctx, asked: string | undefined) {
  const { zone } = await readSetting("accounting");
  const now = ctx.now.getTime();
  const current = monthOf(now, zone);
  const month = asked ?? current;
  if (month > current) throw new AppError("not-found", `${month} has not begun. Choose an earlier month.`);
  return { now, zone, month, isCurrent: month === current, range: monthRange(month, zone) };
}

/** Who bears a month: what nobody does, the rules, and the pots. */
export async function readAllocationMonth(ctx: Ctx, question: AllocationQuestion): Promise<AllocationAnswer> {
  authorize(ctx, "cost:read");
  const { now, zone, month, isCurrent, range } = await monthAsked(ctx, question.month);
  const [{ rules }, rows, things, owners, loose, period, parts, potDays, inUse] = await Promise.all([
    readAllocation(),
    listOwnedRows(month),
    listPayables(month),
    sumByOwner(month),
    sumLoose(month),
    findPeriod(month),
    listParts({ month }),
    potDaysOf(month),
    listOwnerWords(),
  ]);
  const workspaces = await spendLabels("workspace", [...new Set(things.map(({ connectionId }) => connectionId))]);
  const pieces = piecesOf(things, rows, rules);
  const spread = sum(parts.map(({ micros }) => micros));
  const pots = sumOf(owners.filter(({ isShared }) => isShared));
  const uncategorised = owners.find(({ ownerId }) => ownerId === 0);
  const allocated = sumOf(owners.filter(({ isShared, ownerId }) => !isShared && ownerId !== 0));
  const words = (field: (typeof OWNER_FIELDS)[number]) =>
    [...new Set(inUse.map((one) => one[field]))].filter(Boolean).sort();
  return {
    now,
    month,
    zone,
    isCurrent,
    isClosed: period.status === "closed",
    from: range.from,
    to: isCurrent ? now : range.to,
    total: boundedOf(owners),
    allocatedMicros: allocated.toString(),
    sharedMicros: pots.toString(),
    uncategorised: boundedOf(uncategorised ? [uncategorised] : []),
    after: { allocatedMicros: (allocated + spread).toString(), unspreadMicros: (pots - spread).toString() },
    ...(await queueOf(things, pieces, rules, now)),
    loose: loose.map((one) => ({ ...one, micros: one.micros.toString() })),
    rules: ruleViews(rules, pieces, now),
    pots: potViews(owners, rules, parts, potDays, dayRange(dayOf(Math.min(now, range.to - 1), zone), zone)),
    owners: ownerShares(owners, parts).map((one) => ({
      words: one.words,
      ownMicros: one.own.toString(),
      sharedMicros: one.shared.toString(),
    })),
    words: {
      teams: words("team"),
      projects: words("project"),
      environments: words("environment"),
      costCenters: words("costCenter"),
    },
    things: things
      .map(({ id, name }) => ({ id, name }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
    workspaces: [...workspaces].map(([id, name]) => ({ id, name })),
  };
}

/** What nobody bears in the ledger, apart from what labels and rules have given to somebody since. */
async function queueOf(
  things: readonly PayableFact[],
  pieces: readonly Piece<OwnedRow>[],
  rules: readonly StoredRule[],
  now: number,
): Promise<Pick<AllocationAnswer, "queue" | "pending">> {
  const open = pieces.filter(({ row }) => row.ownerId === 0);
  const [unborne, pending] = [
    open.filter(({ bearer }) => isUnborne(bearer)),
    open.filter((one) => !isUnborne(one.bearer)),
  ];
  const byThing = groupBy(unborne, ({ row }) => row.resourceId);
  const facts = await unborneFacts([...byThing.keys()]);
  const bearers = new Map(things.map((thing) => [thing.id, bearerNow(thing, rules, now)]));
  const known = categorised(things, bearers);
  const queue = things.flatMap((thing): (Uncategorised & { sort: bigint })[] => {
    const mine = byThing.get(thing.id);
    if (!mine) return [];
    const { micros, low, high, unknownRows } = boundsOf(mine);
    const isStill = isUnborne(bearers.get(thing.id) ?? { words: NOBODY });
    const { kind, name, typeName, region, isGone } = thing;
    const launchedBy = launcherOf(thing);
    return [
      {
        ...{ resourceId: thing.id, kind, name, typeName, region, isGone, launchedBy, unknownRows, sort: micros },
        micros: micros.toString(),
        lowMicros: low.toString(),
        highMicros: high.toString(),
        microsPerHour: isStill ? (facts.get(thing.id)?.microsPerHour?.toString() ?? null) : "0",
        since: facts.get(thing.id)?.since ?? 0,
        suggestions: suggestionsFor({ name, launchedBy }, known),
      },
    ];
  });
  return {
    queue: queue
      .sort((a, b) => (a.sort === b.sort ? (a.resourceId < b.resourceId ? -1 : 1) : a.sort > b.sort ? -1 : 1))
      .map(({ sort: _, ...row }) => row),
    pending: {
      resources: new Set(pending.map(({ row }) => row.resourceId)).size,
      micros: total(pending).toString(),
    },
  };
}

function bearerNow(thing: PayableFact, rules: readonly StoredRule[], now: number): Bearer {
  return bearersOf(thing, rules).find(({ to }) => to === null || to > now)?.bearer ?? { words: NOBODY };
}

function launcherOf({ requestedBy, launchedBy }: PayableFact): string | null {
  return requestedBy ?? (launchedBy === null ? null : providerActor(launchedBy));
}

function categorised(things: readonly PayableFact[], bearers: ReadonlyMap<string, Bearer>): Categorised[] {
  return things.flatMap((thing) => {
    const bearer = bearers.get(thing.id);
    if (!bearer || !("words" in bearer) || isUnborne(bearer)) return [];
    return [{ name: thing.name, launchedBy: launcherOf(thing), words: bearer.words }];
  });
}

/** Bounds of pieces: a row that is cut gives its doubt to the pieces as it gives its money. */
function boundsOf(pieces: readonly Piece<OwnedRow>[]) {
  let [micros, low, high, unknownRows] = [0n, 0n, 0n, 0];
  for (const { row, micros: part } of pieces) {
    const { lowMicros, highMicros } = row;
    micros += part;
    if (row.micros === null) unknownRows += 1;
    low += part - scaled((row.micros ?? 0n) - (lowMicros ?? 0n), part, row.micros);
    high += part + scaled((highMicros ?? 0n) - (row.micros ?? 0n), part, row.micros);
  }
  return { micros, low, high, unknownRows };
}

function scaled(doubt: bigint, part: bigint, whole: bigint | null): bigint {
  return whole === null || whole === 0n || part === whole ? doubt : (doubt * part) / whole;
}

function ruleViews(rules: readonly StoredRule[], pieces: readonly Piece<OwnedRow>[], now: number): RuleView[] {
  const figures = figuresByRule(pieces);
  return rules.map((rule) => ({
    ...ruleView(rule, now),
    resources: figures.get(rule.id)?.resources ?? 0,
    micros: (figures.get(rule.id)?.micros ?? 0n).toString(),
  }));
}

export function ruleView(
  { id, version, name, selector, method, shares, from, to }: StoredRule,
  now: number,
): RulesAnswer["rules"][number] {
  const state = to !== null && to <= now ? "ended" : (from ?? 0) > now ? "to_come" : "on";
  return { id, version, name, selector, about: selectorWords(selector), method, shares, from: from ?? 0, to, state };
}

function potViews(
  owners: readonly OwnerSum[],
  rules: readonly StoredRule[],
  parts: Awaited<ReturnType<typeof listParts>>,
  potDays: Awaited<ReturnType<typeof potDaysOf>>,
  today: { from: number; to: number },
): PotView[] {
  return owners
    .filter(({ isShared }) => isShared)
    .map(({ ownerId, team, micros }) => {
      const mine = parts.filter(({ potId }) => potId === ownerId);
      const spreadDays = new Set(mine.map(({ day }) => day));
      const days = potDays.filter((day) => day.potId === ownerId && day.micros !== 0n && !spreadDays.has(day.day));
      return {
        name: team,
        micros: micros.toString(),
        method: sharingOf(rules, ownerId, today)?.method ?? null,
        parts: [...groupBy(mine, wordsKey).values()]
          .map((group) => ({
            words: pick(group[0] ?? NOBODY),
            micros: sum(group.map((part) => part.micros)),
            roundingPpm: group.reduce((all, part) => all + part.roundingPpm, 0),
          }))
          .sort((a, b) => (a.micros === b.micros ? 0 : a.micros > b.micros ? -1 : 1))
          .map((part) => ({ ...part, micros: part.micros.toString() })),
        unspreadMicros: (micros - sum(mine.map((part) => part.micros))).toString(),
        unspreadDays: days.map(({ day }) => day),
      };
    });
}

const pick = ({ team, project, environment, costCenter }: typeof NOBODY) => ({
  team,
  project,
  environment,
  costCenter,
});

const sumOf = (owners: readonly OwnerSum[]) => sum(owners.map(({ micros }) => micros));

function boundedOf(owners: readonly OwnerSum[]) {
  return {
    micros: sumOf(owners).toString(),
    lowMicros: sum(owners.map(({ lowMicros }) => lowMicros)).toString(),
    highMicros: sum(owners.map(({ highMicros }) => highMicros)).toString(),
    unknownRows: owners.reduce((all, { unknownRows }) => all + unknownRows, 0),
  };
}

function ownerShares(owners: readonly OwnerSum[], parts: readonly PotPart[]): OwnerShare[] {
  const shared = groupBy(parts, wordsKey);
  const own = new Map(
    owners.filter(({ isShared, ownerId }) => !isShared && ownerId !== 0).map((one) => [wordsKey(one), one]),
  );
  return [...new Set([...own.keys(), ...shared.keys()])].map((key) => ({
    words: pick(own.get(key) ?? shared.get(key)?.[0] ?? NOBODY),
    own: own.get(key)?.micros ?? 0n,
    shared: sum((shared.get(key) ?? []).map(({ micros }) => micros)),
  }));
}

/** A month by team, project, environment or cost centre, before and after the pots are spread; the parts add up to the total. */
export async function readShares(ctx: Ctx, question: SharesQuestion): Promise<SharesAnswer> {
  authorize(ctx, "cost:read");
  const { now, zone, month } = await monthAsked(ctx, question.month);
  const { by } = question;
  const [owners, parts] = await Promise.all([sumByOwner(month), listParts({ month })]);
  const pots = sumOf(owners.filter(({ isShared }) => isShared));
  return {
    now,
    month,
    zone,
    by,
    rows: sharesBy(ownerShares(owners, parts), by).map(({ key, own, shared, all }) => ({
      key,
      ownMicros: own.toString(),
      sharedMicros: shared.toString(),
      totalMicros: all.toString(),
    })),
    potsMicros: pots.toString(),
    unspreadMicros: (pots - sum(parts.map(({ micros }) => micros))).toString(),
    uncategorisedMicros: sumOf(owners.filter(({ ownerId }) => ownerId === 0)).toString(),
    totalMicros: sumOf(owners).toString(),
  };
}
