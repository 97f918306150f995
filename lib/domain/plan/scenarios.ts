import { type Decimal, decimalText, exactText, parseDecimal, plus, signedPct, times } from "@/lib/domain/cost/decimal";
import { type Micros, roundHalfAway, sum } from "@/lib/domain/cost/money";
import { formatUsd, formatUsdChange, NBSP, NONE } from "@/lib/domain/format";
import { type Figure, type FigureNumber, figure } from "./formula";
import { environmentCosts, moveReturn, trainingCost } from "./scenario";
import type { CostLine, Price, ScenarioBody } from "./scenario-body";

export type ScenarioKind = ScenarioBody["kind"];

export const KIND_WORDS: Record<ScenarioKind, string> = {
  costs: "Machines for a month",
  move: "A move to Lambda",
  training: "One training",
};

export type ScenarioResult = {
  /** What it costs in a month; null: it is not of months. */
  monthlyMicros: string | null;
  figures: Figure[];
  /** Prices whose day is older than 30 days, or not known. */
  oldPrices: number;
  prices: { name: string; asOf: string | null; source: string }[];
  notes: string[];
};

const MONTHS = "12";
const amountOf = ({ numerator, denominator }: Decimal) => Number(numerator) / Number(denominator);
const usdOf = (micros: Micros) => Number(micros) / 1e6;
const d = parseDecimal;

function plain(value: Decimal, digits = 4): string {
  try {
    return exactText(value);
  } catch {
    return decimalText(value.numerator, value.denominator, digits);
  }
}

function count(key: string, name: string, text: string, unit = ""): FigureNumber {
  return { key, name, value: unit === "" ? text : `${text}${NBSP}${unit}`, amount: Number(text) };
}

function money(key: string, name: string, { usd, source, asOf }: Price): FigureNumber {
  return {
    key,
    name,
    value: `$${usd}`,
    amount: Number(usd),
    source: { label: source || "typed", asOf: asOf || "no date" },
  };
}

function dollars(key: string, name: string, text: string): FigureNumber {
  return { key, name, value: `$${Number(text).toLocaleString("en-US")}`, amount: Number(text) };
}

/** What a scenario comes to. Every figure is rounded once, from exact numbers, and opens its formula. `isOld` judges the day of a price. */
export function evaluate(body: ScenarioBody, isOld: (asOf: string) => boolean): ScenarioResult {
  const prices = pricesOf(body);
  const result = body.kind === "costs" ? costs(body) : body.kind === "move" ? move(body) : training(body);
  return {
    ...result,
    prices: prices.map(({ name, price }) => ({ name, asOf: price.asOf || null, source: price.source || "typed" })),
    oldPrices: prices.filter(({ price }) => price.asOf === "" || isOld(price.asOf)).length,
    notes: body.notes,
  };
}

function pricesOf(body: ScenarioBody): { name: string; price: Price }[] {
  if (body.kind === "costs") return body.lines.map(({ name, price }) => ({ name, price }));
  if (body.kind === "training") return [];
  return [
    { name: "from", price: body.from },
    { name: "to", price: body.to },
  ];
}

type Result = Pick<ScenarioResult, "monthlyMicros" | "figures">;

/** Hours of a month: each day that it runs, each week of the month, or as said. */
function monthHours({ hours, every, days }: CostLine, weeks: string): Decimal {
  if (every === "month") return d(hours);
  return times(d(hours), every === "day" ? d(days) : weeksOf(weeks));
}

function weeksOf(weeks: string): Decimal {
  return weeks === "52/12" ? { numerator: 52n, denominator: 12n } : d(weeks);
}

