import { type Client, transact } from "@/lib/db/client";
import { deleteCharge } from "@/lib/db/cost/charges";
import { listNeighbours } from "@/lib/db/cost/invoice-facts";
import {
  deleteInvoice,
  findInvoice,
  findTwin,
  holdInvoice,
  insertInvoice,
  linesOf,
  listInvoices,
  listUninvoiced,
  putVariance,
  type StoredInvoice,
  sumVariances,
  variancesOf,
} from "@/lib/db/cost/invoices";
import { readAllocation } from "@/lib/db/cost/owners";
import { isClosedError } from "@/lib/db/cost/periods";
import { mutate } from "@/lib/db/mutate";
import { forgetSetting, readSetting, readSettingNow, writeSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { sum } from "@/lib/domain/cost/money";
import { groupBy } from "@/lib/domain/group";
import { addDays } from "@/lib/domain/invoice/date";
import type { ReadLines } from "@/lib/domain/invoice/lines";
import type { Mapping } from "@/lib/domain/invoice/mapping";
import { differenceOf } from "@/lib/domain/invoice/variance";
import type {
  Decide,
  InvoiceAnswer,
  InvoiceQuestion,
  InvoicesAnswer,
  InvoicesQuestion,
  NewInvoice,
  RemoveInvoice,
  SentInvoice,
} from "@/lib/domain/invoice/view";
import { AppError } from "@/lib/errors";
import { settleCharges } from "./charges";
import { book } from "./invoice-book";
import { hashOf, invoicedConnection, readInvoiceTable, readTyped, textOf } from "./invoice-lines";
import { inOrder, matchOf, rematch, rematchNeighbours } from "./invoice-match";
import { invoiceRow, lineView, spansOf, varianceView } from "./invoice-view";

const SHOWN_LINES = 500;

/** The invoices of a month, what is different of them, and what no invoice covers yet. */
export async function readInvoices(ctx: Ctx, { month }: InvoicesQuestion): Promise<InvoicesAnswer> {
  authorize(ctx, "invoice:read");
  const [found, uninvoiced, { zone }] = await Promise.all([
    listInvoices(`${month}-01`, lastDay(month)),
    listUninvoiced(month),
    readSetting("accounting"),
  ]);
  const sums = groupBy(await sumVariances(found.map(({ id }) => id)), ({ invoiceId }) => invoiceId);
  const invoices = found.map((invoice) => invoiceRow(invoice, sums.get(invoice.id) ?? []));
  const total = (of: (row: (typeof invoices)[number]) => string) =>
    sum(invoices.map((row) => BigInt(of(row)))).toString();
  return {
    now: ctx.now.getTime(),
    month,
    zone,
    invoices,
    accrued: spansOf(uninvoiced),
    totals: {
      totalMicros: total((row) => row.totalMicros),
      ledgerMicros: total((row) => row.ledgerMicros),
      open: invoices.reduce((count, { open }) => count + open, 0),
      openMicros: total((row) => row.openMicros),
      disputedMicros: total((row) => row.disputedMicros),
      accruedMicros: sum(uninvoiced.map(({ micros }) => micros)).toString(),
    },
  };
}

function lastDay(month: string): string {
  return addDays(`${addDays(`${month}-28`, 4).slice(0, 7)}-01`, -1);
}

/** An invoice: its lines, its differences with their evidence, and what was said of them. */
export async function readInvoice(
  ctx: Ctx,
  { invoiceId }: InvoiceQuestion,
  most = SHOWN_LINES,
): Promise<InvoiceAnswer> {
  authorize(ctx, "invoice:read");
  const invoice = await existing(invoiceId);
  const [lines, variances, { zone }] = await Promise.all([
    linesOf(invoiceId),
    variancesOf(invoiceId),
    readSetting("accounting"),
  ]);
  const match = await matchOf(invoice, lines, variances);
  const sums = variances.map((one) => ({ class: one.class, state: one.state, count: 1, micros: differenceOf(one) }));
  return {
    now: ctx.now.getTime(),
    zone,
    invoice: invoiceRow(invoice, sums),
    matched: { micros: match.matched.micros.toString(), lines: match.matched.lines },
    ledgerRows: match.ledgerRows,
    unknownRows: match.unknownRows,
    comparedMicros: match.comparedMicros.toString(),
    toleranceMicros: match.toleranceMicros.toString(),
    isWithinTolerance: match.isWithinTolerance,
    variances: inOrder(match, variances).map(varianceView),
    lines: lines.slice(0, most).map(lineView),
    isCut: lines.length > most,
  };
}

async function existing(id: string, client?: Client): Promise<StoredInvoice> {
  const found = await findInvoice(id, client);
  if (!found) throw new AppError("not-found", "There is no such invoice, or it was removed.");
  return found;
}

/** An invoice as a program sends it. */
export async function addInvoice(ctx: Ctx, input: NewInvoice): Promise<{ id: string }> {
  const { csv, fileName, lines, mapping, ...head } = input;
  authorize(ctx, "invoice:write");
  if (lines) return enter(ctx, head, readTyped(lines, mapping), null, null);
  const bytes = new TextEncoder().encode(csv ?? "");
  return enterTable(ctx, head, { name: fileName ?? `${head.number}.csv`, bytes }, mapping);
}

/** The same from the page's form: a file, a pasted table, or typed lines with the file that they were typed from. */
export async function sendInvoice(ctx: Ctx, input: SentInvoice): Promise<{ id: string }> {
  const { file, csv, lines, mapping, ...head } = input;
  authorize(ctx, "invoice:write");
  const sent = file && { name: file.name || "invoice", bytes: new Uint8Array(await file.arrayBuffer()) };
  if (lines) return enter(ctx, head, readTyped(lines, mapping), null, sent ?? null);
  const bytes = new TextEncoder().encode(csv ?? "");
  return enterTable(ctx, head, sent ?? { name: `${head.number} as pasted.txt`, bytes }, mapping);
}

type Head = Pick<NewInvoice, "number" | "issuedOn" | "fromDay" | "toDay" | "total">;
type Sent = { name: string; bytes: Uint8Array };

async function enterTable(ctx: Ctx, head: Head, sent: Sent, given: Mapping | undefined): Promise<{ id: string }> {
  const { mapping, read } = await readInvoiceTable(textOf(sent.bytes), given, await invoicedConnection());
  return enter(ctx, head, read, mapping, sent);
}

async function enter(
  ctx: Ctx,
  { total, ...head }: Head,
  read: ReadLines,
  mapping: Mapping | null,
  sent: Sent | null,
): Promise<{ id: string }> {
  refuseProblems(read);
  const connectionId = await invoicedConnection();
  const fileHash = sent && (await hashOf(sent.bytes));
  const result = await mutate(ctx, "invoice:write", async (tx) => {
    await refuseTwin(connectionId, head.number, fileHash, tx);
    const row = {
      ...head,
      connectionId,
      totalMicros: total,
      fileName: sent && cleanName(sent.name),
      file: sent?.bytes ?? null,
      fileHash,
      byId: ctx.actor.kind === "user" ? ctx.actor.id : null,
      lines: read.lines,
    };
    const id = await insertInvoice(tx, row, ctx.now);
    await rematch(tx, id, ctx.now);
    if (mapping) {
      const known = await readSettingNow("invoiceMapping", tx);
      await writeSetting(tx, "invoiceMapping", { ...known, [connectionId]: mapping }, ctx.now);
    }
    const after = { ...head, totalMicros: total, lines: read.lines.length, file: row.fileName };
    return { action: "invoice.entered", ...subject({ id, number: head.number }), after, result: { id } };
  }).catch(async (error: unknown) => {
    // Somebody else entered the same one in this moment.
    if (isTwinError(error)) await refuseTwin(connectionId, head.number, fileHash);
    throw error;
  });
  forgetSetting("invoiceMapping");
  await rematchNeighbours(result.id, ctx.now);
  return result;
}

function isTwinError(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "P2002";
}

function refuseProblems({ lines, problems }: ReadLines): void {
  const [first] = problems;
  if (first) {
    const more = problems.length > 1 ? ` and ${problems.length - 1} more` : "";
    const where = first.at > 0 ? `Line ${first.at}: ` : "";
    throw new AppError(
      "invalid",
      `${where}${first.message}${more}. Nothing was stored; put it right and send it again.`,
      {
        lines: Object.values(problems.slice(0, 20))
          .map(({ at, message }) => `${at > 0 ? `${at}: ` : ""}${message}`)
          .join("; "),
      },
    );
  }
  if (lines.length === 0)
    throw new AppError("invalid", "There is no line in it. Nothing was stored.", { lines: "none" });
}

async function refuseTwin(
  connectionId: string,
  number: string,
  fileHash: Uint8Array | null,
  client?: Client,
): Promise<void> {
  const twin = await findTwin(connectionId, { number, fileHash }, client);
  if (!twin) return;
  throw twin.isSameFile
    ? new AppError("conflict", `This file was entered before, as invoice ${twin.number}. Nothing was stored.`, {
        file: `is invoice ${twin.number}`,
      })
    : new AppError(
        "conflict",
        `There is an invoice ${twin.number} already. Nothing was stored; remove that one first if this one replaces it.`,
        {
          number: "is taken",
        },
      );
}

/** A name that is safe in a header and in a folder. */
function cleanName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? "";
  return (
    base
      .replace(/[^\w .()-]/g, "_")
      .replace(/^\.+/, "")
      .slice(-120) || "invoice"
  );
}

