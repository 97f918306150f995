import { type Client, pool, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { type Decided, keepDecisions } from "@/lib/domain/invoice/decisions";
import type { InvoiceLine, VarianceClass } from "@/lib/domain/invoice/types";
import { type Evidence, NO_EVIDENCE, type Variance } from "@/lib/domain/invoice/variance";
import type { Asked, Month } from "./periods";

export type StoredInvoice = {
  id: string;
  connectionId: string;
  number: string;
  issuedOn: string;
  fromDay: string;
  toDay: string;
  totalMicros: bigint;
  fileName: string | null;
  by: string | null;
  createdAt: Date;
  lineCount: number;
};

const day = (date: Date) => date.toISOString().slice(0, 10);
const date = (text: string) => new Date(`${text}T00:00:00Z`);

const HEAD = {
  id: true,
  connectionId: true,
  number: true,
  issuedOn: true,
  fromDay: true,
  toDay: true,
  totalMicros: true,
  fileName: true,
  createdAt: true,
  createdBy: { select: { name: true } },
  _count: { select: { lines: true } },
} satisfies Prisma.InvoiceSelect;

function toInvoice({ _count, createdBy, ...row }: Prisma.InvoiceGetPayload<{ select: typeof HEAD }>): StoredInvoice {
  return {
    ...row,
    issuedOn: day(row.issuedOn),
    fromDay: day(row.fromDay),
    toDay: day(row.toDay),
    by: createdBy?.name ?? null,
    lineCount: _count.lines,
  };
}

/** Invoices with a day within [from, to], the oldest first. */
export async function listInvoices(from: string, to: string, client: Client = prisma): Promise<StoredInvoice[]> {
  const rows = await client.invoice.findMany({
    where: { fromDay: { lte: date(to) }, toDay: { gte: date(from) } },
    select: HEAD,
    orderBy: [{ fromDay: "asc" }, { number: "asc" }],
  });
  return rows.map(toInvoice);
}

export async function findInvoice(id: string, client: Client = prisma): Promise<StoredInvoice | null> {
  const row = await client.invoice.findUnique({ where: { id }, select: HEAD });
  return row && toInvoice(row);
}

/** The invoice that was made of the same bytes, or has the same number; null: there is none. */
export async function findTwin(
  connectionId: string,
  asked: { number?: string; fileHash: Uint8Array | null },
  client: Client = prisma,
): Promise<{ number: string; isSameFile: boolean } | null> {
  if (asked.fileHash) {
    const same = await client.invoice.findFirst({
      where: { connectionId, fileHash: Buffer.from(asked.fileHash) },
      select: { number: true },
    });
    if (same) return { number: same.number, isSameFile: true };
  }
  if (asked.number === undefined) return null;
  const named = await client.invoice.findFirst({
    where: { connectionId, number: asked.number },
    select: { number: true },
  });
  return named && { number: named.number, isSameFile: false };
}

export type NewInvoiceRow = Pick<
  StoredInvoice,
  "connectionId" | "number" | "issuedOn" | "fromDay" | "toDay" | "totalMicros" | "fileName"
> & {
  file: Uint8Array | null;
  fileHash: Uint8Array | null;
  byId: string | null;
  lines: readonly (InvoiceLine & { at?: number })[];
};

const LINE_COLUMNS: readonly (readonly [
  name: string,
  type: string,
  value: (line: InvoiceLine & { at?: number }) => unknown,
])[] = [
  ["line", "int", (line) => line.line],
  ["charge", "charge_kind", (line) => line.charge],
  ["description", "text", (line) => line.description],
  ["external_id", "text", (line) => line.resource],
  ["sku", "text", (line) => line.sku],
  ["region", "text", (line) => line.region],
  ["from_day", "date", (line) => line.fromDay],
  ["to_day", "date", (line) => line.toDay],
  ["quantity", "numeric", (line) => decimalOf(line.quantityMicros)],
  ["rate_micros", "bigint", (line) => line.rateMicros?.toString() ?? null],
  ["micros", "bigint", (line) => line.micros.toString()],
  ["raw", "jsonb", (line) => JSON.stringify(line.at === undefined ? {} : { at: line.at })],
];

/** Millionths as a decimal number of the column. */
function decimalOf(millionths: bigint | null): string | null {
  if (millionths === null) return null;
  const size = (millionths < 0n ? -millionths : millionths).toString().padStart(7, "0");
  return `${millionths < 0n ? "-" : ""}${size.slice(0, -6)}.${size.slice(-6)}`;
}

const millionthsOf = (decimal: Prisma.Decimal | null) =>
  decimal === null ? null : BigInt(decimal.times(1_000_000).toFixed(0));

export async function insertInvoice(tx: Client, invoice: NewInvoiceRow, at: Date): Promise<string> {
  const { lines, byId, file, fileHash, ...head } = invoice;
  const { id } = await tx.invoice.create({
    data: {
      ...head,
      issuedOn: date(head.issuedOn),
      fromDay: date(head.fromDay),
      toDay: date(head.toDay),
      file: file && Buffer.from(file),
      fileHash: fileHash && Buffer.from(fileHash),
      createdById: byId,
      createdAt: at,
      updatedAt: at,
    },
    select: { id: true },
  });
  await tx.$executeRawUnsafe(
    `insert into invoice_line (invoice_id, ${LINE_COLUMNS.map(([name]) => name).join(", ")})
     select $1::uuid, x.* from unnest(${LINE_COLUMNS.map(([, type], i) => `$${i + 2}::text[]::${type}[]`).join(", ")}) as x`,
    id,
    ...LINE_COLUMNS.map(([, , value]) => lines.map((line) => textOf(value(line)))),
  );
  return id;
}

const textOf = (value: unknown) => (value === null || value === undefined ? null : String(value));

export async function linesOf(invoiceId: string, client: Client = prisma): Promise<InvoiceLine[]> {
  const rows = await client.invoiceLine.findMany({ where: { invoiceId }, orderBy: { line: "asc" } });
  return rows.map((row) => ({
    line: row.line,
    charge: row.charge,
    description: row.description,
    resource: row.externalId,
    sku: row.sku,
    region: row.region,
    fromDay: row.fromDay && day(row.fromDay),
    toDay: row.toDay && day(row.toDay),
    quantityMicros: millionthsOf(row.quantity),
    rateMicros: row.rateMicros,
    micros: row.micros,
  }));
}

export type StoredVariance = Decided & { by: string | null };

export async function variancesOf(invoiceId: string, client: Client = prisma): Promise<StoredVariance[]> {
  const rows = await client.variance.findMany({
    where: { invoiceId },
    include: { decidedBy: { select: { name: true } } },
  });
  return rows.map((row) => ({
    key: row.key,
    class: row.class,
    line: row.line,
    resourceId: row.resourceId,
    billedMicros: row.billedMicros,
    ledgerMicros: row.ledgerMicros,
    // What was written here was written by these functions.
    evidence: { ...NO_EVIDENCE, ...(row.detail as Partial<Evidence>) },
    state: row.state,
    note: row.note,
    decidedById: row.decidedById,
    decidedAt: row.decidedAt,
    by: row.decidedBy?.name ?? null,
  }));
}

/** Whoever changes what is said of an invoice holds it until the end. False: it is gone. */
export async function holdInvoice(tx: Client, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`select 1 from invoice where id = ${id}::uuid for update`;
  return rows.length > 0;
}

const plain = ({ by: _by, ...row }: StoredVariance): Decided => row;
const textual = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? one.toString() : one));

