import { z } from "zod";
import type { Severity } from "@/lib/domain/alerts/types";
import { cleanName } from "@/lib/domain/text";
import { type DeprecationLine, REVIEW_POINTS, type Review, type ReviewPoint } from "./calendar";
import type { Evidence, Fact } from "./check";
import type { FactLine, Verdict } from "./compare";
import type { Declaration, DeclarationProblem, SoftwarePolicy } from "./declaration";
import type { DiffLine } from "./diff";
import type { DrawnPool, PoolUse } from "./pools";
import type { FindingState } from "./standing";

/* What pages and programs are answered. Instants are epoch milliseconds, money is whole micro-dollars as text, missing is null. */

export type FindingRow = {
  id: string;
  fact: Fact;
  severity: Severity;
  state: FindingState;
  group: string | null;
  instanceId: string | null;
  /** The machine, or the group where it is of all of it. */
  target: string;
  gpuId: number | null;
  declared: string | null;
  observed: string | null;
  why: string;
  settle: string;
  evidence: Evidence[];
  monthMicros: string | null;
  memoryGb: number | null;
  firstPollAt: number;
  lastPollAt: number;
  agreedPolls: number;
  settledAt: number | null;
  accepted: { by: string; reason: string; until: number | null } | null;
  assignee: { id: string; name: string } | null;
  /** The line of the declaration that it contradicts. */
  line: number | null;
};

/** The same difference of several machines, as one. */
export type FindingGroup = Pick<
  FindingRow,
  | "fact"
  | "severity"
  | "group"
  | "declared"
  | "observed"
  | "why"
  | "settle"
  | "evidence"
  | "monthMicros"
  | "memoryGb"
  | "agreedPolls"
  | "accepted"
  | "assignee"
  | "line"
> & {
  state: Exclude<FindingState, "settled">;
  /** All of them, in the order of `targets`, which names the first. */
  ids: string[];
  targets: { instanceId: string | null; name: string }[];
  since: number;
};

export type GroupView = {
  name: string;
  owner: string | null;
  gpu: string;
  memoryGb: number;
  gpusPerInstance: number;
  instanceType: string;
  regions: string[];
  count: number;
  pricePerHourMicros: string | null;
  /** How many there are, and the first of them. */
  present: number;
  machines: { id: string; name: string }[];
  verdict: Verdict;
  facts: FactLine[];
  /** The pools of each workload, against the smallest card that reports. */
  pools: {
    workload: string | null;
    pools: { name: string; gb: number; tier: string | null }[];
    sumGb: number;
    nominalGb: number | null;
    reportedMib: number | null;
    card: string | null;
    drawn: DrawnPool[] | null;
  }[];
  prices: { machines: number; priceMicros: string | null }[];
};

export type VersionLine = { version: number; at: number; by: string; note: string; groups: number; isCurrent: boolean };

export type AlignmentAnswer = {
  now: number;
  zone: string;
  /** Null: nothing is declared yet. */
  declared: {
    version: number;
    at: number;
    by: string;
    note: string;
    fleet: string;
    hoursPerMonth: number;
    undeclared: "report" | "ignore";
  } | null;
  poll: { at: number | null; staleSince: number | null; error: string | null };
  verdict: Verdict;
  counts: { critical: number; warning: number; notes: number; pending: number; accepted: number; unverified: number };
  totals: {
    machines: number;
    declaredMachines: number;
    gpus: number;
    reportingGpus: number;
    declaredGb: number;
    reportedGb: number;
    declaredMicros: string;
    observedMicros: string;
    differenceMicros: string;
    /** What findings about memory add up to. */
    memoryGb: number;
    /** Declared in pools beyond what exists. */
    poolsGb: number;
    unpriced: number;
  };
  groups: GroupView[];
  strangers: { id: string; name: string; typeName: string | null; priceMicros: string | null }[];
  findings: FindingGroup[];
};

export type SoftwareAnswer = {
  now: number;
  policies: (SoftwarePolicy & { groups: string[] })[];
  lines: FactLineOfPolicy[];
  calendar: DeprecationLine[];
  quarter: string;
  dueAt: number;
  reviews: { id: string; version: number; body: Extract<Review, { type: "quarter" }> }[];
  migrations: {
    id: string;
    version: number;
    body: Extract<Review, { type: "migration" }>;
    endsAt: number;
  }[];
};

/** What machines of a policy run, by value. */
export type FactLineOfPolicy = {
  policy: string;
  fact: Fact;
  value: string | null;
  machines: number;
  state: "agrees" | "differs" | "unverified";
  severity: Severity | null;
};

export type DeclarationAnswer = {
  now: number;
  version: number | null;
  at: number | null;
  by: string | null;
  yaml: string;
  /** What runs now, written as a declaration. */
  versions: VersionLine[];
};

