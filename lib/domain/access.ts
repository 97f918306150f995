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

type Grant = {
  /** As the matrix in Settings says it. */
  label: string;
  roles: readonly Role[];
  /** A right with a condition, in the words of the matrix; the verb checks the condition. */
  notes?: Partial<Record<Role, string>>;
  /** Asks for a sign-in of the last 10 minutes. */
  stepUp?: readonly Role[];
};

/** Who may do what. Deny by default; the role is read from the database at each request. */
export const PERMISSIONS = {
  "fleet:read": { label: "See fleet, metrics and alerts", roles: ROLES },
  "cost:read": { label: "See cost", roles: ROLES },
  export: { label: "Export", roles: ROLES },
  "alert:acknowledge": { label: "Acknowledge alerts, comment", roles: ["on_call", "operator", "admin"] },
  "rule:write": { label: "Edit rules and channels", roles: ["operator", "admin"] },
  "intent:launch": { label: "Launch", roles: ["operator", "admin"], stepUp: ["admin"] },
  "intent:terminate": {
    label: "Terminate",
    roles: ["on_call", "operator", "admin"],
    notes: { on_call: "one, if firing", operator: "name typed", admin: "name typed" },
  },
  "intent:restart": {
    label: "Restart",
    roles: ["on_call", "operator", "admin"],
    notes: { on_call: "if firing", operator: "name typed", admin: "name typed" },
  },
  "label:write": { label: "Edit instance labels", roles: ["finance", "on_call", "operator", "admin"] },
  "run:write": { label: "Write down, end and remove runs", roles: ["operator", "admin"] },
  "budget:write": { label: "Set budgets", roles: ["finance", "admin"] },
  "price:write": { label: "Prices, charges, commitments, the accounting zone", roles: ["finance", "admin"] },
  "allocation:write": { label: "Allocation rules, shared cost", roles: ["finance", "admin"] },
  "invoice:write": { label: "Enter invoices, settle their differences", roles: ["finance", "admin"] },
  "cost:close": { label: "Close months, sign off what is doubtful", roles: ["finance", "admin"] },
  "token:ingest": { label: "Ingest tokens, targets, unassigned senders", roles: ["operator", "admin"] },
  "token:api": { label: "API tokens", roles: ["admin"], stepUp: ["admin"] },
  "people:write": { label: "People and roles", roles: ["admin"], stepUp: ["admin"] },
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
  | { kind: "token"; id: string; name: string; role: Role }
  | { kind: "system"; name: string };

/** What a call may know about its surroundings. The clock is an input, so tests and replays own it. */
export type Ctx = { actor: Actor; now: Date; ip?: string | null };

const STEP_UP_MS = 10 * 60_000;

export function can(actor: Actor, permission: Permission): boolean {
  return actor.kind === "system" || (PERMISSIONS[permission].roles as readonly Role[]).includes(actor.role);
}

/** Throws `forbidden` unless the actor's role has the permission, and `forbidden` with a way out when its sign-in is too old for it. */
export function authorize(ctx: Ctx, permission: Permission): void {
  const { actor } = ctx;
  if (!can(actor, permission)) {
    throw new AppError(
      "forbidden",
      `Your role does not allow this (${PERMISSIONS[permission].label.toLowerCase()}). It takes: ${whoMay(permission)}.`,
    );
  }
  if (
    actor.kind === "user" &&
    needsStepUp(actor.role, permission) &&
    ctx.now.getTime() - actor.signedInAt.getTime() > STEP_UP_MS
  ) {
    throw new AppError(
      "forbidden",
      "This asks for a sign-in of the last 10 minutes. Sign in again and repeat it; nothing was changed.",
      {
        stepUp: "required",
      },
    );
  }
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
