import {
  deleteCharge,
  deleteCommitment,
  insertCharge,
  insertCommitment,
  listCharges,
  listCommitments,
} from "@/lib/db/cost/charges";
import { ownerId } from "@/lib/db/cost/observations";
import { reopenSince } from "@/lib/db/cost/owners";
import { assertPrice, priceAt } from "@/lib/db/cost/prices";
import { mutate, type Tx } from "@/lib/db/mutate";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import {
  type FileLine,
  instantOf,
  type NewCharge,
  type NewCommitment,
  type NewPrice,
  type PriceFile,
  readPriceFile,
} from "@/lib/domain/cost/price-input";
import type { PricePreview } from "@/lib/domain/cost/price-view";
import { dayRange } from "@/lib/domain/cost/zone";
import { AppError } from "@/lib/errors";

const PROVIDER = "lambda";

const personId = ({ actor }: Ctx) => (actor.kind === "user" ? actor.id : null);

/** Says what a price was, is or will be. What was believed of that time is superseded; open months are worked out anew. */
export async function addPrice(ctx: Ctx, input: NewPrice): Promise<{ replaced: number }> {
  authorize(ctx, "price:write");
  const { zone } = await readSetting("accounting");
  const { sku, region, unit, tier, price: micros, note } = input;
  const from = instantOf(input.from, zone);
  const to = input.to === "" ? null : instantOf(input.to, zone);
  if (from === null) throw invalid("from", "is not an instant such as 2026-11-01T08:00");
  if (input.to !== "" && to === null) throw invalid("to", "is not an instant such as 2026-12-01T00:00");
  if (to !== null && to <= from) throw invalid("to", "is not after the beginning");
  return mutate(ctx, "price:write", async (tx) => {
    const line = { sku, region, unit, tier, micros, from, to, note };
    const { before, replaced } = await write(tx, ctx, line, "manual");
    return {
      action: "price.set",
      subjectKind: "price",
      subjectId: sku,
      subject: sku,
      before: { micros: before },
      after: { micros, region, tier, unit, from: new Date(from), to: to === null ? null : new Date(to) },
      reason: note || null,
      result: { replaced },
    };
  });
}

/** What a file would write, line by line; nothing is written. */
export async function previewPrices(ctx: Ctx, { text }: PriceFile): Promise<PricePreview> {
  authorize(ctx, "price:write");
  const { zone } = await readSetting("accounting");
  const { lines, errors } = readPriceFile(text, zone);
  const known = await Promise.all(lines.map((line) => priceAt(keyOf(line), new Date(line.from))));
  return {
    lines: lines.map(({ micros, note: _, ...line }, i) => ({
      ...line,
      micros: micros.toString(),
      beforeMicros: known[i]?.micros.toString() ?? null,
    })),
    errors,
  };
}

/** Writes a whole file or nothing of it. */
export async function importPrices(ctx: Ctx, { text }: PriceFile): Promise<{ lines: number }> {
  authorize(ctx, "price:write");
  const { zone } = await readSetting("accounting");
  const { lines, errors } = readPriceFile(text, zone);
  const [first] = errors;
  if (first)
    throw new AppError(
      "invalid",
      `Line ${first.line}: ${first.message} ${errors.length > 1 ? `${errors.length - 1} more lines are wrong. ` : ""}Nothing was imported.`,
    );
  return mutate(ctx, "price:write", async (tx) => {
    for (const line of lines) await write(tx, ctx, line, "csv");
    return {
      action: "price.imported",
      subjectKind: "price",
      subjectId: "file",
      subject: `${lines.length} ${lines.length === 1 ? "price" : "prices"}`,
      after: { lines: lines.length, skus: [...new Set(lines.map(({ sku }) => sku))].join(", ") },
      result: { lines: lines.length },
    };
  });
}

const keyOf = ({ sku, region, unit, tier }: Pick<FileLine, "sku" | "region" | "unit" | "tier">) => ({
  provider: PROVIDER,
  sku,
  region,
  unit,
  tier,
});

