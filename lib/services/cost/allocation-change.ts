import {
  assignLabels,
  changeRule,
  insertRule,
  isRuleRemoved,
  listOwnedRows,
  listPayables,
  lockLabels,
  lockRules,
  sumLoose,
} from "@/lib/db/cost/allocation";
import { ownerId } from "@/lib/db/cost/observations";
import { potId, readAllocation, reopenSince, type StoredRule } from "@/lib/db/cost/owners";
import { mutate, type Tx, writeAudit } from "@/lib/db/mutate";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import {
  type AllocationRule,
  type Bearer,
  bearersOf,
  inOrder,
  OWNER_FIELDS,
  Selector,
  selectorWords,
} from "@/lib/domain/cost/allocation";
import type { Assign, EndRule, MoveRule, RuleDraft, RulePreview } from "@/lib/domain/cost/allocation-view";
import { assignments } from "@/lib/domain/cost/assign";
import { movesBetween, ownerWords, total } from "@/lib/domain/cost/attribution";
import { sum } from "@/lib/domain/cost/money";
import { monthRange } from "@/lib/domain/cost/zone";
import { AppError } from "@/lib/errors";

const GONE = "Somebody changed the rules a moment ago. Look at them and try again; nothing was changed.";

/** It is as it was asked for already: nothing is written, and nothing is refused. */
class AlreadySo extends Error {
  constructor(readonly id: string) {
    super("it is so already");
  }
}

async function unlessSo<T>(work: Promise<T>, so: (id: string) => T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AlreadySo) return so(error.id);
    throw error;
  }
}

/** Names who pays for things, wherever nobody is named yet; what somebody said before stays. Said again, it changes nothing. */
export async function assignResources(
  ctx: Ctx,
  { resourceIds, words, from, month }: Assign,
): Promise<{ count: number }> {
  const { zone } = await readSetting("accounting");
  const start = { beginning: 0, month: monthRange(month, zone).from, now: ctx.now.getTime() }[from];
  const assigned = mutate(ctx, "label:write", async (tx) => {
    const things = await lockLabels(tx, resourceIds);
    if (things.length < new Set(resourceIds).size)
      throw new AppError("not-found", "One of them is not known here; nothing was changed.");
    const byId = ctx.actor.kind === "user" ? ctx.actor.id : null;
    const entries = [];
    for (const { id, kind, externalId, labels, spans } of things) {
      const changes = assignments(
        labels.map(({ validFrom, validTo, ...label }) => ({
          ...label,
          validFrom: validFrom.getTime(),
          validTo: validTo?.getTime() ?? null,
        })),
        start,
      );
      if (changes.length === 0) continue;
      await assignLabels(tx, { changes, words, byId });
      const subject = spans[0]?.name ?? externalId;
      const after = {
        ...words,
        from: new Date(start > 0 ? start : (labels[0]?.validFrom.getTime() ?? 0)).toISOString(),
      };
      entries.push({ action: "labels.changed" as const, subjectKind: kind, subjectId: id, subject, before: {}, after });
    }
    const last = entries.pop();
    const later = things.flatMap(({ labels }) => labels).filter(({ validTo }) => !validTo || validTo.getTime() > start);
    if (!last && later.every((label) => OWNER_FIELDS.every((field) => label[field] === words[field])))
      throw new AlreadySo("");
    if (!last) throw new AppError("conflict", "Somebody has named who pays for them meanwhile; nothing was changed.");
    for (const entry of entries) await writeAudit(tx, ctx, entry);
    await reopenSince(tx, null, resourceIds);
    return { ...last, result: { count: entries.length + 1 } };
  });
  return unlessSo(assigned, () => ({ count: 0 }));
}

async function ruleOf(draft: RuleDraft): Promise<{ bearer: Bearer; pot: number | null }> {
  const [whole] = draft.shares;
  if (draft.method === "whole" && whole) return { bearer: { words: whole.words }, pot: null };
  const pot = await potId(draft.name);
  return { bearer: { potId: pot }, pot };
}

const STEP = 10;

/** A rule after all others: what they decide stays decided. The same one again is the one that is there. */
export async function createRule(ctx: Ctx, draft: RuleDraft): Promise<{ id: string }> {
  authorize(ctx, "allocation:write");
  // Owners are words that are never taken back; a rule that is then refused leaves no more than that.
  const { pot } = await ruleOf(draft);
  const shares = await Promise.all(
    draft.shares.map(async ({ words, ppm }) => ({ ownerId: await ownerId(words), ppm: shareOf(draft, ppm) })),
  );
  const created = mutate(ctx, "allocation:write", async (tx) => {
    await lockRules(tx);
    const { rules } = await readAllocation(tx);
    const same = rules.find((rule) => rule.to === null && isSame(rule, draft));
    if (same) throw new AlreadySo(same.id);
    if (rules.some(({ name, to }) => name === draft.name && to === null))
      throw new AppError("invalid", "There is a rule of this name.", { name: "There is a rule of this name." });
    const from = new Date(draft.from);
    const { name, selector, method } = draft;
    const priority = Math.max(0, ...rules.map((rule) => rule.priority)) + STEP;
    const id = await insertRule(tx, { name, selector, method, priority, potId: pot, shares, from, at: ctx.now });
    await reopenSince(tx, from);
    const after = { name, about: selectorWords(selector), method, pays: paysOf(draft), from: from.toISOString() };
    return { ...subject(id, name, "created"), after, result: { id } };
  });
  return unlessSo(created, (id) => ({ id }));
}

