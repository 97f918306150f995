import { type Micros, roundHalfAway, sum } from "@/lib/domain/cost/money";
import { impliedRate } from "@/lib/domain/cost/reconcile";
import { STORAGE_MONTH_HOURS } from "@/lib/domain/cost/storage";
import { addDays } from "./date";
import type { Group } from "./groups";
import type { VarianceClass } from "./types";
import { type Evidence, type MatchInput, NO_EVIDENCE, type Variance } from "./variance";

export type Judged = {
  variances: Variance[];
  /** Called a matter of quantity, unless the tolerance of the whole invoice has room for it. */
  undecided: Variance[];
  matched: { micros: Micros; lines: number };
  /** No more than each line’s own rounding to the cent; told as one. */
  rounded?: Variance;
};

const HALF_CENT = 5_000n;
const ONE = 1_000_000n;
/** With less, every amount is a whole number of cents per hour. */
const LEAST_MINUTES = 60;

type Facts = {
  group: Group;
  isStorage: boolean;
  billed: Micros;
  ledger: Micros;
  difference: Micros;
  unknownRows: number;
  /** Millionths of minutes or GiB-hours; theirs is null unless every line says it. */
  theirs: bigint | null;
  ours: bigint;
  ourRate: Micros | null;
  theirRate: Micros | null;
  /** What rounding of each line to the cent, and of each row, can amount to. */
  allowance: Micros;
  lowMicros: Micros;
  highMicros: Micros;
};

/** Of what belongs together, the difference and its one class; of price and quantity at once, a difference each. */
export function judge(group: Group, input: Pick<MatchInput, "beside" | "others" | "fromDay" | "toDay">): Judged {
  const facts = factsOf(group);
  const { billed, ledger, difference, unknownRows, allowance } = facts;
  const only = (found: VarianceClass, remark: string): Judged => ({
    variances: [variance(facts, found, billed, ledger, remark)],
    undecided: [],
    matched: NOTHING,
  });
  if (difference === 0n && unknownRows === 0)
    return { variances: [], undecided: [], matched: { micros: billed, lines: group.lines.length } };
  if (group.lines.length === 0) return onlyOurs(facts, input, only);
  if (group.facts.length === 0) return onlyTheirs(facts, input, only);
  if (unknownRows === 0 && size(difference) <= allowance)
    return { variances: [], undecided: [], matched: NOTHING, rounded: variance(facts, "rounding", billed, ledger, "") };
  const elsewhere = timing(facts, input);
  if (elsewhere) return only("timing", elsewhere);
  return byMeasure(facts, only);
}

const NOTHING = { micros: 0n, lines: 0 };
type Only = (found: VarianceClass, remark: string) => Judged;
type Beside = Pick<MatchInput, "beside" | "others" | "fromDay" | "toDay">;

function onlyOurs({ group, ledger, unknownRows, allowance }: Facts, { others }: Beside, only: Only): Judged {
  if (ledger === 0n && unknownRows === 0) return { variances: [], undecided: [], matched: NOTHING };
  const other = others.find(
    (one) => isOf(group, one.resourceId) && one.differenceMicros > 0n && one.differenceMicros >= ledger - allowance,
  );
  if (other) return only("timing", `Invoice ${other.number} has more of it than the ledger has in its days`);
  return only("missing_on_invoice", "Metered in these days, on no line");
}

function onlyTheirs({ group, billed, allowance }: Facts, { beside, others }: Beside, only: Only): Judged {
  if (billed === 0n) return { variances: [], undecided: [], matched: { micros: 0n, lines: group.lines.length } };
  const ran = beside.filter((one) => isOf(group, one.resourceId));
  // At another rate it may have come to less; a minute long ago explains no week.
  if (ran.length > 0 && 2n * sum(ran.map(({ micros }) => micros)) >= billed)
    return only("timing", `It ran on ${spanOf(ran.map(({ day }) => day))}, which no invoice has billed`);
  const other = others.find(
    (one) => isOf(group, one.resourceId) && one.differenceMicros < 0n && -one.differenceMicros >= billed - allowance,
  );
  if (other) return only("timing", `Invoice ${other.number} has less of it than the ledger has in its days`);
  const isKnown = group.resources.length > 0;
  return only("missing_in_ledger", isKnown ? "Not metered in these days" : "Nothing of that name was ever seen");
}

