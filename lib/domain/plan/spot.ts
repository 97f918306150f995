import { parseDecimal } from "@/lib/domain/cost/decimal";
import { type Micros, roundHalfAway } from "@/lib/domain/cost/money";
import { groupBy } from "@/lib/domain/group";
import { type Quote, skuKey } from "./quotes";

/** A piece of work that is to be done several times. */
export type SpotWork = {
  runs: number;
  hoursPerRun: number;
  gpus: number;
  onDemandMicros: Micros;
  /** Per GPU and hour; null: nobody sells it on spot. */
  spotMicros: Micros | null;
  /** How often a machine is taken away, in 24 hours of running. */
  interruptionsPerDay: number;
  /** Null: it begins anew each time. */
  checkpointMinutes: number | null;
  /** From a machine taken away to work going on: waiting, booting, loading. */
  restartMinutes: number;
  /** What moving the data of one session costs; paid again after each interruption. */
  transferMicros: Micros;
  /** Somebody waits for it: it may not stop. */
  isGuaranteed: boolean;
  /** By when all runs must be done; null: whenever. */
  turnaroundHours: number | null;
};

export type Expected = {
  /** Of one run, with what is lost and done again. */
  hours: number;
  interruptions: number;
  totalHours: number;
  micros: Micros;
};

export type MatrixRow = { factor: string; given: string; speaksFor: "on_demand" | "spot" | null; why: string };

export type SpotAdvice = {
  choice: "on_demand" | "spot";
  /** In one sentence: why. */
  because: string;
  matrix: MatrixRow[];
  onDemand: Expected;
  spot: Expected | null;
  /** Against on demand, with what is lost counted; null without a spot price. */
  savedMicros: Micros | null;
  savedPct: number | null;
  /** What the prices alone promise. */
  promisedPct: number | null;
};

/** Turnaround below which the review of providers sends work to spot machines. */
const TURNAROUND_HOURS = 72;
const CHEAP_SESSION: Micros = 10_000_000n;
/** Savings below this are not worth machines that go away. */
const LEAST_SAVING_PCT = 10;

/**
 * Hours that a stretch of work takes where machines are taken away at random, `perHour` times an hour, and begin the stretch
 * anew after `restart` hours: (e^(perHour × stretch) − 1) × (1 ÷ perHour + restart).
 */
export function expectedStretch(stretch: number, perHour: number, restart: number): { hours: number; lost: number } {
  if (perHour <= 0 || stretch <= 0) return { hours: stretch, lost: 0 };
  const interruptions = Math.expm1(perHour * stretch);
  return { hours: interruptions * (1 / perHour + restart), lost: interruptions };
}

/** One run on machines that are taken away: whole stretches between checkpoints, and the rest. */
export function expectedRun(work: SpotWork): { hours: number; interruptions: number } {
  const perHour = work.interruptionsPerDay / 24;
  const restart = work.restartMinutes / 60;
  const every = work.checkpointMinutes === null ? work.hoursPerRun : work.checkpointMinutes / 60;
  const stretch = Math.min(every, work.hoursPerRun);
  const wholeStretches = stretch > 0 ? Math.floor(work.hoursPerRun / stretch + 1e-9) : 0;
  const rest = Math.max(work.hoursPerRun - wholeStretches * stretch, 0);
  const one = expectedStretch(stretch, perHour, restart);
  const last = expectedStretch(rest, perHour, restart);
  return {
    hours: wholeStretches * one.hours + last.hours,
    interruptions: wholeStretches * one.lost + last.lost,
  };
}

/** What so many hours of GPUs cost, rounded once; hours are taken to the millionth. */
function costOf(hours: number, gpus: number, micros: Micros): Micros {
  const exact = parseDecimal(hours.toFixed(6));
  return roundHalfAway(exact.numerator * BigInt(gpus) * micros, exact.denominator);
}

function sessionsCost(sessions: number, transferMicros: Micros): Micros {
  const exact = parseDecimal(sessions.toFixed(6));
  return roundHalfAway(exact.numerator * transferMicros, exact.denominator);
}

/** The more often machines go away, the more a run costs; where that is beyond all measure there is no expected cost. */
const MOST_HOURS = 1e6;

export function spotAdvice(work: SpotWork): SpotAdvice {
  const { runs, hoursPerRun, gpus, spotMicros, onDemandMicros, transferMicros } = work;
  const onDemand: Expected = {
    hours: hoursPerRun,
    interruptions: 0,
    totalHours: runs * hoursPerRun,
    micros: costOf(runs * hoursPerRun, gpus, onDemandMicros) + sessionsCost(runs, transferMicros),
  };
  const run = expectedRun(work);
  const isBounded = run.hours < MOST_HOURS;
  const spot: Expected | null =
    spotMicros === null || !isBounded
      ? null
      : {
          ...run,
          totalHours: runs * run.hours,
          micros:
            costOf(runs * run.hours, gpus, spotMicros) + sessionsCost(runs * (1 + run.interruptions), transferMicros),
        };
  const matrix = matrixOf(work, run.hours * runs);
  const savedMicros = spot && onDemand.micros - spot.micros;
  const savedPct = savedMicros === null ? null : pct(savedMicros, onDemand.micros);
  const promisedPct = spotMicros === null ? null : pct(onDemandMicros - spotMicros, onDemandMicros);
  return {
    ...decide(work, isBounded, run.hours * runs, savedPct, matrix),
    matrix,
    onDemand,
    spot,
    savedMicros,
    savedPct,
    promisedPct,
  };
}

