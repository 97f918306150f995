import { AppError } from "@/lib/errors";

export const ROLES = ["viewer", "finance", "on_call", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_NAMES: Record<Role, string> = {
  viewer: "Viewer",
  finance: "Finance",
  on_call: "On-call",
  operator: "Operator",
  admin: "Admin",
};

export type Grant = {
  /** As the matrix in Settings says it. */
  label: string;
  roles: readonly Role[];
  /** A right with a condition, in the words of the matrix; the verb checks the condition. */
  notes?: Partial<Record<Role, string>>;
  /** Asks for a sign-in of the last 10 minutes. */
  stepUp?: readonly Role[];
  /** A program cannot prove anew who it is, so no token has it. */
  isForPeople?: true;
};

/** Who may do what. Deny by default; the role is read from the database at each request. */
export const PERMISSIONS = {
  "fleet:read": { label: "See fleet, metrics and alerts", roles: ROLES },
  "cost:read": { label: "See cost", roles: ROLES },
  export: { label: "Export", roles: ROLES },
  "wallboard:read": { label: "See the wallboard", roles: ROLES },
  "plan:write": { label: "Scenarios, saved views of one’s own", roles: ROLES },
  "alert:acknowledge": {
    label: "Acknowledge alerts, comment, silence for up to 4 hours",
    roles: ["on_call", "operator", "admin"],
  },
  "rule:write": { label: "Silence for longer, edit rules and channels", roles: ["operator", "admin"] },
  "intent:launch": {
    label: "Launch",
    roles: ["operator", "admin"],
    notes: { operator: "above a limit: approval, sign in", admin: "above a limit: approval" },
    stepUp: ["admin"],
  },
  "intent:approve": {
    label: "Approve what somebody else asked for",
    roles: ["finance", "operator", "admin"],
    notes: { finance: "launches" },
    stepUp: ["finance", "operator", "admin"],
    isForPeople: true,
  },
  "intent:break-glass": {
    label: "Go ahead without the second person, with a reason and an alarm",
    roles: ["operator", "admin"],
    stepUp: ["operator", "admin"],
    isForPeople: true,
  },
  "intent:terminate": {
    label: "Terminate",
    roles: ["on_call", "operator", "admin"],
    notes: { on_call: "one, if firing", operator: "name typed", admin: "name typed" },
  },
  "intent:terminate-many": {
    label: "Terminate several at once, or a protected one",
    roles: ["operator", "admin"],
    notes: { operator: "name or number typed", admin: "name or number typed" },
    stepUp: ["operator", "admin"],
    isForPeople: true,
  },
  "intent:restart": {
    label: "Restart",
    roles: ["on_call", "operator", "admin"],
    notes: { on_call: "if firing", operator: "name typed", admin: "name typed" },
  },
  "protection:set": { label: "Protect an instance", roles: ["operator", "admin"] },
  "protection:lift": { label: "Lift protection", roles: ["admin"], stepUp: ["admin"], isForPeople: true },
  "checklist:write": { label: "Edit checklists", roles: ["operator", "admin"] },
  "automation:stop": { label: "Stop all automation", roles: ["on_call", "operator", "admin"] },
  "automation:resume": {
    label: "Let automation act again",
    roles: ["admin"],
    stepUp: ["admin"],
    isForPeople: true,
  },
  "cloud:write": { label: "Rename, SSH keys, file systems, firewall", roles: ["operator", "admin"] },
  "lease:extend": { label: "Extend a lease", roles: ["on_call", "operator", "admin"] },
  "policy:write": { label: "Draft standing policies, run them in shadow", roles: ["operator", "admin"] },
  "policy:arm": { label: "Arm standing policies", roles: ["admin"], stepUp: ["admin"], isForPeople: true },
  "alignment:write": { label: "Declared fleet, software policy, accept a finding", roles: ["operator", "admin"] },
  "label:write": { label: "Edit instance labels", roles: ["finance", "on_call", "operator", "admin"] },
  "deploy:write": { label: "Mark deploys", roles: ["on_call", "operator", "admin"] },
  "run:write": { label: "Write down, end and remove runs", roles: ["operator", "admin"] },
  "budget:write": { label: "Set budgets", roles: ["finance", "admin"] },
  "price:write": { label: "Prices, charges, commitments, the accounting zone", roles: ["finance", "admin"] },
  "allocation:write": { label: "Allocation rules, shared cost", roles: ["finance", "admin"] },
  "invoice:read": { label: "See invoices, and where they differ", roles: ["finance", "admin"] },
  "invoice:write": { label: "Enter invoices, settle their differences", roles: ["finance", "admin"] },
  "cost:close": { label: "Close months, sign off what is doubtful", roles: ["finance", "admin"] },
  "token:ingest": { label: "Ingest tokens, targets, unassigned senders", roles: ["operator", "admin"] },
  "token:api": { label: "API tokens, wallboards", roles: ["admin"], stepUp: ["admin"], isForPeople: true },
  "people:write": { label: "People and roles", roles: ["admin"], stepUp: ["admin"], isForPeople: true },
  "setting:write": { label: "Retention, session limits", roles: ["admin"] },
  "audit:read": {
    label: "Read the audit trail",
    roles: ["finance", "on_call", "operator", "admin"],
    notes: { finance: "money", on_call: "own acts, alerts" },
  },
} as const satisfies Record<string, Grant>;

export type Permission = keyof typeof PERMISSIONS;

export type UserActor = {
  kind: "user";
  id: string;
  name: string;
  email: string;
  role: Role;
  sessionId: string;
  /** When this person last proved who they are. */
  signedInAt: Date;
};

export type Actor =
  | UserActor
  /** A program. `scopes`: what of its role's rights it has; none named: all that a program may have. */
  | { kind: "token"; id: string; name: string; role: Role; scopes?: readonly string[] }
  | { kind: "system"; name: string };

/** What a call may know about its surroundings. The clock is an input, so tests and replays own it. */
export type Ctx = { actor: Actor; now: Date; ip?: string | null };

/** For how long a sign-in counts as fresh. */
export const STEP_UP_MS = 10 * 60_000;

export function can(actor: Actor, permission: Permission): boolean {
  if (actor.kind === "system") return true;
  const grant: Grant = PERMISSIONS[permission];
  if (!grant.roles.includes(actor.role)) return false;
  return actor.kind === "user" || isInScope(actor.scopes ?? [], permission);
}

/** Whether a program's scopes hold a right that its role has. */
function isInScope(scopes: readonly string[], permission: Permission): boolean {
  const grant: Grant = PERMISSIONS[permission];
  return !grant.isForPeople && (scopes.length === 0 || scopes.includes(permission));
}

/** Throws `forbidden` unless the actor's role has the permission, and `forbidden` with a way out when its sign-in is too old for it. */
export function authorize(ctx: Ctx, permission: Permission): void {
  const { actor } = ctx;
  if (!can(actor, permission)) throw new AppError("forbidden", refusal(actor, permission));
  if (actor.kind === "user" && needsStepUp(actor.role, permission)) requireFreshSignIn(ctx);
}

/** For a right that asks for a fresh sign-in only in some cases; throws `forbidden` with a way out. A program is not asked. */
export function requireFreshSignIn({ actor, now }: Ctx): void {
  if (actor.kind !== "user" || now.getTime() - actor.signedInAt.getTime() <= STEP_UP_MS) return;
  throw new AppError(
    "forbidden",
    "This asks for a sign-in of the last 10 minutes. Sign in again and repeat it; nothing was changed.",
    { stepUp: "required" },
  );
}

function refusal(actor: Actor, permission: Permission): string {
  const grant: Grant = PERMISSIONS[permission];
  const what = grant.label.toLowerCase();
  if (actor.kind !== "token" || !grant.roles.includes(actor.role))
    return `Your role does not allow this (${what}). It takes: ${whoMay(permission)}.`;
  if (grant.isForPeople) return `Only a person may do this (${what}); no token can.`;
  return `This token’s scopes do not allow this (${what}). It takes the scope ${permission}.`;
}

/** The roles that may, in words: "finance, admin". */
function whoMay(permission: Permission): string {
  return PERMISSIONS[permission].roles.map((role) => ROLE_NAMES[role].toLowerCase()).join(", ");
}

/** Why somebody sees something that they may not change; null where they may. */
export function lockOf(actor: Actor, permission: Permission): string | null {
  return can(actor, permission) ? null : `You may look at this. To change it takes: ${whoMay(permission)}.`;
}

function needsStepUp(role: Role, permission: Permission): boolean {
  const grant: Grant = PERMISSIONS[permission];
  return grant.stepUp?.includes(role) ?? false;
}

export function actorName(actor: Actor): string {
  return actor.name;
}

/** A system actor, for the worker's verbs. */
export function systemCtx(name: string, now: Date): Ctx {
  return { actor: { kind: "system", name }, now };
}
