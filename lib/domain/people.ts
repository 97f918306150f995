import { z } from "zod";
import { ROLES } from "./access";
import type { ProviderView } from "./oidc";
import { cleanEmail, cleanName, hasUnseen } from "./text";

export const PersonName = z
  .string()
  .refine((name) => !hasUnseen(name), "contains characters that cannot be seen")
  .transform((name) => cleanName(name, 80))
  .refine((name) => name.length > 0, "Give a name");

export const Email = z.string().max(254, "is too long").transform(cleanEmail).pipe(z.email("is not an e-mail address"));

export const Password = z.string().min(12, "Use at least 12 characters").max(128, "Use at most 128 characters");

export const Role = z.enum(ROLES, { error: "is not a role" });

export const NewPerson = z.object({ token: z.string().max(200), name: PersonName, email: Email, password: Password });
export type NewPerson = z.output<typeof NewPerson>;

export const NewInvite = z.object({
  role: Role,
  name: z
    .string()
    .max(120)
    .default("")
    .transform((note) => cleanName(note, 120)),
});
export type NewInvite = z.output<typeof NewInvite>;

export const PersonChange = z.object({
  userId: z.uuid(),
  role: Role.optional(),
  isDisabled: z.stringbool().or(z.boolean()).optional(),
});
export type PersonChange = z.output<typeof PersonChange>;

const FREE_TRIES = 5;
const LONGEST_DELAY_MS = 15 * 60_000;

/** How long an account or address waits after so many failed sign-ins in a row: nothing for five, then doubling, never for ever. */
export function signInDelayMs(failures: number): number {
  if (failures < FREE_TRIES) return 0;
  return Math.min(LONGEST_DELAY_MS, 1_000 * 2 ** (failures - FREE_TRIES));
}

export type SessionLimits = { idleMs: number; absoluteMs: number };

/** Decisions: idle 12 h, absolute 7 days; both are settings. */
export const SESSION_LIMITS: SessionLimits = { idleMs: 12 * 3_600_000, absoluteMs: 7 * 24 * 3_600_000 };

export type SessionFacts = {
  createdAt: Date;
  lastSeenAt: Date;
  revokedAt: Date | null;
  sessionVersion: number;
  user: { sessionVersion: number; disabledAt: Date | null };
};

/** Whether a session still speaks for its person. */
export function isSessionAlive(session: SessionFacts, limits: SessionLimits, now: Date): boolean {
  return (
    session.revokedAt === null &&
    session.user.disabledAt === null &&
    session.sessionVersion === session.user.sessionVersion &&
    now.getTime() - session.lastSeenAt.getTime() <= limits.idleMs &&
    now.getTime() - session.createdAt.getTime() <= limits.absoluteMs
  );
}

export const UserId = z.object({ userId: z.uuid() });

export const NewPassword = z.object({ userId: z.uuid(), password: Password });

export const OwnPassword = z.object({
  current: z.string().max(200),
  password: Password,
});
export type OwnPassword = z.output<typeof OwnPassword>;

export const SessionId = z.object({ sessionId: z.uuid() });

export type PersonRow = {
  id: string;
  name: string;
  email: string;
  role: (typeof ROLES)[number];
  isDisabled: boolean;
  isMe: boolean;
  createdAt: number;
  lastSeenAt: number | null;
  hasPassword: boolean;
  /** For the day on which the identity provider does not answer. */
  isGlass: boolean;
  /** Whether the identity provider knows them. */
  isLinked: boolean;
  /** One of the demo's roles. */
  isOneClick: boolean;
};

export type InviteRow = { id: string; note: string; role: (typeof ROLES)[number]; by: string; expiresAt: number };

/** `canInvite`: whether invitations work, which end in a password. `provider`: who else says who people are. */
export type PeopleAnswer = {
  now: number;
  canInvite: boolean;
  provider: ProviderView | null;
  people: PersonRow[];
  invites: InviteRow[];
};

export type SessionRow = {
  id: string;
  isThis: boolean;
  signedInAt: number;
  lastSeenAt: number;
  ip: string | null;
  userAgent: string | null;
};

export type SessionsAnswer = {
  now: number;
  /** Whether the person signs in with a password of their own. */
  hasPassword: boolean;
  sessions: SessionRow[];
};