function isSame(rule: StoredRule, draft: RuleDraft): boolean {
  const said = ({ name, selector, method, shares, from }: Omit<RuleDraft, "month">) =>
    JSON.stringify([name, Selector.parse(selector), method, from, shares.map(shareText).sort()]);
  const shareText = ({ words, ppm }: RuleDraft["shares"][number]) =>
    JSON.stringify([...OWNER_FIELDS.map((field) => words[field]), shareOf(draft, ppm)]);
  return said({ ...rule, from: rule.from ?? 0 }) === said(draft);
}

const MILLION = 1_000_000;

function shareOf({ method }: RuleDraft, ppm: number): number {
  return method === "fixed" ? ppm : method === "whole" ? MILLION : 0;
}

function paysOf({ shares, method }: Pick<RuleDraft, "shares" | "method">): string {
  if (shares.length === 0) return "everybody";
  return shares
    .map(({ words, ppm }) => (method === "fixed" ? `${ownerWords(words)} ${ppm / 10_000} %` : ownerWords(words)))
    .join("; ");
}

function subject(id: string, name: string, what: "created" | "ended" | "removed" | "moved") {
  return {
    action: `allocation-rule.${what}` as const,
    subjectKind: "allocation-rule",
    subjectId: id,
    subject: name,
  };
}

/** Ends a rule now, or takes it back as if it had never been. One that has ended stays as it is. */
export async function endRule(ctx: Ctx, { id, version, how }: EndRule): Promise<{ id: string }> {
  const ended = mutate(ctx, "allocation:write", async (tx) => {
    if (how === "never" && (await isRuleRemoved(tx, id))) throw new AlreadySo(id);
    const rule = await findRule(tx, id);
    // A rule that has not begun decides nothing: to end it is to take it back.
    const isRemoved = how === "never" || (rule.from ?? 0) >= ctx.now.getTime();
    if (!isRemoved && rule.to !== null && rule.to <= ctx.now.getTime()) throw new AlreadySo(id);
    const change = isRemoved ? { deletedAt: ctx.now } : { validTo: ctx.now };
    if (!(await changeRule(tx, { id, version }, change, ctx.now))) throw new AppError("conflict", GONE);
    await reopenSince(tx, isRemoved ? new Date(rule.from ?? 0) : ctx.now);
    return { ...subject(id, rule.name, isRemoved ? "removed" : "ended"), result: { id } };
  });
  return unlessSo(ended, () => ({ id }));
}

/** Asks a rule before or after its neighbour, for as long as both hold. */
export async function moveRule(ctx: Ctx, { id, version, by }: MoveRule): Promise<{ id: string }> {
  return mutate(ctx, "allocation:write", async (tx) => {
    const rule = await findRule(tx, id);
    const { rules } = await readAllocation(tx);
    const at = rules.findIndex((one) => one.id === id);
    const to = by === "up" ? at - 1 : at + 1;
    const neighbour = rules[to];
    if (!neighbour || rule.version !== version) throw new AppError("conflict", GONE);
    const order = rules.toSpliced(at, 1).toSpliced(to, 0, rule);
    for (const [i, one] of order.entries()) {
      const priority = (i + 1) * STEP;
      if (one.priority !== priority) await changeRule(tx, one, { priority }, ctx.now);
    }
    await reopenSince(tx, new Date(Math.min(rule.from ?? 0, neighbour.from ?? 0)));
    return { ...subject(id, rule.name, "moved"), before: { place: at + 1 }, after: { place: to + 1 }, result: { id } };
  });
}

async function findRule(tx: Tx, id: string): Promise<StoredRule> {
  await lockRules(tx);
  const rule = (await readAllocation(tx)).rules.find((one) => one.id === id);
  if (!rule) throw new AppError("not-found", GONE);
  return rule;
}

const MOST_MOVES = 20;
const DRAFT_ID = "draft";
/** No pot has it: a draft's is made when it is saved. */
const DRAFT_POT = -1;

/** What a rule would move in a month if it were saved. Changes nothing. */
export async function previewRule(ctx: Ctx, draft: RuleDraft): Promise<RulePreview> {
  authorize(ctx, "cost:read");
  const { month, selector, from, shares } = draft;
  const [{ rules }, rows, things, loose] = await Promise.all([
    readAllocation(),
    listOwnedRows(month),
    listPayables(month),
    sumLoose(month),
  ]);
  const [whole] = shares;
  const bearer: Bearer = draft.method === "whole" && whole ? { words: whole.words } : { potId: DRAFT_POT };
  const priority = Math.max(0, ...rules.map((rule) => rule.priority)) + STEP;
  const rule: AllocationRule = { id: DRAFT_ID, priority, selector, from, to: null, bearer };
  const moves = movesBetween(things, rows, rules, [...rules, rule]);
  const names = new Map(things.map(({ id, name }) => [id, name]));
  const pots = new Map(rules.flatMap(({ potId: pot, name }) => (pot === null ? [] : [[pot, name] as const])));
  const said = (one: Bearer) =>
    "words" in one
      ? ownerWords(one.words)
      : `pot ${one.potId === DRAFT_POT ? draft.name : (pots.get(one.potId) ?? "")}`;
  const isMatched = (intervals: ReturnType<typeof bearersOf>) => intervals.some(({ ruleId }) => ruleId === DRAFT_ID);
  const alone = inOrder([rule]);
  return {
    resources: new Set(moves.map(({ resourceId }) => resourceId)).size,
    micros: total(moves).toString(),
    looseMicros: sum(
      loose.filter(({ charge }) => selector.charges?.some((kind) => kind === charge)).map(({ micros }) => micros),
    ).toString(),
    moves: moves.slice(0, MOST_MOVES).map(({ resourceId, micros, from: payer, to }) => ({
      resourceId,
      name: names.get(resourceId) ?? resourceId,
      micros: micros.toString(),
      from: said(payer),
      to: said(to),
    })),
    matched: things.filter((thing) => isMatched(bearersOf(thing, alone))).length,
  };
}
