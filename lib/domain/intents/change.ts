import { z } from "zod";
import type { ChosenChecklist } from "./checklist";
import { SeenEvidence } from "./evidence";
import { END_MOST } from "./many";
import type { Check } from "./offers";

const reason = z
  .string()
  .max(500, "Use at most 500 characters")
  .transform((text) => text.trim())
  .default("");
const concernKeys = z.array(z.string().max(40)).max(20).default([]);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Points of the checklist, by their text. */
const ticks = z.array(z.string().max(300)).max(200).default([]);

/** What ends or restarts a machine: what was seen, what was typed, and what was read besides. */
const MachineChange = z.object({
  /** Made by the dialog: a double click is one request. */
  intentId: z.uuid(),
  instanceId: z.uuid(),
  /** SHA-256 of what the person saw of the machine, in hex. */
  planHash: hash,
  /** What else the person saw: the evidence's own `seen`. */
  seen: SeenEvidence,
  confirmation: z.string().max(200),
  /** Concerns that the person confirmed a second time, by key. */
  accepted: concernKeys,
  ticked: ticks,
  reason,
});
export const RequestTerminate = MachineChange;
export type RequestTerminate = z.output<typeof RequestTerminate>;
export const RequestRestart = MachineChange;
export type RequestRestart = z.output<typeof RequestRestart>;

/** Which machines: by their ids, or by what the fleet's filter finds now. */
export const MachineChoice = z
  .object({
    instanceIds: z.array(z.uuid()).max(END_MOST, `Choose at most ${END_MOST} instances at once`).default([]),
    filter: z.string().max(500).default(""),
  })
  .refine(({ instanceIds, filter }) => instanceIds.length > 0 !== (filter.trim() !== ""), {
    error: "Give either ids or a filter",
  });
export type MachineChoice = z.output<typeof MachineChoice>;

const chosenMachine = z.object({
  instanceId: z.uuid(),
  planHash: hash,
  seen: SeenEvidence,
  accepted: concernKeys,
});
const chosenMachines = z
  .array(chosenMachine)
  .min(1, "Choose an instance")
  .max(END_MOST, `Choose at most ${END_MOST} instances at once`)
  .refine((all) => new Set(all.map(({ instanceId }) => instanceId)).size === all.length, "One is named twice");

/** Several machines at once: what was seen and accepted of each, and how many they are, typed. */
export const RequestBatch = z.object({
  /** Made by the dialog: a double click is one batch. */
  batchId: z.uuid(),
  machines: chosenMachines,
  confirmation: z.string().max(20),
  ticked: ticks,
  reason,
});
export type RequestBatch = z.output<typeof RequestBatch>;

/** What would become of a termination; nothing is written. */
export const DryRun = z.object({ machines: chosenMachines, ticked: ticks });
export type DryRun = z.output<typeof DryRun>;

/** What became, or would become, of one machine of several. */
export type BatchOutcome = {
  instanceId: string;
  name: string;
  outcome: "send" | "approval" | "open" | "refused";
  /** Why it is refused, who is asked, or whose request it is. */
  words: string;
  intentId: string | null;
};

export type DryRunAnswer = {
  now: number;
  outcomes: BatchOutcome[];
  /** Exactly what would be sent, in this order. */
  calls: { method: "GET" | "POST"; path: string; body: object | null }[];
  /** How long that takes at Lambda's limit. */
  seconds: number;
  microsPerHour: string;
};

export type BatchAnswer = { id: string; outcomes: BatchOutcome[] };

export const IntentId = z.object({ intentId: z.uuid() });

/** Something that makes a termination worth a second thought, in words. */
export type Concern = {
  key: "busy" | "silent" | "protected" | "not_ours" | "reserved" | "someone_elses";
  title: string;
  detail: string;
};

/** How busy its GPUs were over a while: mean and highest effective utilisation, and for which part of it they were heard. */
export type UseOver = { meanPct: number | null; peakPct: number | null; heardShare: number };

