import { type Decimal, decimalText, over, plus, signedPct, times } from "@/lib/domain/cost/decimal";
import { type Micros, roundHalfAway, sum } from "@/lib/domain/cost/money";

/** Machines of one kind in one environment, for hours of a month; the price in dollars per hour of one. */
export type Environment = { count: Decimal; usdPerHour: Decimal; hours: Decimal };

/** What each environment costs in a month, rounded once each, and their sum. */
export function environmentCosts<K extends string>(
  environments: Readonly<Record<K, Environment>>,
): { each: Record<K, Micros>; totalMicros: Micros } {
  const costs = Object.entries<Environment>(environments).map(
    ([name, { count, usdPerHour, hours }]) => [name, microsOf(times(times(count, usdPerHour), hours))] as const,
  );
  return { each: Object.fromEntries(costs) as Record<K, Micros>, totalMicros: sum(costs.map(([, cost]) => cost)) };
}

export type TrainingCost = {
  gpuHours: Decimal;
  /** Null: no GPU runs. */
  microsPerGpuHour: Micros | null;
  otherMicrosPerGpuHour: Micros | null;
  /** Against the other offer, in per cent to one digit; null: it costs nothing. */
  savingPct: string | null;
};

/** A training of a fixed price on so many GPUs for so many days, against another offer. */
export function trainingCost(input: {
  totalUsd: Decimal;
  otherUsd: Decimal;
  gpus: Decimal;
  days: Decimal;
}): TrainingCost {
  const gpuHours = times(times(input.gpus, input.days), whole(24n));
  const perHour = (usd: Decimal) => {
    const rate = over(usd, gpuHours);
    return rate && microsOf(rate);
  };
  const { totalUsd, otherUsd } = input;
  const saved = plus(otherUsd, { ...totalUsd, numerator: -totalUsd.numerator });
  return {
    gpuHours,
    microsPerGpuHour: perHour(totalUsd),
    otherMicrosPerGpuHour: perHour(otherUsd),
    savingPct: signedPct(saved.numerator * otherUsd.denominator, otherUsd.numerator * saved.denominator, 1),
  };
}

export type Move = {
  /** What is spent in a month now, at what price of a machine with how many GPUs. */
  monthlyUsd: Decimal;
  machineUsdPerHour: Decimal;
  gpusPerMachine: Decimal;
  /** How much more a GPU does there, and what it costs. */
  speedup: Decimal;
  targetUsdPerGpuHour: Decimal;
  /** Work that falls away each month. */
  setupHours: Decimal;
  setupUsdPerHour: Decimal;
  /** What the move costs, once; null: nobody has said. */
  migrationUsd: Decimal | null;
};

export type MoveReturn = {
  /** To three digits. */
  sourceGpuHours: string;
  targetGpuHours: string;
  targetMonthlyMicros: Micros;
  monthlySavingMicros: Micros;
  annualSavingMicros: Micros;
  /** To two digits; null: nothing is saved, or the cost of the move is not known. */
  paybackMonths: string | null;
};

/** What moving a monthly spend to other GPUs saves. Every figure is rounded once, from exact ones. Null: a price or a count is nothing. */
export function moveReturn(move: Move): MoveReturn | null {
  const machineHours = over(move.monthlyUsd, move.machineUsdPerHour);
  const sourceHours = machineHours && times(machineHours, move.gpusPerMachine);
  const targetHours = sourceHours && over(sourceHours, move.speedup);
  if (!sourceHours || !targetHours) return null;
  const target = times(targetHours, move.targetUsdPerGpuHour);
  const setup = times(move.setupHours, move.setupUsdPerHour);
  const saving = plus(plus(move.monthlyUsd, { ...target, numerator: -target.numerator }), setup);
  const payback = move.migrationUsd && saving.numerator > 0n ? over(move.migrationUsd, saving) : null;
  return {
    sourceGpuHours: textOf(sourceHours, 3),
    targetGpuHours: textOf(targetHours, 3),
    targetMonthlyMicros: microsOf(target),
    monthlySavingMicros: microsOf(saving),
    annualSavingMicros: microsOf(times(saving, whole(12n))),
    paybackMonths: payback && textOf(payback, 2),
  };
}

function whole(numerator: bigint): Decimal {
  return { numerator, denominator: 1n };
}

function microsOf({ numerator, denominator }: Decimal): Micros {
  return roundHalfAway(numerator * 1_000_000n, denominator);
}

function textOf({ numerator, denominator }: Decimal, digits: number): string {
  return decimalText(numerator, denominator, digits);
}