/** Writes what a matching found, as far as it is new; what people said is kept. True: something was different. */
export async function keepVariances(tx: Client, invoiceId: string, found: readonly Variance[]): Promise<boolean> {
  const before = (await variancesOf(invoiceId, tx)).map(plain);
  const after = keepDecisions(found, before);
  const known = new Map(before.map((one) => [one.key, textual(sorted(one))]));
  const changed = after.filter((one) => known.get(one.key) !== textual(sorted(one)));
  const gone = before.filter((one) => !after.some(({ key }) => key === one.key)).map(({ key }) => key);
  if (gone.length > 0) await tx.variance.deleteMany({ where: { invoiceId, key: { in: gone } } });
  const isNew = ({ key }: Decided) => !known.has(key);
  await tx.variance.createMany({
    data: changed.filter(isNew).map(({ evidence, ...row }) => ({ ...row, invoiceId, detail: detailOf(evidence) })),
  });
  for (const one of changed) if (!isNew(one)) await putVariance(tx, invoiceId, one);
  return changed.length + gone.length > 0;
}

function sorted(one: Decided): object {
  const { evidence, ...row } = one;
  const entries = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { row: entries(row), evidence: entries(evidence) };
}

const detailOf = (evidence: Evidence): Prisma.InputJsonObject => ({ ...evidence });