export type DeclarationPreview = {
  now: number;
  problems: DeclarationProblem[];
  diff: DiffLine[];
  /** What the document would be found to be at once, by what was seen last. */
  findings: { fact: Fact; severity: Severity; target: string; why: string }[];
  totals: { declaredMachines: number; declaredMicros: string; observedMicros: string } | null;
};

/** How many findings stand that are neither notes nor accepted. */
export type FindingCount = { now: number; verdict: Verdict; findings: number };

export type BadgesAnswer = {
  now: number;
  byInstance: Record<string, { count: number; severity: Severity }>;
};

export type MachineAlignment = {
  now: number;
  group: string | null;
  hours: number;
  nominalGb: number | null;
  reportedMib: number | null;
  card: string | null;
  pools: DrawnPool[] | null;
  use: PoolUse[];
  /** Processes are listed for the card. */
  hasProcesses: boolean;
  findings: FindingRow[];
  facts: { fact: Fact; state: "agrees" | "differs" | "unverified"; declared: string | null; observed: string | null }[];
};

export const VersionQuestion = z.object({ version: z.coerce.number().int().min(1).max(1_000_000).optional() });
export type VersionQuestion = z.output<typeof VersionQuestion>;

/** How the editor begins: with what runs, with one group corrected, or at a line. */
export const Beginning = z.object({
  from: z.enum(["now", "current"]).catch("current").default("current"),
  group: z.string().max(200).nullable().catch(null).default(null),
  line: z.coerce.number().int().min(1).max(100_000).nullable().catch(null).default(null),
});
export type Beginning = z.output<typeof Beginning>;

export const CorrectionQuestion = z.object({ group: z.string().max(200) });
export type CorrectionQuestion = z.output<typeof CorrectionQuestion>;

export const DeclarationDraft = z.object({ yaml: z.string().max(1_000_000) });
export type DeclarationDraft = z.output<typeof DeclarationDraft>;

const reason = z
  .string()
  .max(2_000)
  .transform((text) => cleanName(text, 500));

export const NewDeclaration = DeclarationDraft.extend({
  note: reason.default(""),
  /** The version that it was written on; 0: there was none. */
  base: z.coerce.number().int().min(0),
});
export type NewDeclaration = z.output<typeof NewDeclaration>;

export const RestoreDeclaration = z.object({
  version: z.coerce.number().int().min(1),
  base: z.coerce.number().int().min(1),
});
export type RestoreDeclaration = z.output<typeof RestoreDeclaration>;

export const FindingId = z.object({ findingId: z.uuid() });
export type FindingId = z.output<typeof FindingId>;

export const AcceptFinding = FindingId.extend({
  reason: reason.pipe(z.string().min(3, "Say why it may stay")),
  /** Until then; afterwards it is open again. */
  until: z.coerce.number().int().min(0).max(8.64e15),
});
export type AcceptFinding = z.output<typeof AcceptFinding>;

export const AssignFinding = FindingId.extend({ personId: z.uuid().nullable() });
export type AssignFinding = z.output<typeof AssignFinding>;

const findingIds = z.array(z.uuid()).min(1).max(2_000);
export const AcceptFindings = AcceptFinding.omit({ findingId: true }).extend({ findingIds });
export type AcceptFindings = z.output<typeof AcceptFindings>;
export const ReopenFindings = z.object({ findingIds });
export type ReopenFindings = z.output<typeof ReopenFindings>;
export const AssignFindings = AssignFinding.omit({ findingId: true }).extend({ findingIds });
export type AssignFindings = z.output<typeof AssignFindings>;

const POINTS = REVIEW_POINTS.map(({ id }) => id) as [ReviewPoint, ...ReviewPoint[]];

export const SignReview = z.object({
  quarter: z.string().regex(/^\d{4}-Q[1-4]$/, "is a quarter, such as 2026-Q4"),
  points: z.array(z.enum(POINTS)).max(POINTS.length),
  remark: reason.default(""),
});
export type SignReview = z.output<typeof SignReview>;

export const StartMigration = z.object({
  what: z
    .string()
    .max(400)
    .transform((text) => cleanName(text, 120))
    .pipe(z.string().min(1, "Say what must go")),
  reason: reason.pipe(z.string().min(3, "Say why it cannot wait")),
});
export type StartMigration = z.output<typeof StartMigration>;

export const EndMigration = z.object({ migrationId: z.uuid() });
export type EndMigration = z.output<typeof EndMigration>;

export const FindingsQuestion = z.object({
  state: z.enum(["open", "accepted", "settled", "all"]).catch("open").default("open"),
});
export type FindingsQuestion = z.output<typeof FindingsQuestion>;

export const MachineAlignmentQuestion = z.object({ instanceId: z.uuid() });
export type MachineAlignmentQuestion = z.output<typeof MachineAlignmentQuestion>;

/** What of a declaration is kept beside its text. */
export type StoredDeclaration = {
  version: number;
  yaml: string;
  parsed: Declaration;
  note: string;
  by: string;
  at: number;
};