function decide(
  work: SpotWork,
  isBounded: boolean,
  spotHours: number,
  savedPct: number | null,
  matrix: readonly MatrixRow[],
): Pick<SpotAdvice, "choice" | "because"> {
  const stay = (because: string) => ({ choice: "on_demand" as const, because });
  if (work.spotMicros === null) return stay("nobody in the book sells this card on spot");
  if (work.isGuaranteed) return stay("it may not stop, and a spot machine may be taken away at any time");
  if (!isBounded) return stay("machines are taken away faster than a stretch of work is done: it would never finish");
  if (work.turnaroundHours !== null && spotHours > work.turnaroundHours)
    return stay("with the work that is lost it would not be done in time");
  if (savedPct === null || savedPct <= 0) return stay("the work that is lost costs more than the lower price saves");
  if (savedPct < LEAST_SAVING_PCT)
    return stay(`it would save less than ${LEAST_SAVING_PCT} %, which is not worth machines that go away`);
  const votes = matrix.filter(({ speaksFor }) => speaksFor === "on_demand").length;
  if (work.runs === 1 && work.checkpointMinutes === null)
    return stay("it is a single run that cannot go on where it stopped");
  const against = votes === 0 ? "nothing speaks against it" : "and the saving outweighs what speaks against it";
  return { choice: "spot", because: `it is cheaper with lost work counted, ${against}` };
}

/** The matrix of the provisioning review, row by row, with what was given. */
function matrixOf(work: SpotWork, spotHours: number): MatrixRow[] {
  const { runs, checkpointMinutes, transferMicros, isGuaranteed, turnaroundHours } = work;
  const isDone = turnaroundHours === null || spotHours <= turnaroundHours;
  return [
    {
      factor: "Interruption",
      given: isGuaranteed ? "may not stop" : "may stop",
      speaksFor: isGuaranteed ? "on_demand" : "spot",
      why: "Guaranteed availability is what on-demand machines are for.",
    },
    {
      factor: "Checkpoints",
      given: checkpointMinutes === null ? "none" : `every ${checkpointMinutes} min`,
      speaksFor: checkpointMinutes === null ? "on_demand" : "spot",
      why: "With checkpoints only the time since the last one is lost.",
    },
    {
      factor: "Runs",
      given: runs === 1 ? "a single one" : `${runs}`,
      speaksFor: runs === 1 ? "on_demand" : "spot",
      why: "Of several runs one that is late delays nothing else.",
    },
    {
      factor: "Data moved per session",
      given: transferMicros < CHEAP_SESSION ? "below $10" : "$10 or more",
      speaksFor: transferMicros < CHEAP_SESSION ? "on_demand" : null,
      why: "The review lets below $10 speak for on demand. It decides nothing here: each interruption pays it again, and the expected cost counts that.",
    },
    {
      factor: "Turnaround",
      given: turnaroundHours === null ? "whenever" : `within ${turnaroundHours} h`,
      speaksFor: !isDone ? "on_demand" : turnaroundHours !== null && turnaroundHours < TURNAROUND_HOURS ? "spot" : null,
      why: isDone
        ? "The review sends work of less than three days to spot."
        : "With the work that is lost it would take longer.",
    },
  ];
}

function pct(part: Micros, whole: Micros): number | null {
  return whole === 0n ? null : Number(roundHalfAway(part * 1000n, whole)) / 10;
}

export type SpotDiscount = {
  provider: string;
  typeName: string;
  asOf: string | null;
  source: string;
  pct: number;
  firmMicros: Micros;
  spotMicros: Micros;
};

/** What spot was cheaper by, where one source had both prices of one thing on one day. */
export function measuredDiscounts(quotes: readonly Quote[]): SpotDiscount[] {
  const key = (quote: Quote) =>
    [skuKey({ ...quote, tier: "on_demand" }), quote.source, quote.asOf, quote.region].join("|");
  const good = quotes.filter(({ status, tier }) => status !== "rejected" && (tier === "on_demand" || tier === "spot"));
  return [...groupBy(good, key).values()].flatMap((same) => {
    const firm = same.find(({ tier }) => tier === "on_demand");
    const spot = same.find(({ tier }) => tier === "spot");
    const off = firm && spot ? pct(firm.micros - spot.micros, firm.micros) : null;
    if (!firm || !spot || off === null) return [];
    const { provider, typeName, asOf, source } = firm;
    return [{ provider, typeName, asOf, source, pct: off, firmMicros: firm.micros, spotMicros: spot.micros }];
  });
}
