import type { Client } from "@/lib/db/client";
import { deleteCharge, findAmount, insertCharge, mainOwner } from "@/lib/db/cost/charges";
import type { StoredInvoice, StoredVariance } from "@/lib/db/cost/invoices";
import type { Ctx } from "@/lib/domain/access";
import type { InvoiceLine, VarianceState } from "@/lib/domain/invoice/types";
import { bookedKind, differenceOf } from "@/lib/domain/invoice/variance";

type Billed = { invoice: StoredInvoice; lines: ReadonlyMap<number, InvoiceLine> };
type Booked = { chargeId: string | null; ledgerMicros: bigint | null };

/**
 * The charge that stands for a difference once it is accepted; taken back where it is not any more, with what the ledger then has.
 * Whoever asks holds the invoice: accepted twice or by two at once, there is one.
 */
export async function book(
  tx: Client,
  ctx: Ctx,
  billed: Billed,
  variance: StoredVariance,
  state: VarianceState,
): Promise<Booked> {
  const { ledgerMicros } = variance;
  const { chargeId } = variance.evidence;
  const kind = bookedKind(variance);
  if (kind === null) return { chargeId, ledgerMicros };
  if (state === "accepted")
    return { chargeId: chargeId ?? (await charge(tx, ctx, billed, variance, kind)), ledgerMicros };
  if (chargeId === null) return { chargeId, ledgerMicros };
  const amount = await findAmount(chargeId, tx);
  await deleteCharge(tx, chargeId, ctx.now);
  return {
    chargeId: null,
    ledgerMicros: ledgerMicros === null || amount === null ? ledgerMicros : ledgerMicros - amount,
  };
}

async function charge(
  tx: Client,
  ctx: Ctx,
  { invoice, lines }: Billed,
  variance: StoredVariance,
  kind: "tax" | "credit" | "adjustment",
): Promise<string | null> {
  const micros = differenceOf(variance);
  if (micros === 0n) return null;
  const { label, remark, resourceIds } = variance.evidence;
  const own = variance.evidence.lines.flatMap((line) => lines.get(line) ?? []);
  const days = own.flatMap(({ fromDay, toDay }) => [fromDay ?? invoice.fromDay, toDay ?? invoice.toDay]).sort();
  const [fromDay = invoice.fromDay, toDay = invoice.toDay] = [days[0], days.at(-1)];
  const what = kind === "adjustment" ? [label, remark].filter(Boolean).join(": ") : (own[0]?.description ?? label);
  return insertCharge(
    tx,
    {
      ...{ kind, fromDay, toDay, micros },
      description: `${what} (${invoice.number})`,
      ownerId: kind === "adjustment" ? await mainOwner(tx, resourceIds, fromDay, toDay) : 0,
      invoiceId: invoice.id,
      byId: ctx.actor.kind === "user" ? ctx.actor.id : null,
    },
    ctx.now,
  );
}