export type ChangeEvidence = {
  now: number;
  instanceId: string;
  externalId: string;
  name: string;
  typeName: string | null;
  gpus: number;
  region: string;
  status: string;
  /** When Lambda last listed it, and when its GPUs were last heard. */
  listedAt: number | null;
  heardAt: number | null;
  confirmation: { text: string; isName: boolean };
  planHash: string;
  concerns: Concern[];
  use: {
    utilizationPct: number | null;
    memoryUsedMib: number | null;
    memoryTotalMib: number | null;
    processes: { name: string | null; pid: number; usedMib: number | null; user: string | null }[] | null;
    processesAt: number | null;
    /** Effective utilisation of the last hours. */
    line: (number | null)[];
    lineFrom: number;
    peakPct: number | null;
    /** Since when nothing has been computed; null: busy or not known. */
    idleSince: number | null;
    hour: UseOver;
    day: UseOver;
    /** What was seen on its GPUs last, where nothing is seen now. */
    lastProcess: { name: string | null; user: string | null; usedMib: number | null; at: number } | null;
  };
  /** Whose it is, who launched it, and why. */
  whose: {
    owner: string;
    team: string;
    project: string;
    workload: string;
    launchedBy: string | null;
    launchedAt: number | null;
    purpose: string;
  };
  leaseUntil: number | null;
  protection: { reason: string } | null;
  lost: { storageGib: number | null; ip: string | null };
  /** `others`: other machines that use it too. */
  filesystems: { name: string; bytesUsed: string | null; monthMicros: string | null; others: number }[];
  priceMicros: string | null;
  /** Until the end of the month, if it ran on. */
  savedMicros: string | null;
  savedDayMicros: string | null;
  monthEnd: number;
  /** For which part of the last day its type was listed in its region. */
  comeback: { region: string; share: number } | null;
  /** The same request, made before and not yet settled. */
  open: {
    id: string;
    state: string;
    by: string;
    at: number;
    acceptedAt: number | null;
    /** Until when a second person may agree; null: nobody is asked. */
    approvalUntil: number | null;
    error: string | null;
  } | null;
  /** Machines that this person ended within the last hour. */
  lately: number;
  checklist: ChosenChecklist;
  /** Why a second person must agree, and until when that could be; null: nobody needs to. */
  approval: { reason: string; expiresMs: number } | null;
  /** What a decision depends on, to be sent back with it. */
  seen: SeenEvidence;
  /** Why this person may not; null: may. */
  denied: string | null;
  frozen: boolean;
  zone: string;
};

export type EvidencesAnswer = {
  now: number;
  rows: ChangeEvidence[];
  /** Those of which nothing can be ended, and why. */
  refused: { instanceId: string; name: string; words: string }[];
  /** Why this person may not end several; null: may. */
  denied: string | null;
  frozen: boolean;
};

export type UseFacts = {
  isBilled: boolean;
  telemetry: "reporting" | "silent" | "never" | "failing" | "not_expected";
  /** Highest effective utilisation of the last ten minutes; null: nothing was heard. */
  peakPct: number | null;
  isOurs: boolean;
  isReserved: boolean;
  launchedBy: string | null;
  owner: string;
  /** Why it is protected; null: it is not. */
  protection: string | null;
  /** What the person who asks is known by. */
  self: string[];
};

const BUSY_PCT = 5;

/** Silence counts as busy: what we cannot see may be somebody's last week (reliability 2.4). */
export function concernsOf(facts: UseFacts): Concern[] {
  const concerns: Concern[] = [];
  const isSilent = facts.isBilled && facts.telemetry !== "reporting";
  if (facts.peakPct !== null && facts.peakPct > BUSY_PCT)
    concerns.push({
      key: "busy",
      title: "It is working right now.",
      detail: "Its GPUs were in use within the last 10 minutes.",
    });
  else if (isSilent || (facts.isBilled && facts.peakPct === null))
    concerns.push({
      key: "silent",
      title: "Nobody knows what it is doing.",
      detail: "Its GPUs have not been heard, so it counts as busy.",
    });
  if (facts.protection !== null)
    concerns.push({
      key: "protected",
      title: "It is protected.",
      detail: `No automation ends it. Reason given: ${facts.protection || "none"}.`,
    });
  if (!facts.isOurs)
    concerns.push({
      key: "not_ours",
      title: "Not launched from here.",
      detail: facts.launchedBy ? `Lambda's log names ${facts.launchedBy}.` : "Lambda's log does not say by whom.",
    });
  if (facts.isReserved)
    concerns.push({
      key: "reserved",
      title: "It is reserved.",
      detail: "Its contract is paid whether it runs or not.",
    });
  if (facts.owner && !facts.self.some((name) => name.toLowerCase() === facts.owner.toLowerCase()))
    concerns.push({
      key: "someone_elses",
      title: `It belongs to ${facts.owner}.`,
      detail: "Its labels name another owner.",
    });
  return concerns;
}

/** What was not accepted yet, of checks or concerns. */
export function missingKeys(asked: readonly (Check | Concern)[], accepted: readonly string[]): string[] {
  return asked.map((one) => one.key).filter((key) => !accepted.includes(key));
}