function costs({ lines, weeks }: Extract<ScenarioBody, { kind: "costs" }>): Result {
  const environments = Object.fromEntries(
    lines.map((line, i) => [
      String(i),
      { count: d(line.count), usdPerHour: d(line.price.usd), hours: monthHours(line, weeks) },
    ]),
  );
  const { each, totalMicros } = environmentCosts(environments);
  const amounts = lines.map((_, i) => each[String(i)] ?? 0n);
  const parts = lines.map((line, i) => lineFigure(line, weeks, amounts[i] ?? 0n));
  const annual = totalMicros * 12n;
  const dearest = sum(
    lines.map((line) => {
      const hours = Number(line.hours) > 24 ? d("24") : d(line.hours);
      return micros(times(times(d(line.count), d(line.price.usd)), hours));
    }),
  );
  return {
    monthlyMicros: totalMicros.toString(),
    figures: [
      figure({
        name: "A month",
        value: formatUsd(totalMicros),
        amount: usdOf(totalMicros),
        formula: lines.map((_, i) => `{line${i}}`).join(" + "),
        numbers: lines.map(({ name }, i) => ({
          key: `line${i}`,
          name,
          value: formatUsd(amounts[i] ?? 0n),
          amount: usdOf(amounts[i] ?? 0n),
        })),
        notes: [weeks === "4" ? "A month is counted as four weeks." : "A month is counted as 52 ÷ 12 weeks."],
      }),
      ...parts,
      figure({
        name: "A year",
        value: formatUsd(annual),
        amount: usdOf(annual),
        formula: "{month} × {months}",
        numbers: [
          { key: "month", name: "a month", value: formatUsd(totalMicros), amount: usdOf(totalMicros) },
          count("months", "months", MONTHS),
        ],
      }),
      figure({
        name: "An average day",
        value: formatUsd(roundHalfAway(totalMicros, 30n)),
        amount: usdOf(roundHalfAway(totalMicros, 30n)),
        formula: "{month} ÷ {days}",
        numbers: [
          { key: "month", name: "a month", value: formatUsd(totalMicros), amount: usdOf(totalMicros) },
          count("days", "days", "30"),
        ],
      }),
      figure({
        name: "The dearest day",
        value: formatUsd(dearest),
        amount: usdOf(dearest),
        formula: lines.map((_, i) => `{count${i}} × {usd${i}} × min({hours${i}}, 24)`).join(" + "),
        numbers: lines.flatMap((line, i) => [
          count(`count${i}`, `${line.name}: machines`, line.count),
          money(`usd${i}`, `${line.name}: price of an hour`, line.price),
          count(`hours${i}`, `${line.name}: hours in a ${line.every}`, line.hours, "h"),
        ]),
        notes: ["If all of them run on one day: what an alert on the spend of a day must lie below to fire at all."],
      }),
    ],
  };
}

function lineFigure(line: CostLine, weeks: string, amount: Micros): Figure {
  const { name, every } = line;
  const often: FigureNumber[] =
    every === "month"
      ? []
      : every === "day"
        ? [count("times", "days of a month", line.days)]
        : [
            {
              key: "times",
              name: "weeks of a month",
              value: weeks === "4" ? "4" : `52${NBSP}÷${NBSP}12`,
              amount: amountOf(weeksOf(weeks)),
            },
          ];
  return figure({
    name,
    value: formatUsd(amount),
    amount: usdOf(amount),
    formula: `{count} × {usd} × {hours}${often.length > 0 ? " × {times}" : ""}`,
    numbers: [
      count("count", "machines", line.count),
      money("usd", "price of an hour", line.price),
      count("hours", `hours in a ${every}`, line.hours, "h"),
      ...often,
    ],
  });
}

function move(body: Extract<ScenarioBody, { kind: "move" }>): Result {
  const { monthlyUsd, from, to, speedup, setupHours, setupUsdPerHour, migrationUsd } = body;
  const back = moveReturn({
    monthlyUsd: d(monthlyUsd),
    machineUsdPerHour: d(from.usd),
    gpusPerMachine: d(from.gpus),
    speedup: d(speedup),
    targetUsdPerGpuHour: d(to.usd),
    setupHours: d(setupHours),
    setupUsdPerHour: d(setupUsdPerHour),
    migrationUsd: migrationUsd === "" ? null : d(migrationUsd),
  });
  if (!back) return { monthlyMicros: null, figures: [] };
  const { sourceGpuHours, targetGpuHours, targetMonthlyMicros, monthlySavingMicros, annualSavingMicros } = back;
  const roi = signedPct(monthlySavingMicros, targetMonthlyMicros, 1);
  const target: FigureNumber = {
    key: "target",
    name: "cost there in a month",
    value: formatUsd(targetMonthlyMicros),
    amount: usdOf(targetMonthlyMicros),
  };
  const saving: FigureNumber = {
    key: "saving",
    name: "saved in a month",
    value: formatUsd(monthlySavingMicros),
    amount: usdOf(monthlySavingMicros),
  };
  const sourceHours: FigureNumber = {
    key: "hours",
    name: "GPU-hours now",
    value: grouped(sourceGpuHours),
    amount: Number(sourceGpuHours),
  };
  return {
    monthlyMicros: targetMonthlyMicros.toString(),
    figures: [
      figure({
        name: "Cost there in a month",
        value: formatUsd(targetMonthlyMicros),
        amount: usdOf(targetMonthlyMicros),
        formula: "{hours} ÷ {speedup} × {to}",
        numbers: [
          sourceHours,
          count("speedup", "times the work of a GPU now", speedup),
          money("to", "price of a GPU-hour there", to),
        ],
        notes: [`${grouped(targetGpuHours)} GPU-hours there. Worked out from exact numbers and rounded once.`],
      }),
      figure({
        name: "GPU-hours now",
        value: `${grouped(sourceGpuHours)}${NBSP}h`,
        amount: Number(sourceGpuHours),
        formula: "{spend} ÷ {from} × {gpus}",
        numbers: [
          dollars("spend", "spent in a month", monthlyUsd),
          money("from", "price of the machine now", from),
          count("gpus", "GPUs in it", from.gpus),
        ],
        notes: ["A price per machine is divided by its GPUs; a price per GPU is not."],
      }),
      figure({
        name: "Saved in a month",
        value: formatUsdChange(monthlySavingMicros),
        amount: usdOf(monthlySavingMicros),
        formula: "{spend} − {target} + {setupHours} × {setupUsd}",
        numbers: [
          dollars("spend", "spent in a month", monthlyUsd),
          target,
          count("setupHours", "hours of set-up that fall away", setupHours, "h"),
          dollars("setupUsd", "cost of such an hour", setupUsdPerHour),
        ],
      }),
      figure({
        name: "Saved in a year",
        value: formatUsdChange(annualSavingMicros),
        amount: usdOf(annualSavingMicros),
        formula: "{saving} × {months}",
        numbers: [saving, count("months", "months", MONTHS)],
        notes: ["Twelve times the exact saving, rounded once."],
      }),
      figure({
        name: "Return on what it costs",
        value: roi === null ? NONE : `${roi}\u202f%`,
        ...(roi !== null && { amount: Number(roi) }),
        formula: "{saving} ÷ {target} × 100",
        numbers: [saving, target],
      }),
      paybackFigure(back.paybackMonths, migrationUsd, saving, monthlySavingMicros),
    ],
  };
}