const isOf = (group: Group, resourceId: string) => group.resources.some(({ id }) => id === resourceId);

/** Whether days next to those of the invoice, or another invoice, hold what is missing here; null: they do not. */
function timing({ group, difference, allowance }: Facts, { beside, others, fromDay, toDay }: Beside): string | null {
  const fits = (micros: Micros) => size(difference - micros) <= allowance;
  const own = beside.filter((one) => isOf(group, one.resourceId));
  if (difference > 0n)
    for (const [start, step] of [
      [addDays(fromDay, -1), -1],
      [addDays(toDay, 1), 1],
    ] as const) {
      const days: string[] = [];
      let micros = 0n;
      for (let day = start; ; day = addDays(day, step)) {
        const found = own.filter((one) => one.day === day);
        if (found.length === 0) break;
        days.push(day);
        micros += sum(found.map((one) => one.micros));
        if (fits(micros)) return `It is what ran on ${spanOf(days)}, outside the invoice’s days`;
      }
    }
  const other = others.find((one) => isOf(group, one.resourceId) && fits(-one.differenceMicros));
  return other ? `Invoice ${other.number} has the same amount the other way round` : null;
}

/** Both sides have it: rate, quantity, or both. */
function byMeasure(facts: Facts, only: Only): Judged {
  const { billed, ledger, theirs, ours, ourRate, theirRate, allowance, unknownRows, isStorage } = facts;
  const agrees = theirs !== null && agreesOn(facts, theirs);
  const isOtherRate = theirRate !== null && theirRate !== ourRate;
  if (theirs !== null && !agrees) {
    if (!isOtherRate || unknownRows > 0) return only("quantity", quantityWords(theirs - ours, isStorage));
    const atTheirs = cost(theirRate, ours, isStorage);
    if (size(atTheirs - ledger) <= allowance) return only("quantity", quantityWords(theirs - ours, isStorage));
    if (size(billed - atTheirs) <= allowance) return only("price", PRICE_WORDS);
    return {
      variances: [
        variance(facts, "price", atTheirs, ledger, `${PRICE_WORDS}; for the time that we know of`),
        variance(
          facts,
          "quantity",
          billed - atTheirs,
          null,
          `${quantityWords(theirs - ours, isStorage)}, at their rate`,
        ),
      ],
      undecided: [],
      matched: NOTHING,
    };
  }
  if (isOtherRate || agrees || unknownRows > 0)
    return only("price", unknownRows > 0 ? "We know no price for a part of it" : PRICE_WORDS);
  return {
    variances: [],
    undecided: [variance(facts, "quantity", billed, ledger, "The lines say no quantity")],
    matched: NOTHING,
  };
}

const PRICE_WORDS = "The same time, at another rate";

function quantityWords(difference: bigint, isStorage: boolean): string {
  const [count, fraction] = [size(difference) / ONE, (size(difference) % ONE) / 100_000n];
  const text = fraction === 0n || count >= 100n ? count.toLocaleString("en-US") : `${count}.${fraction}`;
  const unit = isStorage ? "GiB-hours" : text === "1" ? "minute" : "minutes";
  return `${text} ${unit} ${difference > 0n ? "more" : "fewer"} than we metered`;
}

/** Quantities are the same where their difference is less than a minute a line, or worth no more than rounding. */
function agreesOn({ ours, ourRate, allowance, isStorage, group }: Facts, theirs: bigint): boolean {
  const difference = size(theirs - ours);
  if (difference < ONE * BigInt(group.lines.length)) return true;
  return ourRate !== null && cost(ourRate, difference, isStorage) <= allowance;
}