const subject = ({ id, number }: Pick<StoredInvoice, "id" | "number">) => ({
  subjectKind: "invoice",
  subjectId: id,
  subject: number,
});

/**
 * Accepts, disputes or explains differences, or opens them again. What is accepted of tax and credits, and of time or things that
 * the ledger has not, becomes a charge in it; of days of a closed month it counts in the open one.
 */
export async function decideVariances(
  ctx: Ctx,
  { invoiceId, keys, state, note }: Decide,
): Promise<{ decided: number }> {
  authorize(ctx, "invoice:write");
  const result = await mutate(ctx, "invoice:write", async (tx) => {
    await rematch(tx, invoiceId, ctx.now);
    const invoice = await existing(invoiceId, tx);
    const all = await variancesOf(invoiceId, tx);
    const chosen = all.filter(({ key }) => keys.includes(key));
    if (chosen.length < new Set(keys).size)
      throw new AppError(
        "conflict",
        "The ledger learnt something meanwhile, and some of these differences are gone or others now. Nothing was changed; look again.",
      );
    const lines = new Map((await linesOf(invoiceId, tx)).map((line) => [line.line, line]));
    for (const one of chosen) {
      const { chargeId, ledgerMicros } = await book(tx, ctx, { invoice, lines }, one, state);
      const by = state === "open" ? null : ctx.actor.kind === "user" ? ctx.actor.id : null;
      const { by: _by, ...rest } = one;
      await putVariance(tx, invoiceId, {
        ...rest,
        ledgerMicros,
        state,
        note,
        decidedById: by,
        decidedAt: state === "open" ? null : ctx.now,
        evidence: { ...one.evidence, chargeId },
      });
    }
    const differenceMicros = sum(chosen.map(differenceOf));
    const told = chosen.map(({ key, evidence }) => `${key.split(":")[0]} ${evidence.label}`).slice(0, 20);
    return {
      action: "invoice.decided",
      ...subject(invoice),
      before: { state: [...new Set(chosen.map((one) => one.state))].join(", ") },
      after: { state, differences: told, count: chosen.length, differenceMicros },
      reason: note || null,
      result: { decided: chosen.length },
    };
  });
  await settle(invoiceId, ctx.now);
  return result;
}

