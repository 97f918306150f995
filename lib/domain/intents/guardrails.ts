import { z } from "zod";
import { formatUsdRate } from "@/lib/domain/format";

const HOUR_MS = 3_600_000;

/** Checks of a launch that a policy may turn into a refusal, or into something to be read, with what each is by default. */
export const TUNABLE_CHECKS = {
  connection: { label: "The fleet is not up to date", level: "warn" },
  quota: { label: "Lambda said lately that the quota is used up", level: "warn" },
  capacity: { label: "No capacity is listed", level: "warn" },
  name: { label: "A machine of that name runs", level: "warn" },
  owner: { label: "No team is named", level: "warn" },
  budget: { label: "The month's budget is passed", level: "warn" },
  reuse: { label: "The same purpose runs idle already", level: "warn" },
  agent: { label: "The machine cannot report", level: "warn" },
  "guard-type": { label: "Type that is not allowed", level: "block" },
  "guard-region": { label: "Region that is not allowed", level: "block" },
  "guard-person": { label: "More per hour than a person may run", level: "block" },
  "guard-fleet": { label: "More per hour than the fleet may cost", level: "block" },
  "guard-name": { label: "Name that does not fit the pattern", level: "block" },
  "guard-labels": { label: "A needed label is missing", level: "block" },
  "guard-lease": { label: "No lease, or one that is too long", level: "block" },
} as const satisfies Record<string, { label: string; level: "block" | "warn" }>;
export type TunableCheck = keyof typeof TUNABLE_CHECKS;

export const NEEDED_LABELS = ["team", "project", "owner", "purpose", "costCenter", "environment"] as const;
export type NeededLabel = (typeof NEEDED_LABELS)[number];
export const LABEL_WORDS: Record<NeededLabel, string> = {
  team: "team",
  project: "project",
  owner: "owner",
  purpose: "purpose",
  costCenter: "cost centre",
  environment: "environment",
};

export const TERMINATE_APPROVALS = ["never", "risky", "always"] as const;
export type TerminateApproval = (typeof TERMINATE_APPROVALS)[number];

const micros = z
  .string()
  .regex(/^\d{1,15}$/)
  .nullable()
  .default(null);

/** What the house allows without asking. Nothing set: everything is allowed, and nobody is asked a second time. */
export const Guardrails = z.object({
  /** Names of types and regions that may be launched; none named: all. */
  types: z.array(z.string().max(100)).max(200).default([]),
  regions: z.array(z.string().max(64)).max(100).default([]),
  /** Micro-dollars per hour, of the machines that one person launched and of all that run; null: no limit. */
  maxPersonMicrosPerHour: micros,
  maxFleetMicrosPerHour: micros,
  /** What names must look like: `*` stands for any characters, `?` for one; empty: anything. */
  namePattern: z.string().max(64).default(""),
  labels: z.array(z.enum(NEEDED_LABELS)).default([]),
  /** How long a machine may run by its lease, unless somebody says otherwise, and at most. */
  leaseMs: z.number().int().min(HOUR_MS).nullable().default(null),
  maxLeaseMs: z.number().int().min(HOUR_MS).nullable().default(null),
  /** Oldest driver of NVIDIA's that a machine may have, such as 570.86; empty: any. */
  minDriver: z
    .string()
    .regex(/^(\d{1,5}(\.\d{1,5}){0,3})?$/)
    .default(""),
  /** Which checks block and which only warn, where it is not as by default. */
  checks: z.partialRecord(z.enum(Object.keys(TUNABLE_CHECKS) as [TunableCheck]), z.enum(["block", "warn"])).default({}),
  /** When a second person is asked. */
  approval: z
    .object({
      /** Launches that cost more than this together; null: never. */
      launchAboveMicrosPerHour: micros,
      /** Terminations; "risky": of what is busy, silent, protected, not launched from here, or somebody else's. */
      terminate: z.enum(TERMINATE_APPROVALS).default("never"),
      expiresMs: z
        .number()
        .int()
        .min(HOUR_MS / 4)
        .max(7 * 24 * HOUR_MS)
        .default(4 * HOUR_MS),
    })
    .prefault({}),
});
export type Guardrails = z.output<typeof Guardrails>;

/** Nobody set anything. */
export const NO_GUARDRAILS: Guardrails = Guardrails.parse({});

/** Whether a tunable check stands in the way or is only to be read. */
export function levelOf(key: TunableCheck, { checks }: Pick<Guardrails, "checks">): "error" | "warning" {
  return (checks[key] ?? TUNABLE_CHECKS[key].level) === "block" ? "error" : "warning";
}

/** Something that is about to be asked of Lambda, as far as a second person's word depends on it. */
export type ApprovalQuestion =
  | {
      kind: "launch";
      actor: { kind: "user" | "token" | "system" };
      /** Of all machines that are asked for in this one act. */
      microsPerHour: bigint;
    }
  | {
      kind: "terminate";
      actor: { kind: "user" | "token" | "system" };
      /** Keys of the concerns that its evidence names; see `concernsOf`. */
      concerns: readonly string[];
      isProtected: boolean;
    }
  | { kind: "restart"; actor: { kind: "user" | "token" | "system" } };

const RISKS: Readonly<Record<string, string>> = {
  busy: "it is working",
  silent: "nobody knows what it is doing",
  not_ours: "it was not launched from here",
  reserved: "it is reserved",
  someone_elses: "it belongs to somebody else",
};
/** Automation ends machines of others all the time: that is no reason to ask. What it cannot answer for is. */
const RISKS_OF_AUTOMATION = new Set(["busy", "silent"]);

/** Why a second person must agree before it is sent, in words; null: nobody needs to. */
export function approvalNeeded(question: ApprovalQuestion, { approval }: Guardrails): string | null {
  if (question.kind === "restart") return null;
  if (question.kind === "launch") {
    const limit = approval.launchAboveMicrosPerHour;
    if (limit === null || question.microsPerHour <= BigInt(limit)) return null;
    return `Launches above ${formatUsdRate(limit)} need a second person; this is ${formatUsdRate(question.microsPerHour)}.`;
  }
  const isAutomatic = question.actor.kind === "system";
  if (approval.terminate === "always") return "Every termination needs a second person.";
  if (approval.terminate === "never" && !isAutomatic) return null;
  const risks = [
    ...(question.isProtected ? ["it is protected"] : []),
    ...question.concerns.flatMap((key) => (isAutomatic && !RISKS_OF_AUTOMATION.has(key) ? [] : (RISKS[key] ?? []))),
  ];
  if (risks.length === 0) return null;
  return `A second person must agree, for ${risks.join(", and ")}.`;
}

/** Until when an approval can be given. */
export function approvalExpiresAt(askedAt: number, { approval }: Guardrails): number {
  return askedAt + approval.expiresMs;
}

/** Whether a name fits a pattern with `*` and `?`; in time that grows with the name, whatever the pattern. */
export function fitsPattern(name: string, pattern: string): boolean {
  if (pattern === "") return true;
  let at = 0;
  let star = -1;
  let resume = 0;
  let i = 0;
  while (i < name.length) {
    const sign = pattern[at];
    if (sign === "?" || (sign !== "*" && sign === name[i])) {
      at++;
      i++;
    } else if (sign === "*") {
      star = at++;
      resume = i;
    } else if (star >= 0) {
      at = star + 1;
      i = ++resume;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
