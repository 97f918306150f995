import { z } from "zod";
import { WindowQuestion } from "@/lib/domain/fleet/view";
import { cleanText } from "@/lib/domain/telemetry/text";
import type { XidEvent } from "@/lib/domain/xid/bursts";
import type { XidSeverity } from "@/lib/domain/xid/codes";

/* Xid incidents and notes of a window. Instants are epoch milliseconds. */

const LINES_TOLD = 40;

export const EventsQuestion = WindowQuestion.extend({
  instanceId: z.uuid().optional(),
  gpuId: z.coerce.number().int().positive().max(2_147_483_647).optional(),
  /** As `next` of the answer before. */
  after: z
    .string()
    .regex(/^\d{1,16}:.{1,80}$/, "is not the `next` of an answer")
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
  /** How many lines to tell of each incident. */
  lines: z.coerce.number().int().min(0).max(LINES_TOLD).default(LINES_TOLD),
});
export type EventsQuestion = z.output<typeof EventsQuestion>;

/** What a page asks: its window, and the machine if it shows one. */
export type EventsAsked = { [K in keyof EventsQuestion]?: EventsQuestion[K] | undefined };

export type IncidentLine = {
  at: number;
  atIs: XidEvent["atIs"];
  code: number;
  seenBy: XidEvent["seenBy"];
  isSinceBefore: boolean;
  /** What the driver or the exporter says, without the log's own time. */
  text: string;
  pid: number | null;
  processName: string | null;
  /** The host name of the sender. */
  from: string | null;
};

export type Incident = {
  id: string;
  /** Null while nobody knows which machine the sender is. */
  instance: { id: string; name: string } | null;
  host: string | null;
  from: number;
  to: number;
  /** `lines` counts the kernel's lines; 0 where only a gauge told the code, which counts nothing. */
  codes: { code: number; lines: number; seenBy: XidEvent["seenBy"][]; severity: XidSeverity }[];
  /** "Xid 48, 63, 94 (11 lines)" */
  title: string;
  cards: { gpuId: number | null; label: string; busId: string | null; model: string | null }[];
  severity: XidSeverity;
  /** The code that decides. */
  code: number;
  /** What it is: the meaning of the code that decides. */
  headline: string;
  owner: string;
  action: string;
  steps: string;
  why: string | null;
  mayPage: boolean;
  /** Oldest first, the first ones. */
  lines: IncidentLine[];
  moreLines: number;
};

export type XidInfo = {
  code: number;
  meaning: string;
  mnemonic: string | null;
  note: string | null;
  severity: XidSeverity | null;
  owner: string;
  /** NVIDIA's actions, in plain words. */
  immediate: string;
  investigatory: string;
  /** Ours, for somebody who rents the machine. */
  steps: string;
  /** Whether NVIDIA lists it for the card that showed it, in words. */
  listed: string | null;
};

export type NoteMark = { id: string; at: number; text: string; by: string };

/** `isOfAll`: of no machine in particular. */
export type DeployMark = { id: string; at: number; name: string; by: string; url: string | null; isOfAll: boolean };

export type EventsAnswer = {
  now: number;
  from: number;
  to: number;
  /** Newest first. */
  incidents: Incident[];
  next: string | null;
  /** Older lines of the window than this were not read; null where all were. */
  cutAt: number | null;
  /** Of one machine, newest first; none where a fleet is asked for. */
  notes: NoteMark[];
  /** The machine's, and those of all machines, newest first; none where a fleet is asked for. */
  deploys: DeployMark[];
  codes: Record<string, XidInfo>;
};

const NOTE_MAX = 280;

export const NewNote = z.object({
  instanceId: z.uuid(),
  /** Null: now. */
  at: z.number().int().min(0).max(8.64e15).nullable().default(null),
  text: z
    .string()
    .max(4 * NOTE_MAX)
    .transform((text) => cleanText(text, NOTE_MAX + 1))
    .refine((text) => text.length > 0, "Write what happened")
    .refine((text) => [...text].length <= NOTE_MAX, `At most ${NOTE_MAX} characters`),
});
export type NewNote = z.output<typeof NewNote>;
