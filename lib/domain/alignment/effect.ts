import { formatUsd, formatUsdChange } from "@/lib/domain/format";
import { type Figure, figure } from "@/lib/domain/plan/formula";
import { money, plain, rate } from "@/lib/domain/plan/numbers";
import { FACT_WORDS, type Fact } from "./check";
import type { AlignmentAnswer, GroupView } from "./view";

type Difference = {
  fact: Fact;
  monthMicros: string | null;
  /** How many machines differ so. */
  machines: number;
};

type Declared = Pick<GroupView, "count" | "present" | "pricePerHourMicros">;

/** What a difference makes of the money of a month: it is prices times hours, and the prices stand in it. Null: nothing. */
export function effectFigure(
  { fact, monthMicros, machines }: Difference,
  group: Declared | null,
  hours: number,
): Figure | null {
  if (monthMicros === null || monthMicros === "0") return null;
  const micros = BigInt(monthMicros);
  const price = group?.pricePerHourMicros ?? null;
  const whole = micros / BigInt(hours);
  const given = {
    name: `${FACT_WORDS[fact]}: effect in ${hours} h`,
    value: formatUsdChange(micros),
    amount: Number(micros) / 1e6,
  };
  const month = plain("hours", "hours of a month", hours, " h", { label: "declaration" });
  if (fact === "price" && price !== null)
    return figure({
      ...given,
      formula: "({today} − {declared} × {machines}) × {hours}",
      numbers: [
        rate("today", "their prices today, together", whole + BigInt(price) * BigInt(machines), { label: "Lambda" }),
        rate("declared", "price that was expected", price, { label: "declaration" }),
        plain("machines", "machines", machines),
        month,
      ],
    });
  if (fact === "machines" && price !== null && group !== null)
    return figure({
      ...given,
      formula: "({there} − {count}) × {declared} × {hours}",
      numbers: [
        plain("there", "machines there", group.present),
        plain("count", "machines declared", group.count, "", { label: "declaration" }),
        rate("declared", "price that was expected", price, { label: "declaration" }),
        month,
      ],
    });
  return figure({
    ...given,
    formula: "{today} × {hours}",
    numbers: [rate("today", "their prices today, together", whole, { label: "Lambda" }), month],
  });
}

/** All machines against the plan in a month. */
export function moneyFigure({ totals, declared }: Pick<AlignmentAnswer, "totals" | "declared">): Figure {
  const hours = declared?.hoursPerMonth ?? 720;
  return figure({
    name: `Money against the plan, ${hours} h`,
    value:
      totals.differenceMicros === "0" ? formatUsd(totals.observedMicros) : formatUsdChange(totals.differenceMicros),
    amount: Number(totals.differenceMicros) / 1e6,
    formula: "{today} − {declared}",
    numbers: [
      money("today", `what runs, at today’s prices for ${hours} h`, totals.observedMicros, { label: "Lambda" }),
      money("declared", `what was declared, for ${hours} h`, totals.declaredMicros, { label: "declaration" }),
    ],
    notes: totals.unpriced > 0 ? [`${totals.unpriced} groups or machines without a price are on neither side.`] : [],
  });
}

/** Machines at a price for some hours. */
export function costFigure(name: string, machines: number, priceMicros: string, hours: number): Figure {
  const micros = BigInt(priceMicros) * BigInt(machines) * BigInt(hours);
  return figure({
    name,
    value: formatUsd(micros),
    amount: Number(micros) / 1e6,
    formula: "{machines} × {price} × {hours}",
    numbers: [
      plain("machines", "machines", machines),
      rate("price", "price of an hour", priceMicros),
      plain("hours", "hours", hours, " h"),
    ],
  });
}
