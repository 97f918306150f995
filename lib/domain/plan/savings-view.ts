import { z } from "zod";
import { usdCell } from "@/lib/domain/cells";
import { HOURS_OF_MONTH } from "@/lib/domain/cost/waste";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { cellsOf, type TableColumn, type WholeTable } from "@/lib/domain/table";
import type { Deal } from "./deals";
import { type MachineUse, MEASURES, type Measure, type OtherPrice } from "./simulate";

const hour = (otherwise: number) => z.coerce.number().int().min(0).max(23).catch(otherwise).default(otherwise);
const day = z.iso.date().optional().catch(undefined);
const several = <T extends string>(words: readonly T[], otherwise: readonly T[]) =>
  z
    .string()
    .transform((text) => words.filter((word) => text.split(",").includes(word)))
    .optional()
    .transform((found) => found ?? [...otherwise]);

/** The longest period that is looked at. */
export const MOST_DAYS = 92;

export const SavingsQuestion = z.object({
  days: z.coerce.number().int().min(1).max(MOST_DAYS).catch(30).default(30),
  /** Days of the accounting zone, both inclusive; instead of the last days. */
  from: day,
  to: day,
  set: several(MEASURES, ["idle", "schedule"]),
  who: several(WORKLOADS, ["dev"]),
  /** Idle machines whose memory is held count too: the common kind of waste, which no automation touches by default. */
  held: z.stringbool().or(z.boolean()).catch(true).default(true),
  off: hour(20),
  on: hour(8),
  weekends: z.stringbool().or(z.boolean()).catch(true).default(true),
  keep: z.coerce.number().int().min(1).max(9).catch(5).default(5),
  /** Per cent that a commitment takes off. */
  discount: z.coerce.number().min(0).max(90).optional().catch(undefined),
});
export type SavingsQuestion = z.output<typeof SavingsQuestion>;
/** As the address and the API carry it. */
export type SavingsAsked = Omit<SavingsQuestion, "set" | "who"> & { set: string; who: string };

type Text<T> = T extends bigint ? string : T extends object ? { [K in keyof T]: Text<T[K]> } : T;

/** One machine with what each measure would have saved of it in the period. Money as text. */
export type SavingMachine = Text<MachineUse> & {
  alone: Record<Measure, string>;
  inSet: Record<Measure, string>;
  /** Of the set in a month. */
  monthMicros: string;
};

export type SavingMeasure = {
  measure: Measure;
  machines: number;
  /** In a month of 730 hours. */
  aloneMicros: string;
  /** In a month, of the chosen set; null: it is not chosen. */
  setMicros: string | null;
  /** The same in the period. */
  setPeriodMicros: string | null;
  /** In the period. */
  periodMicros: string;
  evidence: 0 | 1 | 2 | 3;
  /** How sure it is, and why. */
  evidenceWords: string;
  risk: string;
  /** What past work it would have cut. */
  past: string;
  /** Why nothing can be said; null: something can. */
  unknown: string | null;
};

export type SavingsAnswer = {
  now: number;
  zone: string;
  asked: SavingsAsked;
  fromDay: string;
  toDay: string;
  from: number;
  to: number;
  windowMs: number;
  offHoursOfWeek: number;
  /** Of machines in the period, and what of it was not measured hour by hour and is in no saving. */
  costMicros: string;
  unmeasuredMicros: string;
  /** The whole cost in a month of 730 hours. */
  monthMicros: string;
  /** Paid minutes, and those in which something was heard. */
  billedMinutes: number;
  heardMinutes: number;
  machinesInAll: number;
  measures: SavingMeasure[];
  total: {
    monthMicros: string;
    periodMicros: string;
    overlapMicros: string;
    /** Of machines that bill now, in a month and in the period. */
    liveMicros: string;
    livePeriodMicros: string;
    machines: number;
  };
  /** The largest saving first. */
  machines: SavingMachine[];
  /** Machines with a saving that are not listed here; a file has them all. */
  more: number;
  deals: Deal[];
};

export const MEASURE_WORDS: Record<Measure, { title: string; risk: string }> = {
  idle: { title: "Terminate after 30 min idle", risk: "low: nothing ran; data outside file systems is lost" },
  schedule: { title: "Off at night and at weekends", risk: "medium: late work has to wait or be excepted" },
  early: { title: "Stop training early", risk: "quality: the last epochs may matter" },
  move: { title: "Same GPU, cheaper provider", risk: "effort: data, images and access move; prices age" },
  rightsize: { title: "Smaller machine", risk: "medium: a later peak may not fit" },
  reserve: { title: "Commit for a term", risk: "lock-in: paid for whether it is used or not" },
};

type Line = { machine: SavingMachine };
const usd = (text: string) => usdCell(BigInt(text));
const COLUMNS: readonly TableColumn<Line>[] = [
  { name: "resource_id", cell: ({ machine }) => machine.resourceId },
  { name: "name", cell: ({ machine }) => machine.name },
  { name: "type", cell: ({ machine }) => machine.typeName },
  { name: "region", cell: ({ machine }) => machine.region },
  { name: "workload", cell: ({ machine }) => machine.workload },
  { name: "bills_now", cell: ({ machine }) => (machine.isLive ? "yes" : "no") },
  { name: "cost_usd", cell: ({ machine }) => usd(machine.micros) },
  { name: "billed_minutes", cell: ({ machine }) => machine.all.billed },
  { name: "heard_minutes", cell: ({ machine }) => machine.all.heard },
  { name: "busy_minutes", cell: ({ machine }) => machine.all.busy },
  { name: "stoppable_empty_minutes", cell: ({ machine }) => machine.all.stopEmpty },
  { name: "stoppable_held_minutes", cell: ({ machine }) => machine.all.stopHeld },
  { name: "off_minutes", cell: ({ machine }) => machine.off.billed },
  { name: "off_busy_minutes", cell: ({ machine }) => machine.off.busy },
  { name: "peak_mib", cell: ({ machine }) => machine.peakMib },
  ...MEASURES.map(
    (measure): TableColumn<Line> => ({
      name: `${measure}_usd`,
      cell: ({ machine }) => usd(machine.alone[measure]),
    }),
  ),
  {
    name: "set_usd",
    cell: ({ machine }) => usdCell(MEASURES.reduce((sum, measure) => sum + BigInt(machine.inSet[measure]), 0n)),
  },
  { name: `set_usd_per_${HOURS_OF_MONTH}_h`, cell: ({ machine }) => usd(machine.monthMicros) },
];

export function savingsTable({ fromDay, toDay, asked, machines }: SavingsAnswer): WholeTable {
  return {
    name: `savings-${fromDay}-${toDay}`,
    title: "What could have been saved, by machine",
    about: [
      ["Days", `${fromDay} to ${toDay}`],
      ["Set", asked.set || "none"],
      ["On a schedule", asked.who || "none"],
    ],
    ...cellsOf(
      COLUMNS,
      machines.map((machine) => ({ machine })),
    ),
  };
}

/** Bigints of a machine's numbers as text, so that they go through JSON. */
export function machineText(machine: MachineUse): Text<MachineUse> {
  const other = (one: OtherPrice | null) => one && { ...one, micros: one.micros.toString() };
  return {
    ...machine,
    micros: machine.micros.toString(),
    priceMicros: machine.priceMicros?.toString() ?? null,
    training: machine.training && { ...machine.training, micros: machine.training.micros.toString() },
    elsewhere: other(machine.elsewhere),
    smaller: other(machine.smaller),
  };
}
