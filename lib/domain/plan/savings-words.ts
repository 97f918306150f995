import type { Micros } from "@/lib/domain/cost/money";
import { formatCount, formatNumber, formatPercent } from "@/lib/domain/format";
import { MEASURE_WORDS, type SavingMeasure } from "./savings-view";
import {
  type Assumptions,
  earlyStopPct,
  evidenceOf,
  isScheduled,
  type MachineUse,
  MEASURES,
  type Measure,
  type SavingsSum,
} from "./simulate";

type Said = Pick<SavingMeasure, "evidence" | "evidenceWords" | "past" | "unknown">;

/** Each measure with how sure it is, what it risks, and what past work it would have cut. */
export function describeMeasures(
  sums: SavingsSum,
  chosen: ReadonlySet<Measure>,
  how: Assumptions,
  month: (micros: Micros) => Micros,
): SavingMeasure[] {
  const machines = sums.rows.map(({ machine }) => machine);
  return MEASURES.map((measure) => {
    const concerned = sums.rows.filter(({ alone }) => alone[measure] > 0n).map(({ machine }) => machine);
    const { machines: count, aloneMicros, setMicros } = sums.each[measure];
    return {
      measure,
      machines: count,
      aloneMicros: month(aloneMicros).toString(),
      setMicros: chosen.has(measure) ? month(setMicros).toString() : null,
      setPeriodMicros: chosen.has(measure) ? setMicros.toString() : null,
      periodMicros: aloneMicros.toString(),
      risk:
        measure === "idle" && how.isHeldToo
          ? "medium: programs that hold memory without work are ended"
          : MEASURE_WORDS[measure].risk,
      ...SAID[measure](concerned, machines, how),
    };
  });
}

const hours = (minutes: number) => `${formatNumber(minutes / 60, minutes < 600 ? 1 : 0)} h`;
const total = (machines: readonly MachineUse[], of: (machine: MachineUse) => number) =>
  machines.reduce((all, machine) => all + of(machine), 0);

function heardOf(machines: readonly MachineUse[]): Pick<Said, "evidence" | "evidenceWords"> {
  const billed = total(machines, ({ all }) => all.billed);
  const heard = total(machines, ({ all }) => all.heard);
  return {
    evidence: evidenceOf(heard, billed),
    evidenceWords:
      billed === 0 ? "nothing was paid for" : `${formatPercent((100 * heard) / billed)} of the paid minutes were heard`,
  };
}

/** A price is as good as its age. */
function pricedBy(
  machines: readonly MachineUse[],
  of: (machine: MachineUse) => MachineUse["elsewhere"],
): Pick<Said, "evidence" | "evidenceWords"> {
  const prices = machines.flatMap((machine) => of(machine) ?? []);
  const stale = prices.filter(({ state }) => state === "stale").length;
  const heard = heardOf(machines).evidence;
  if (prices.length === 0) return { evidence: 0, evidenceWords: "no price" };
  return stale > 0
    ? {
        evidence: 1,
        evidenceWords: `${stale} of ${formatCount(prices.length, "price")} older than 30 days: a lead, not a decision`,
      }
    : { evidence: heard === 0 ? 2 : heard, evidenceWords: "prices of the last 30 days" };
}

const SAID: Record<Measure, (concerned: readonly MachineUse[], all: readonly MachineUse[], how: Assumptions) => Said> =
  {
    idle(concerned, all, { isHeldToo }) {
      const stops = total(concerned, (one) => one.stops);
      const held = total(concerned, (one) => one.all.stopHeld);
      const again = `work came again after ${total(concerned, (one) => one.resumes)} of ${formatCount(stops, "stop")}: launch again`;
      return {
        ...heardOf(concerned.length > 0 ? concerned : all),
        past:
          isHeldToo && held > 0 ? `programs that held memory for ${hours(held)}; ${again}` : `no busy minute; ${again}`,
        unknown: null,
      };
    },
    schedule(concerned, all, how) {
      const some = all.filter((one) => isScheduled(one, how));
      const busy = total(some, ({ off }) => off.busy);
      const unheard = total(some, ({ off }) => off.billed - off.heard);
      const cut =
        busy === 0
          ? "no busy minute"
          : `${hours(busy)} of work on ${formatCount(some.filter(({ off }) => off.busy > 0).length, "instance")}`;
      return {
        ...heardOf(concerned),
        past: unheard === 0 ? cut : `${cut}; ${hours(unheard)} not known`,
        unknown: some.length === 0 ? "no instance of these workloads was paid for" : null,
      };
    },
    early(concerned, _, { keepOfTen }) {
      const runs = total(concerned, (one) => one.training?.runs ?? 0);
      const { leastPct } = earlyStopPct(10, keepOfTen, keepOfTen);
      return {
        ...heardOf(concerned),
        past: runs === 0 ? "nothing" : `${leastPct} % of the epochs of ${formatCount(runs, "run")}`,
        unknown: runs === 0 ? "no run counted epochs" : null,
      };
    },
    move(concerned) {
      return {
        ...pricedBy(concerned, ({ elsewhere }) => elsewhere),
        past: "nothing, but all of it runs somewhere else",
        unknown: concerned.length === 0 ? "no like offer is cheaper" : null,
      };
    },
    rightsize(concerned, all) {
      const unmeasured = all.filter((one) => one.peakMib === null || one.busyPct === null).length;
      return {
        ...pricedBy(concerned, ({ smaller }) => smaller),
        past: "nothing that was measured: peak memory and mean load would fit",
        unknown:
          concerned.length > 0
            ? null
            : unmeasured === all.length
              ? "memory and load were not measured"
              : "nothing cheaper holds what was held and does what was done",
      };
    },
    reserve(concerned, all, { discountPct, windowMs }) {
      const ran = total(all, (one) => one.all.billed);
      const share = windowMs > 0 && all.length > 0 ? (100 * ran * 60_000) / (windowMs * all.length) : 0;
      return {
        evidence: discountPct === null ? 0 : concerned.length === 0 ? 1 : 3,
        evidenceWords:
          discountPct === null
            ? `the ledger knows the hours; nobody has said what a commitment gives`
            : `pays from ${formatNumber(100 - discountPct, 0)} % of the hours; instances ran ${formatPercent(share)} of them on average`,
        past: "nothing; what is not used is paid for too",
        unknown:
          discountPct === null
            ? "type the discount that you were offered"
            : concerned.length === 0
              ? `no instance ran more than ${formatNumber(100 - discountPct, 0)} % of the period`
              : null,
      };
    },
  };
