import { z } from "zod";
import { parseMoney, Unreadable } from "./amount";
import { countDays } from "./date";
import { FIELDS, type Field } from "./fields";
import { Mapping } from "./mapping";
import { MOST_BYTES } from "./table";
import type { InvoiceLine, VarianceClass, VarianceState } from "./types";
import { VARIANCE_STATES } from "./types";
import type { Evidence } from "./variance";

export const InvoicesQuestion = z.object({
  month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "is not a month like 2026-11"),
});
export type InvoicesQuestion = z.output<typeof InvoicesQuestion>;

export const InvoiceQuestion = z.object({ invoiceId: z.uuid() });
export type InvoiceQuestion = z.output<typeof InvoiceQuestion>;

/** Dollars as people write them; the total of an invoice. */
const money = z.string().transform((text, issues): bigint => {
  try {
    return parseMoney(text);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    issues.addIssue({
      code: "custom",
      message: text.trim() === "" ? "Give the total of the invoice" : `${error.message}`,
    });
    return z.NEVER;
  }
});

const Head = z.object({
  number: z.string().trim().min(1, "Give the invoice’s number").max(60),
  issuedOn: z.iso.date("Give the day it was issued on"),
  fromDay: z.iso.date("Give its first day"),
  toDay: z.iso.date("Give its last day"),
  total: money,
});

const MOST_DAYS = 366;
const MOST_TYPED = 500;

const checked = <
  S extends z.ZodType<z.output<typeof Head> & { csv?: string | undefined; lines?: unknown; file?: unknown }>,
>(
  schema: S,
) =>
  schema
    .refine(({ fromDay, toDay }) => fromDay <= toDay, { path: ["toDay"], error: "It ends before it begins" })
    .refine(({ fromDay, toDay }) => fromDay > toDay || countDays(fromDay, toDay) <= MOST_DAYS, {
      path: ["toDay"],
      error: "It is longer than a year",
    })
    .refine(({ csv, lines, file }) => [csv, lines ?? file].filter((one) => one !== undefined).length === 1, {
      path: ["form"],
      error: "Send a file, a table or typed lines: one of them",
    });

const Line = z.partialRecord(z.enum(FIELDS), z.string().max(500));
const csv = z.string().max(MOST_BYTES, "is larger than 2 MiB");

/** An invoice as a program sends it: a table as text with what its columns are, or lines. */
export const NewInvoice = checked(
  Head.extend({
    csv: csv.optional(),
    fileName: z.string().max(200).optional(),
    lines: z.array(Line).max(MOST_TYPED).optional(),
    /** Left out: remembered of this account, or told by the heads. */
    mapping: Mapping.optional(),
  }),
);
export type NewInvoice = z.output<typeof NewInvoice>;

function fromJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

const file = z.file().max(MOST_BYTES, "The file is larger than 2 MiB; nothing was stored");

/** The same from the page's form; beside typed lines the file is what they were typed from. */
export const SentInvoice = checked(
  Head.extend({
    file: file.optional(),
    csv: csv.optional(),
    lines: z.preprocess(fromJson, z.array(Line).max(MOST_TYPED).optional()),
    mapping: z.preprocess(fromJson, Mapping.optional()),
  }),
);
export type SentInvoice = z.output<typeof SentInvoice>;

export const PreviewQuestion = z
  .object({ file: file.optional(), csv: csv.optional(), mapping: z.preprocess(fromJson, Mapping.optional()) })
  .refine(({ csv: text, file: sent }) => text !== undefined || sent !== undefined, {
    path: ["form"],
    error: "Send a file or a table",
  });
export type PreviewQuestion = z.output<typeof PreviewQuestion>;

export const Decide = InvoiceQuestion.extend({
  keys: z.array(z.string().min(1).max(500)).min(1).max(5_000),
  state: z.enum(VARIANCE_STATES),
  note: z.string().trim().max(500, "is longer than 500 characters").default(""),
}).refine(({ state, note }) => note.length >= 3 || state === "open" || state === "accepted", {
  path: ["note"],
  error: "Say in a few words what is disputed, or why this is all right",
});
export type Decide = z.output<typeof Decide>;

export const RemoveInvoice = InvoiceQuestion.extend({
  note: z.string().trim().min(3, "Say in a few words why").max(500, "is longer than 500 characters"),
});
export type RemoveInvoice = z.output<typeof RemoveInvoice>;

type Texts<T> = { [K in keyof T]: T[K] extends bigint ? string : T[K] extends bigint | null ? string | null : T[K] };
export type LineView = Texts<InvoiceLine>;

export type PreviewAnswer = {
  heads: string[];
  mapping: Mapping;
  /** How many lines it has, and the first of them. */
  count: number;
  lines: (LineView & { at: number })[];
  problemCount: number;
  problems: { at: number; field: Field | null; message: string }[];
  skipped: { at: number; text: string }[];
  sumMicros: string;
  /** What the table itself calls its total. */
  totalMicros: string | null;
  /** The first and the last day that its lines name. */
  fromDay: string | null;
  toDay: string | null;
  /** The invoice that was made of the same bytes before. */
  known: string | null;
};

export type InvoiceRow = {
  id: string;
  number: string;
  issuedOn: string;
  fromDay: string;
  toDay: string;
  lines: number;
  totalMicros: string;
  ledgerMicros: string;
  differenceMicros: string;
  /** Differences that nobody has spoken of. */
  open: number;
  openMicros: string;
  disputed: number;
  disputedMicros: string;
  byClass: { class: VarianceClass; count: number; micros: string; open: number }[];
  fileName: string | null;
  by: string | null;
  createdAt: number;
};

export type InvoicesAnswer = {
  now: number;
  month: string;
  zone: string;
  /** Invoices with a day in the month, the oldest first. */
  invoices: InvoiceRow[];
  /** Days of the month that no invoice covers, as far as the ledger has anything in them. */
  accrued: { fromDay: string; toDay: string; micros: string }[];
  totals: {
    totalMicros: string;
    ledgerMicros: string;
    /** What is open: the unexplained residual. */
    open: number;
    openMicros: string;
    disputedMicros: string;
    accruedMicros: string;
  };
};

export type VarianceView = {
  key: string;
  class: VarianceClass;
  state: VarianceState;
  line: number | null;
  resourceId: string | null;
  billedMicros: string | null;
  ledgerMicros: string | null;
  differenceMicros: string;
  evidence: Evidence;
  note: string;
  by: string | null;
  at: number | null;
};

export type InvoiceAnswer = {
  now: number;
  zone: string;
  invoice: InvoiceRow;
  /** Lines and ledger rows that agree to the micro-dollar. */
  matched: { micros: string; lines: number };
  ledgerRows: number;
  unknownRows: number;
  /** Without tax and credits, against the tolerance of FOCUS 1.4. */
  comparedMicros: string;
  toleranceMicros: string;
  isWithinTolerance: boolean;
  variances: VarianceView[];
  lines: LineView[];
  /** There are more lines than are answered at once. */
  isCut: boolean;
};