async function write(tx: Tx, ctx: Ctx, line: Omit<FileLine, "line">, source: "manual" | "csv") {
  const { micros, note } = line;
  const from = new Date(line.from);
  const before = await priceAt(keyOf(line), from, tx);
  const price = { ...keyOf(line), micros, from, to: line.to === null ? null : new Date(line.to), source, note };
  const replaced = await assertPrice(tx, { ...price, byId: personId(ctx) }, ctx.now);
  await reopenSince(tx, from);
  return { before: before?.micros ?? null, replaced: replaced.length };
}

/** A credit, tax or adjustment: its days get rows of the ledger within a minute. */
export async function addCharge(ctx: Ctx, { owner, ...charge }: NewCharge): Promise<{ id: string }> {
  return mutate(ctx, "price:write", async (tx) => {
    const id = await insertCharge(tx, { ...charge, ownerId: await ownerId(owner), byId: personId(ctx) }, ctx.now);
    const { kind, fromDay, toDay, micros, description } = charge;
    return {
      action: "charge.added",
      subjectKind: "charge",
      subjectId: id,
      subject: description,
      after: { kind, micros, fromDay, toDay },
      result: { id },
    };
  });
}

/** Takes a charge back. What is in closed months stays there and is taken off the open one. */
export async function removeCharge(ctx: Ctx, { chargeId }: { chargeId: string }): Promise<{ id: string }> {
  return mutate(ctx, "price:write", async (tx) => {
    const charge = (await listCharges(false, tx)).find(({ id }) => id === chargeId);
    if (!charge || !(await deleteCharge(tx, chargeId, ctx.now))) throw gone("charge");
    const { kind, micros, fromDay, toDay, description, invoice } = charge;
    if (invoice !== null)
      throw new AppError("conflict", `It belongs to invoice ${invoice}. Change it there; nothing was changed.`);
    return {
      action: "charge.removed",
      subjectKind: "charge",
      subjectId: chargeId,
      subject: description,
      before: { kind, micros, fromDay, toDay },
      result: { id: chargeId },
    };
  });
}

/** Capacity that is paid for a term: minutes that it covers are billed at its rate, and what was paid is spread over the term. */
export async function addCommitment(ctx: Ctx, input: NewCommitment): Promise<{ id: string }> {
  const { zone } = await readSetting("accounting");
  const { owner, fromDay, toDay, upfront, weekly, rate, ...rest } = input;
  const from = new Date(dayRange(fromDay, zone).from);
  const to = new Date(dayRange(toDay, zone).to);
  return mutate(ctx, "price:write", async (tx) => {
    const amounts = { upfrontMicros: upfront, weeklyMicros: weekly, rateMicros: rate };
    const commitment = { ...rest, ...amounts, provider: PROVIDER, from, to, ownerId: await ownerId(owner) };
    const id = await insertCommitment(tx, commitment, ctx.now);
    await reopenSince(tx, from);
    return {
      action: "commitment.added",
      subjectKind: "commitment",
      subjectId: id,
      subject: rest.name,
      after: { sku: rest.sku, count: rest.count, fromDay, toDay, ...amounts },
      result: { id },
    };
  });
}

export async function removeCommitment(ctx: Ctx, { commitmentId }: { commitmentId: string }): Promise<{ id: string }> {
  return mutate(ctx, "price:write", async (tx) => {
    const commitment = (await listCommitments(tx)).find(({ id }) => id === commitmentId);
    if (!commitment || !(await deleteCommitment(tx, commitmentId, ctx.now))) throw gone("commitment");
    await reopenSince(tx, new Date(commitment.from));
    const { name, sku, count, upfrontMicros, weeklyMicros, rateMicros } = commitment;
    return {
      action: "commitment.removed",
      subjectKind: "commitment",
      subjectId: commitmentId,
      subject: name,
      before: { sku, count, upfrontMicros, weeklyMicros, rateMicros },
      result: { id: commitmentId },
    };
  });
}

function invalid(field: string, message: string): AppError {
  return new AppError("invalid", "Some of it cannot be read; nothing was changed.", { [field]: message });
}

function gone(what: string): AppError {
  return new AppError("not-found", `There is no such ${what} any more. Nothing was changed.`);
}