export async function putVariance(tx: Client, invoiceId: string, { evidence, key, ...row }: Decided): Promise<void> {
  const data = { ...row, detail: detailOf(evidence) };
  await tx.variance.upsert({
    where: { invoiceId_key: { invoiceId, key } },
    create: { invoiceId, key, ...data },
    update: data,
  });
}

/** The bytes of an invoice as they were sent; null: it was typed, or there is none. */
export async function readFile(id: string): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> } | null> {
  const row = await prisma.invoice.findUnique({ where: { id }, select: { file: true, fileName: true, number: true } });
  return row?.file ? { name: row.fileName ?? `${row.number}.csv`, bytes: new Uint8Array(row.file) } : null;
}

/** Takes an invoice away with its lines and what was said of them; charges that it made lose their invoice. */
export async function deleteInvoice(tx: Client, id: string): Promise<void> {
  await tx.invoice.delete({ where: { id }, select: { id: true } });
}

export type VarianceSums = {
  invoiceId: string;
  class: VarianceClass;
  state: "open" | "accepted" | "disputed" | "explained";
  count: number;
  micros: bigint;
};

/** Differences of invoices, summed by class and by what was said. */
export async function sumVariances(invoiceIds: readonly string[], client: Asked = pool()): Promise<VarianceSums[]> {
  const { rows } = await client.query<Omit<VarianceSums, "micros"> & { micros: string }>(
    `select invoice_id::text as "invoiceId", class::text as class, state::text as state, count(*)::int as count,
       sum(coalesce(billed_micros, 0) - coalesce(ledger_micros, 0))::text as micros
     from variance where invoice_id = any ($1::uuid[]) group by 1, 2, 3 order by 1, 2, 3`,
    [invoiceIds],
  );
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}

export type InvoiceSummary = {
  /** Invoices with a day in the month. */
  received: number;
  /** Differences that nobody has spoken of, and what they come to: the unexplained residual. */
  open: number;
  residualMicros: bigint;
  disputed: number;
  disputedMicros: bigint;
  totalMicros: bigint;
  ledgerMicros: bigint;
};

/** How the invoices of a month stand. */
export async function invoiceSummary(month: Month, client: Asked = pool()): Promise<InvoiceSummary> {
  const { rows } = await client.query<Record<string, string>>(
    `with own as (select id, total_micros from invoice where from_day < ($1::date + interval '1 month') and to_day >= $1::date),
       said as (select v.state, coalesce(v.billed_micros, 0) - coalesce(v.ledger_micros, 0) as micros from variance v join own on own.id = v.invoice_id)
     select (select count(*) from own)::text as received, (select coalesce(sum(total_micros), 0) from own)::text as total,
       count(*) filter (where state = 'open')::text as open, coalesce(sum(micros) filter (where state = 'open'), 0)::text as residual,
       count(*) filter (where state = 'disputed')::text as disputed, coalesce(sum(micros) filter (where state = 'disputed'), 0)::text as "disputedMicros",
       coalesce(sum(micros), 0)::text as difference from said`,
    [`${month}-01`],
  );
  const row = rows[0] ?? {};
  const total = BigInt(row.total ?? 0);
  return {
    received: Number(row.received ?? 0),
    open: Number(row.open ?? 0),
    residualMicros: BigInt(row.residual ?? 0),
    disputed: Number(row.disputed ?? 0),
    disputedMicros: BigInt(row.disputedMicros ?? 0),
    totalMicros: total,
    ledgerMicros: total - BigInt(row.difference ?? 0),
  };
}

/** Days of a span that no invoice of their account covers, with what the ledger holds in them (C61). */
export async function listUninvoiced(month: Month, client: Asked = pool()): Promise<{ day: string; micros: bigint }[]> {
  const { rows } = await client.query<{ day: string; micros: string }>(
    `select l.day::text as day, coalesce(sum(l.micros), 0)::text as micros from ledger_row l left join resource r on r.id = l.resource_id
     where l.period = $1::date and l.day >= $1::date and l.corrects_key is null and l.charge in ('usage', 'storage', 'commitment')
       and not exists (select from invoice i where l.day between i.from_day and i.to_day and (r.id is null or i.connection_id = r.connection_id))
     group by 1 order by 1`,
    [`${month}-01`],
  );
  return rows.map((row) => ({ day: row.day, micros: BigInt(row.micros) }));
}
