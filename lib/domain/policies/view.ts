import { z } from "zod";
import type { PolicyDo } from "./decide";
import type { PolicyDecision, PolicyKind, PolicyMode } from "./kinds";
import { NewPolicy, PolicyId } from "./policy";
import type { Wait } from "./step";

export { PolicyId };

/** One thing that a policy wants, as the worker last saw it. */
export type OutlookRow = {
  target: string;
  slot: number;
  resourceId: string | null;
  name: string;
  act: PolicyDo;
  state: "acts" | "later" | "waits";
  /** When it does it, as far as that is known. */
  at: number | null;
  wait: Wait | null;
  words: string;
  priceMicros: string | null;
  /** It was said beforehand, so that somebody may keep it from happening. */
  isPlanned: boolean;
};

export type ActRow = {
  target: string;
  slot: number;
  name: string;
  act: PolicyDo;
  decision: PolicyDecision;
  reason: string;
  decidedAt: number;
  actAt: number | null;
  resourceId: string | null;
  intentId: string | null;
  /** Of what it would have done: the money of the time since then in which nothing was computed. Of what it did: per hour. */
  savedMicros: string | null;
  /** Until when the saving counts, and why it counts no further; null: it still grows. */
  closed: { at: number; why: string } | null;
};

export type Tally = {
  since: number;
  wouldAct: number;
  /** Machines of which that is, each once. */
  machines: number;
  savedMicros: string;
  /** Of them, those that had work again afterwards. */
  resumed: number;
  skipped: number;
};

export type PolicyRow = {
  id: string;
  kind: PolicyKind;
  name: string;
  mode: PolicyMode;
  shadowSince: number;
  armedAt: number | null;
  armedBy: string | null;
  /** When it may be armed. */
  armableAt: number;
  version: number;
  /** What it says in a sentence. */
  words: string;
  lookedAt: number | null;
  outlook: OutlookRow[];
  tally: Tally;
  lastActs: ActRow[];
};

export type AutomationState = { stoppedAt: number | null; by: string; reason: string };

export type PoliciesAnswer = {
  now: number;
  zone: string;
  automation: AutomationState;
  policies: PolicyRow[];
};

export type PolicyVersionRow = {
  version: number;
  at: number;
  by: string | null;
  words: string;
  name: string;
  mode: PolicyMode;
};

export type PolicyAnswer = {
  now: number;
  zone: string;
  automation: AutomationState;
  policy: PolicyRow;
  /** As the form has it. */
  draft: z.input<typeof NewPolicy>;
  acts: ActRow[];
  versions: PolicyVersionRow[];
};

export type PolicyChoices = {
  now: number;
  zone: string;
  budgets: { id: string; name: string }[];
  templates: { id: string; name: string }[];
  teams: string[];
  types: string[];
  regions: string[];
  instances: string[];
};

/** A draft in JSON, since a question comes by its address. */
export const PreviewQuestion = z.object({
  draft: z
    .string()
    .max(16_000)
    .transform((text, issues) => {
      const parsed = NewPolicy.safeParse(safeJson(text));
      if (parsed.success) return parsed.data;
      issues.addIssue({ code: "custom", message: "is not a policy that could be saved" });
      return z.NEVER;
    }),
});
export type PreviewQuestion = z.output<typeof PreviewQuestion>;

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export type PreviewMachine = {
  resourceId: string;
  name: string;
  billedHours: number;
  savedMicros: string;
  savedHours: number;
  /** GPU-hours of work in the time that would have been cut. */
  cutGpuHours: number;
  cutRuns: number;
  ends: number;
  /** How often it would have had to be launched again. */
  relaunches: number;
};

export type PreviewAnswer = {
  now: number;
  from: number;
  to: number;
  /** Null: a policy of this kind cannot be tried on the past. */
  result: {
    costMicros: string;
    savedMicros: string;
    savedHours: number;
    cutGpuHours: number;
    cutRuns: number;
    ends: number;
    relaunches: number;
    /** Hours that were paid and not heard: nothing would have been done in them by an idle policy. */
    unheardHours: number;
    unpricedHours: number;
    machines: PreviewMachine[];
  } | null;
};

const reason = z.string().trim().min(1, "Say why").max(500, "Use at most 500 characters");

export const StopAutomation = z.object({ reason });
export type StopAutomation = z.output<typeof StopAutomation>;
export const ResumeAutomation = z.object({ reason: reason.or(z.literal("")).default("") });
export type ResumeAutomation = z.output<typeof ResumeAutomation>;

export const KeepTarget = PolicyId.extend({
  target: z.string().min(1).max(200),
  slot: z.coerce.number().int(),
  reason,
});
export type KeepTarget = z.output<typeof KeepTarget>;

export const ExtendLease = z.object({
  instanceId: z.uuid(),
  /** When the machine may end now; null: it has no lease any more. */
  until: z.coerce.number().int().min(0).max(8.64e15).nullable(),
  reason: z.string().trim().max(500).default(""),
});
export type ExtendLease = z.output<typeof ExtendLease>;

export type AutomationQuestion = Record<string, never>;
