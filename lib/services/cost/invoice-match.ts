import { type Client, transact } from "@/lib/db/client";
import { deleteCharge, listInvoiceCorrections } from "@/lib/db/cost/charges";
import { listBeside, listBilledResources, listLedgerFacts, listNeighbours } from "@/lib/db/cost/invoice-facts";
import {
  findInvoice,
  holdInvoice,
  keepVariances,
  linesOf,
  listInvoices,
  type StoredInvoice,
  type StoredVariance,
  variancesOf,
} from "@/lib/db/cost/invoices";
import { type Asked, asking } from "@/lib/db/cost/periods";
import type { Ctx } from "@/lib/domain/access";
import { addDays } from "@/lib/domain/invoice/date";
import { type Match, matchInvoice } from "@/lib/domain/invoice/match";
import type { InvoiceLine } from "@/lib/domain/invoice/types";

/** Lines against the ledger; where something is left over, also against the days beside and the other invoices. */
export async function matchOf(
  invoice: StoredInvoice,
  lines: readonly InvoiceLine[],
  said: readonly Pick<StoredVariance, "key" | "evidence">[],
  asked?: Asked,
): Promise<Match> {
  // One after the other: inside a transaction there is one connection.
  const ledger = await listLedgerFacts(invoice, asked);
  const resources = await listBilledResources(invoice, asked);
  const booked = Object.fromEntries(
    said.flatMap(({ key, evidence: { chargeId } }) => (chargeId ? [[key, chargeId]] : [])),
  );
  const input = { ...invoice, lines, ledger, resources, booked, beside: [], others: [] };
  const first = matchInvoice(input);
  const left = [...new Set(first.variances.flatMap(({ evidence }) => evidence.resourceIds))];
  return left.length === 0 ? first : matchInvoice({ ...input, ...(await listBeside(invoice, left, asked)) });
}

/** Matches an invoice again and keeps what people said; a correction of a difference that is not as it was accepted is taken back. */
export async function rematch(tx: Client, id: string, now: Date): Promise<boolean> {
  if (!(await holdInvoice(tx, id))) return false;
  const invoice = await findInvoice(id, tx);
  if (!invoice) return false;
  const lines = await linesOf(id, tx);
  const match = await matchOf(invoice, lines, await variancesOf(id, tx), asking(tx));
  const isChanged = await keepVariances(tx, id, match.variances);
  const said = await variancesOf(id, tx);
  const accepted = new Set(
    said.flatMap(({ state, evidence }) => (state === "accepted" ? (evidence.chargeId ?? []) : [])),
  );
  const orphans = (await listInvoiceCorrections(id, tx)).filter((one) => !accepted.has(one));
  if (orphans.length === 0) return isChanged;
  for (const one of orphans) await deleteCharge(tx, one, now);
  const left = said.filter(({ evidence }) => !orphans.includes(evidence.chargeId ?? ""));
  await keepVariances(tx, id, (await matchOf(invoice, lines, left, asking(tx))).variances);
  return true;
}

/** A new invoice may have what others lack. */
export async function rematchNeighbours(id: string, now: Date): Promise<void> {
  const invoice = await findInvoice(id);
  if (!invoice) return;
  for (const one of await listNeighbours(invoice)) await transact((tx) => rematch(tx, one, now));
}

/** How long after its end an invoice is still matched again as the ledger learns; afterwards only what people do changes it. */
const WATCHED_DAYS = 100;

/** For the worker: invoices follow what the ledger learns of their days. */
export async function matchInvoices(ctx: Ctx): Promise<void> {
  const today = ctx.now.toISOString().slice(0, 10);
  for (const { id } of await listInvoices(addDays(today, -WATCHED_DAYS), addDays(today, 1)))
    await transact((tx) => rematch(tx, id, ctx.now));
}

/** As the matching orders them; what it finds no more stands last until it is matched again. */
export function inOrder(match: Match, variances: readonly StoredVariance[]): StoredVariance[] {
  const places = new Map(match.variances.map(({ key }, i) => [key, i]));
  const place = ({ key }: StoredVariance) => places.get(key) ?? places.size;
  return [...variances].sort((a, b) => place(a) - place(b) || (a.key < b.key ? -1 : 1));
}