function paybackFigure(
  months: string | null,
  migrationUsd: string,
  saving: FigureNumber,
  savingMicros: Micros,
): Figure {
  const missing = migrationUsd === "" ? "nobody has said what the move costs" : "nothing is saved";
  return figure({
    name: "Paid back after",
    value: months === null ? NONE : `${months}${NBSP}months`,
    ...(months !== null && { amount: Number(months) }),
    formula: "{migration} ÷ {saving}",
    numbers: [
      migrationUsd === ""
        ? { key: "migration", name: "cost of the move", value: "not said" }
        : dollars("migration", "cost of the move, once", migrationUsd),
      saving,
    ],
    notes: months === null || savingMicros <= 0n ? [`There is no payback: ${missing}.`] : [],
  });
}

function training(body: Extract<ScenarioBody, { kind: "training" }>): Result {
  const { totalUsd, otherUsd, gpus, days } = body;
  const cost = trainingCost({ totalUsd: d(totalUsd), otherUsd: d(otherUsd), gpus: d(gpus), days: d(days) });
  const hours: FigureNumber = {
    key: "hours",
    name: "GPU-hours",
    value: grouped(plain(cost.gpuHours)),
    amount: amountOf(cost.gpuHours),
  };
  const perHour = (name: string, value: Micros | null, text: string) =>
    figure({
      name,
      value: value === null ? NONE : `$${decimalText(value, 1_000_000n, 4).replace(/0{1,2}$/, "")}/h`,
      ...(value !== null && { amount: usdOf(value) }),
      formula: "{total} ÷ {hours}",
      numbers: [dollars("total", "cost of the training", text), hours],
    });
  const difference = plus(d(otherUsd), { ...d(totalUsd), numerator: -d(totalUsd).numerator });
  return {
    monthlyMicros: null,
    figures: [
      figure({
        name: "GPU-hours",
        value: `${grouped(plain(cost.gpuHours))}${NBSP}h`,
        amount: amountOf(cost.gpuHours),
        formula: "{gpus} × {days} × 24",
        numbers: [count("gpus", "GPUs", gpus), count("days", "days", days)],
      }),
      perHour("A GPU-hour", cost.microsPerGpuHour, totalUsd),
      perHour("A GPU-hour of the other offer", cost.otherMicrosPerGpuHour, otherUsd),
      figure({
        name: "Saved",
        value: cost.savingPct === null ? NONE : `${cost.savingPct}\u202f%`,
        ...(cost.savingPct !== null && { amount: Number(cost.savingPct) }),
        formula: "({other} − {total}) ÷ {other} × 100",
        numbers: [dollars("other", "the other offer", otherUsd), dollars("total", "this one", totalUsd)],
        notes: [`${formatUsdChange(micros(difference))} of the other offer.`],
      }),
    ],
  };
}

function grouped(text: string): string {
  const [units = "0", fraction] = text.split(".");
  const whole = BigInt(units).toLocaleString("en-US");
  return fraction === undefined ? whole : `${whole}.${fraction}`;
}

function micros({ numerator, denominator }: Decimal): Micros {
  return roundHalfAway(numerator * 1_000_000n, denominator);
}