/** What so much costs at a rate. */
function cost(rateMicros: Micros, quantity: bigint, isStorage: boolean): Micros {
  return roundHalfAway(rateMicros * quantity, (isStorage ? STORAGE_MONTH_HOURS : 60n) * ONE);
}

function factsOf(group: Group): Facts {
  const { lines, facts } = group;
  const isStorage = (lines[0]?.charge ?? facts[0]?.charge) === "storage";
  const billed = sum(lines.map(({ micros }) => micros));
  const ledger = sum(facts.map(({ micros }) => micros ?? 0n));
  const ours = isStorage
    ? roundHalfAway(sum(facts.map(({ byteHours }) => byteHours ?? 0n)) * ONE, 2n ** 30n)
    : BigInt(facts.reduce((count, { minutes }) => count + minutes, 0)) * ONE;
  const said = lines.flatMap(({ quantityMicros }) => quantityMicros ?? []);
  const theirs = lines.length > 0 && said.length === lines.length ? sum(said) : null;
  const rows = facts.reduce((count, fact) => count + fact.rows, 0);
  const bound = (of: "lowMicros" | "highMicros") => sum(facts.map((fact) => fact[of] ?? fact.micros ?? 0n));
  return {
    group,
    isStorage,
    billed,
    ledger,
    difference: billed - ledger,
    unknownRows: facts.reduce((count, fact) => count + (fact.micros === null ? fact.rows : 0), 0),
    theirs,
    ours,
    ourRate: oneOf(facts.map(({ priceMicros }) => priceMicros)),
    theirRate: rateOf(group, billed, isStorage, theirs ?? ours),
    allowance: BigInt(Math.max(1, lines.length)) * HALF_CENT + BigInt(rows),
    lowMicros: bound("lowMicros"),
    highMicros: bound("highMicros"),
  };
}

/** The rate that the lines say, or that they imply where it is a whole number of cents (C62). */
function rateOf({ lines }: Group, billed: Micros, isStorage: boolean, quantity: bigint): Micros | null {
  const said = oneOf(lines.map(({ rateMicros }) => rateMicros));
  if (said !== null || isStorage || lines.length === 0) return said;
  const minutes = Number(roundHalfAway(quantity, ONE));
  const implied = minutes >= LEAST_MINUTES ? impliedRate(billed, minutes) : null;
  return implied?.isWhole ? implied.microsPerHour : null;
}

function oneOf(values: readonly (Micros | null)[]): Micros | null {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : null;
}

function variance(facts: Facts, found: VarianceClass, billed: Micros, ledger: Micros | null, remark: string): Variance {
  const { group, isStorage, theirs, ours, lowMicros, highMicros, allowance } = facts;
  const hasLines = group.lines.length > 0;
  const hasFacts = group.facts.length > 0;
  const [only, ...more] = group.resources;
  const evidence: Evidence = {
    ...NO_EVIDENCE,
    label: group.label,
    lines: group.lines.map(({ line }) => line),
    resourceIds: group.resources.map(({ id }) => id),
    unit: isStorage ? "gib_hour" : "minute",
    billedQuantity: theirs?.toString() ?? null,
    ledgerQuantity: hasFacts ? ours.toString() : null,
    billedRate: facts.theirRate?.toString() ?? null,
    ledgerRate: facts.ourRate?.toString() ?? null,
    lowMicros: hasFacts ? lowMicros.toString() : null,
    highMicros: hasFacts ? highMicros.toString() : null,
    isWithinBounds:
      hasFacts && hasLines ? facts.billed >= lowMicros - allowance && facts.billed <= highMicros + allowance : null,
    remark,
  };
  return {
    key: `${found}:${group.key}`,
    class: found,
    line: group.lines[0]?.line ?? null,
    resourceId: only && more.length === 0 ? only.id : null,
    billedMicros: hasLines ? billed : null,
    ledgerMicros: hasFacts && ledger !== null ? ledger : null,
    evidence,
  };
}

function spanOf(days: readonly string[]): string {
  const sorted = [...days].sort();
  const [first = "", last = first] = [sorted[0], sorted.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}
