import { type Micros, sum } from "@/lib/domain/cost/money";
import { compareAmounts } from "@/lib/domain/cost/reconcile";
import { groupBy } from "@/lib/domain/group";
import { groupsOf } from "./groups";
import { type Judged, judge } from "./judge";
import { looseVariances } from "./loose";
import type { LedgerFact, VarianceClass } from "./types";
import { BOOKABLE, differenceOf, type MatchInput, NO_EVIDENCE, type Variance } from "./variance";

export type Match = {
  totalMicros: Micros;
  linesMicros: Micros;
  ledgerMicros: Micros;
  ledgerRows: number;
  unknownRows: number;
  /** What agrees to the micro-dollar: on both sides the same. */
  matched: { micros: Micros; lines: number };
  /** Theirs less ours of all of these is the total less the ledger, exactly. */
  variances: Variance[];
  /** Without tax and credits (R9). */
  toleranceMicros: Micros;
  comparedMicros: Micros;
  isWithinTolerance: boolean;
};

/** Lines against the ledger: in any order the same. What was booked of differences is set off at the end against what it was booked for. */
export function matchInvoice(given: MatchInput): Match {
  const { totalMicros, lines } = given;
  const { ledger, corrections } = apartFromBooked(given);
  const input = { ...given, ledger };
  const metered = ledger.filter((fact) => fact.resourceId !== null);
  const ledgerRows = ledger.reduce((count, { rows }) => count + rows, 0);
  const compared = <T extends { charge: string }>({ charge }: T) => charge !== "tax" && charge !== "credit";
  const { toleranceMicros, differenceMicros, isMatch } = compareAmounts({
    ledgerMicros: known(given.ledger.filter(compared)),
    invoiceMicros: sum(lines.filter(compared).map(({ micros }) => micros)),
    rows: ledgerRows,
  });
  const judged = [
    ...groupsOf({ ...input, ledger: metered }).map((group) => judge(group, input)),
    looseVariances(input),
  ];
  const linesMicros = sum(lines.map(({ micros }) => micros));
  const remainder = unlisted(totalMicros - linesMicros, toleranceMicros);
  const decided = [...judged.flatMap((one) => one.variances), ...rounding(judged)];
  const raw = [...decided, ...settleUndecided(judged, decided, toleranceMicros), ...remainder];
  const variances = setOff(raw, corrections, given.booked).sort(inOrder);
  const agreed = judged.map(({ matched }) => matched);
  return {
    totalMicros,
    linesMicros,
    ledgerMicros: known(given.ledger),
    ledgerRows,
    unknownRows: ledger.reduce((count, { micros, rows }) => count + (micros === null ? rows : 0), 0),
    matched: {
      micros: sum(agreed.map(({ micros }) => micros)),
      lines: agreed.reduce((count, one) => count + one.lines, 0),
    },
    variances,
    toleranceMicros,
    comparedMicros: differenceMicros,
    isWithinTolerance: isMatch,
  };
}

const known = (facts: readonly LedgerFact[]) => sum(facts.map(({ micros }) => micros ?? 0n));

/** The ledger without the corrections that were made of accepted differences of this invoice, and these, by their charge. */
function apartFromBooked({ ledger, booked }: MatchInput) {
  const own = new Set(Object.values(booked));
  const isCorrection = ({ charge, chargeId }: LedgerFact) =>
    charge === "adjustment" && chargeId !== null && own.has(chargeId);
  return {
    ledger: ledger.filter((fact) => !isCorrection(fact)),
    corrections: groupBy(ledger.filter(isCorrection), ({ chargeId }) => chargeId ?? ""),
  };
}

