import { sum } from "@/lib/domain/cost/money";
import { roundingTolerance } from "@/lib/domain/cost/reconcile";
import { groupBy } from "@/lib/domain/group";
import type { Judged } from "./judge";
import type { InvoiceLine, LedgerFact, VarianceClass } from "./types";
import { type MatchInput, NO_EVIDENCE, type Variance } from "./variance";

/** Amounts that no meter sees: tax, credits, commitments, adjustments. Each line against a charge of the same amount. */
export function looseVariances(input: MatchInput): Judged {
  const parts = [
    apart("tax", input),
    apart("credit", input),
    ...(["commitment", "adjustment", "rounding"] as const).map((kind) => summed(kind, input)),
  ];
  return {
    variances: parts.flatMap(({ variances }) => variances),
    undecided: [],
    matched: {
      micros: sum(parts.map(({ matched }) => matched.micros)),
      lines: parts.reduce((count, { matched }) => count + matched.lines, 0),
    },
  };
}

const loose = (facts: readonly LedgerFact[], kind: string) =>
  facts.filter(({ charge, resourceId }) => charge === kind && resourceId === null);

/** Tax and credits: a line of its own each, whether the ledger has it or not, until somebody has booked it. */
function apart(kind: "tax" | "credit", { lines, ledger, booked }: MatchInput): Omit<Judged, "undecided"> {
  const charges = [...groupBy(loose(ledger, kind), ({ chargeId }) => chargeId ?? "")]
    .map(([id, facts]) => ({ id, micros: sum(facts.map(({ micros }) => micros ?? 0n)) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const used = new Set<string>();
  const own = new Set(Object.values(booked));
  const variances: Variance[] = [];
  const matched = { micros: 0n, lines: 0 };
  for (const line of lines.filter(({ charge }) => charge === kind).sort((a, b) => a.line - b.line)) {
    const key = `${kind}:line ${line.line}`;
    const chargeId = booked[key];
    const charge = charges.find(({ id, micros }) =>
      chargeId === undefined ? micros === line.micros && !used.has(id) && !own.has(id) : id === chargeId,
    );
    if (charge) used.add(charge.id);
    if (charge && chargeId === undefined) {
      matched.micros += line.micros;
      matched.lines += 1;
    } else variances.push(lineVariance(kind, key, line, charge?.micros ?? null, chargeId ?? null));
  }
  for (const { id, micros } of charges)
    if (!used.has(id) && micros !== 0n)
      variances.push({
        key: `${kind}:charge ${id}`,
        class: kind,
        line: null,
        resourceId: null,
        billedMicros: null,
        ledgerMicros: micros,
        evidence: {
          ...NO_EVIDENCE,
          label: kind === "tax" ? "Tax" : "Credit",
          remark: "In the ledger, on no line",
          chargeId: id,
        },
      });
  return { variances, matched };
}

function lineVariance(
  found: VarianceClass,
  key: string,
  line: InvoiceLine,
  ledgerMicros: bigint | null,
  chargeId: string | null,
): Variance {
  const remark = chargeId ? "Booked as a charge" : "Not in the ledger; accept it to book it";
  return {
    key,
    class: found,
    line: line.line,
    resourceId: null,
    billedMicros: line.micros,
    ledgerMicros,
    evidence: { ...NO_EVIDENCE, label: line.description, lines: [line.line], remark, chargeId },
  };
}

/** The rest by its sum: what was agreed on in advance comes in whole amounts. */
function summed(kind: "commitment" | "adjustment" | "rounding", input: MatchInput): Omit<Judged, "undecided"> {
  const lines = input.lines.filter(({ charge }) => charge === kind).sort((a, b) => a.line - b.line);
  const facts = loose(input.ledger, kind);
  const billed = sum(lines.map(({ micros }) => micros));
  const ledger = sum(facts.map(({ micros }) => micros ?? 0n));
  if (billed === ledger) return { variances: [], matched: { micros: billed, lines: lines.length } };
  const difference = billed < ledger ? ledger - billed : billed - ledger;
  const isSmall = kind === "rounding" && difference <= roundingTolerance(Math.max(1, facts.length));
  const found = isSmall
    ? "rounding"
    : lines.length === 0
      ? "missing_on_invoice"
      : facts.length === 0
        ? "missing_in_ledger"
        : "price";
  return {
    variances: [
      {
        key: `${found}:${kind}`,
        class: found,
        line: lines[0]?.line ?? null,
        resourceId: null,
        billedMicros: lines.length === 0 ? null : billed,
        ledgerMicros: facts.length === 0 ? null : ledger,
        evidence: {
          ...NO_EVIDENCE,
          label: lines[0]?.description ?? LABELS[kind],
          lines: lines.map(({ line }) => line),
        },
      },
    ],
    matched: { micros: 0n, lines: 0 },
  };
}

const LABELS = { commitment: "Commitments", adjustment: "Adjustments", rounding: "Rounding" } as const;
