import { z } from "zod";
import type { Check } from "./preflight";

/** What ends or restarts a machine: what was seen, what was typed, and what was read besides. */
const MachineChange = z.object({
  /** Made by the dialog: a double click is one request. */
  intentId: z.uuid(),
  instanceId: z.uuid(),
  /** SHA-256 of what the person saw, in hex. */
  planHash: z.string().regex(/^[0-9a-f]{64}$/),
  confirmation: z.string().max(200),
  /** Concerns that the person confirmed a second time, by key. */
  accepted: z.array(z.string().max(40)).max(20).default([]),
  reason: z
    .string()
    .max(500, "Use at most 500 characters")
    .transform((text) => text.trim())
    .default(""),
});
export const RequestTerminate = MachineChange;
export type RequestTerminate = z.output<typeof RequestTerminate>;
export const RequestRestart = MachineChange;
export type RequestRestart = z.output<typeof RequestRestart>;

export const IntentId = z.object({ intentId: z.uuid() });

/** Something that makes a termination worth a second thought, in words. */
export type Concern = {
  key: "busy" | "silent" | "not_ours" | "reserved" | "someone_elses";
  title: string;
  detail: string;
};

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
  };
  lost: { storageGib: number | null; ip: string | null };
  filesystems: { name: string; bytesUsed: string | null; monthMicros: string | null }[];
  priceMicros: string | null;
  /** Until the end of the month, if it ran on. */
  savedMicros: string | null;
  monthEnd: number;
  /** For which part of the last day its type was listed in its region. */
  comeback: { region: string; share: number } | null;
  /** The same request, made before and not yet settled. */
  open: { id: string; by: string; at: number; acceptedAt: number | null; error: string | null } | null;
  /** Machines that this person ended within the last hour. */
  lately: number;
  /** Why this person may not; null: may. */
  denied: string | null;
  frozen: boolean;
  zone: string;
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