/** A difference less what was booked for it; what was booked for one that is gone is a difference of its own. */
function setOff(
  variances: readonly Variance[],
  corrections: ReadonlyMap<string, LedgerFact[]>,
  booked: MatchInput["booked"],
): Variance[] {
  const left = new Map(corrections);
  const after = variances.map((one): Variance => {
    const chargeId = BOOKABLE.has(one.class) ? booked[one.key] : undefined;
    if (chargeId === undefined) return one;
    const facts = left.get(chargeId);
    left.delete(chargeId);
    const ledgerMicros = facts ? (one.ledgerMicros ?? 0n) + known(facts) : one.ledgerMicros;
    return { ...one, ledgerMicros, evidence: { ...one.evidence, chargeId } };
  });
  const orphans = [...left].map(
    ([chargeId, facts]): Variance => ({
      key: `missing_on_invoice:charge ${chargeId}`,
      class: "missing_on_invoice",
      line: null,
      resourceId: null,
      billedMicros: null,
      ledgerMicros: known(facts),
      evidence: { ...NO_EVIDENCE, label: "Correction", remark: "Booked for a difference that is gone", chargeId },
    }),
  );
  return [...after, ...orphans];
}

const size = (value: bigint) => (value < 0n ? -value : value);

/** Where nothing says whether rounding made a difference, the smallest ones are rounding for as long as the tolerance lasts. */
function settleUndecided(judged: readonly Judged[], decided: readonly Variance[], toleranceMicros: Micros): Variance[] {
  let left =
    toleranceMicros - sum(decided.filter((one) => one.class === "rounding").map((one) => size(differenceOf(one))));
  const undecided = judged
    .flatMap(({ undecided: one }) => one)
    .sort((a, b) => {
      const [x, y] = [size(differenceOf(a)), size(differenceOf(b))];
      return x === y ? (a.key < b.key ? -1 : 1) : x < y ? -1 : 1;
    });
  return undecided.map((one) => {
    const micros = size(differenceOf(one));
    if (micros > left) return one;
    left -= micros;
    return { ...one, class: "rounding" as const, key: one.key.replace(/^\w+/, "rounding") };
  });
}

/** The cents of all lines as one difference: nobody speaks of each half a cent. */
function rounding(judged: readonly Judged[]): Variance[] {
  const parts = judged.flatMap(({ rounded }) => rounded ?? []);
  const lines = parts.flatMap(({ evidence }) => evidence.lines).sort((a, b) => a - b);
  const [only, ...more] = parts;
  if (!only) return [];
  const all = (of: "billedMicros" | "ledgerMicros") => sum(parts.map((part) => part[of] ?? 0n));
  return [
    {
      key: "rounding:lines",
      class: "rounding",
      line: lines[0] ?? null,
      resourceId: more.length === 0 ? only.resourceId : null,
      billedMicros: all("billedMicros"),
      ledgerMicros: all("ledgerMicros"),
      evidence: {
        ...NO_EVIDENCE,
        label: "Cents of each line",
        lines,
        resourceIds: parts.flatMap(({ evidence }) => evidence.resourceIds).sort(),
        remark: "Rounded once a line by them, once a row by us",
      },
    },
  ];
}

/** What the invoice comes to beyond its lines. */
function unlisted(micros: Micros, toleranceMicros: Micros): Variance[] {
  if (micros === 0n) return [];
  const found = size(micros) <= toleranceMicros ? "rounding" : "missing_in_ledger";
  return [
    {
      key: `${found}:total`,
      class: found,
      line: null,
      resourceId: null,
      billedMicros: micros,
      ledgerMicros: null,
      evidence: { ...NO_EVIDENCE, label: "In the total, in no line", remark: "The lines do not add up to the total" },
    },
  ];
}

const CLASS_ORDER: readonly VarianceClass[] = [
  "price",
  "quantity",
  "missing_in_ledger",
  "missing_on_invoice",
  "timing",
  "credit",
  "tax",
  "rounding",
];

function inOrder(a: Variance, b: Variance): number {
  const [x, y] = [CLASS_ORDER.indexOf(a.class), CLASS_ORDER.indexOf(b.class)];
  return x - y || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}