/** Charges become ledger rows now; where a month closes in this moment, the meter does it after. */
async function settle(invoiceId: string, now: Date): Promise<void> {
  try {
    await settleCharges(await readAllocation(), (await readSetting("accounting")).zone);
  } catch (error) {
    if (!isClosedError(error)) throw error;
  }
  await transact((tx) => rematch(tx, invoiceId, now));
}

/** Takes an invoice away that should not be there, with the charges that were made of it. */
export async function removeInvoice(ctx: Ctx, { invoiceId, note }: RemoveInvoice): Promise<{ id: string }> {
  authorize(ctx, "invoice:write");
  const invoice = await existing(invoiceId);
  const neighbours = await listNeighbours(invoice);
  await mutate(ctx, "invoice:write", async (tx) => {
    if (!(await holdInvoice(tx, invoiceId))) throw new AppError("not-found", "There is no such invoice any more.");
    for (const { evidence } of await variancesOf(invoiceId, tx))
      if (evidence.chargeId) await deleteCharge(tx, evidence.chargeId, ctx.now);
    await deleteInvoice(tx, invoiceId);
    const { number, fromDay, toDay, totalMicros, fileName } = invoice;
    return {
      action: "invoice.removed",
      ...subject(invoice),
      before: { number, fromDay, toDay, totalMicros, file: fileName },
      after: null,
      reason: note,
      result: null,
    };
  });
  try {
    await settleCharges(await readAllocation(), (await readSetting("accounting")).zone);
  } catch (error) {
    if (!isClosedError(error)) throw error;
  }
  for (const one of neighbours) await transact((tx) => rematch(tx, one, ctx.now));
  return { id: invoiceId };
}
