import type { Labels } from "@/lib/domain/fleet/workloads";

export const INTENT_KINDS = ["launch", "terminate", "restart"] as const;
export type IntentKind = (typeof INTENT_KINDS)[number];

export const INTENT_STATES = [
  "draft",
  "awaiting_approval",
  "ready",
  "sending",
  "indeterminate",
  "confirmed",
  "adopted",
  "refused",
  "closed_unconfirmed",
  "cancelled",
  "expired",
] as const;
export type IntentState = (typeof INTENT_STATES)[number];

export const SETTLED: readonly IntentState[] = [
  "confirmed",
  "adopted",
  "refused",
  "closed_unconfirmed",
  "cancelled",
  "expired",
];

/**
 * From which state an intent may go where; the database refuses any other step. Nothing leads from a settled state back to
 * sending. A machine that turns up after all is adopted, whatever was thought of its launch. (decisions: Intents)
 */
export const TRANSITIONS: Readonly<Record<IntentState, readonly IntentState[]>> = {
  draft: ["awaiting_approval", "ready", "cancelled", "expired"],
  awaiting_approval: ["ready", "cancelled", "expired"],
  // A terminate that was heard and could not be repeated waits here when its machine is gone.
  ready: ["sending", "confirmed", "adopted", "cancelled", "expired"],
  // Back to ready, cancelled or expired only where certainly nothing left us.
  sending: ["ready", "indeterminate", "confirmed", "adopted", "refused", "closed_unconfirmed", "cancelled"],
  indeterminate: ["adopted", "closed_unconfirmed"],
  confirmed: [],
  adopted: [],
  refused: ["adopted"],
  closed_unconfirmed: ["adopted"],
  cancelled: ["adopted"],
  expired: ["adopted"],
};

export function mayMove(from: IntentState, to: IntentState): boolean {
  return from === to || TRANSITIONS[from].includes(to);
}

export type LaunchRequest = {
  typeName: string;
  region: string;
  imageFamily: string | null;
  sshKeyName: string;
  fileSystemName: string | null;
  /** As it will be called at the provider: the person's name for it and the intent's mark. */
  name: string;
  labels: Labels;
  /** Why it runs, as a person said; launches of older versions say none of what follows. */
  purpose?: string;
  /** When it may end, so the person said. */
  leaseUntil?: number | null;
  /** Start-up data of the person's own, sealed; see lib/services/secrets.ts. */
  userDataId?: string | null;
};

export type TargetRequest = { externalId: string; name: string | null };

/** Tags by which a machine of ours is known again; the provider's API cannot change them later. */
export const INTENT_TAG = "hopperdeck-intent";

/** How long an outcome that nobody told us is looked for, and how long its machine would still be noticed after that. */
export const LOOK_MS = 5 * 60_000;
export const THROTTLED_LOOK_MS = 60_000;
export const WATCH_MS = 24 * 3_600_000;
/** A request in flight for longer than this is not coming back, with all its waits and deadlines: our worker died over it. */
export const IN_FLIGHT_MS = 3 * 60_000;
export const REPEAT_TERMINATE_MS = 30_000;
export const UNSENT_AT_MOST = 5;
/** A launch or restart that could not be sent for so long is not what anybody waits for any more. */
export const EXPIRES_MS = 30 * 60_000;

/** "<name>-<8 hex of the intent>": people read the first part, we find it again by the second. Never longer than Lambda's 64. */
export function machineName(label: string, intentId: string): string {
  return `${label.slice(0, 55)}-${mark(intentId)}`;
}

export function mark(intentId: string): string {
  return intentId.replaceAll("-", "").slice(-8);
}

/**
 * Whether a machine that is called gone is gone for the one who asked for its end. Where Lambda never said yes, two listings
 * that lack it are too little: bad ones come in rows. Listings must go on lacking it for five minutes, while it is asked again.
 */
export function isEndCertain(end: { acceptedAt: Date | null; goneAt: Date; lastListedAt: Date | null }): boolean {
  const { acceptedAt, goneAt, lastListedAt } = end;
  return acceptedAt !== null || (lastListedAt !== null && lastListedAt.getTime() - goneAt.getTime() >= LOOK_MS);
}

/** What came of one request, as far as we know. */
export type SendOutcome =
  | { kind: "accepted"; externalIds: string[] }
  | { kind: "refused"; code: string; message: string; isFinal: boolean }
  | { kind: "not_sent"; message: string }
  | { kind: "throttled"; message: string }
  | { kind: "unknown"; message: string }
  /** We ourselves judged anew at the last moment, and did not send it: not now, or not at all. */
  | { kind: "withheld"; message: string; isFinal: boolean };

export type SendFacts = { kind: IntentKind; unsent: number; sentAt: number; sends: number };

export type Next = {
  state: "ready" | "sending" | "indeterminate" | "confirmed" | "refused" | "cancelled" | "closed_unconfirmed";
  /** When to send again; only a request that certainly did not leave, or a terminate, is ever repeated. */
  nextSendAt?: number;
  lookUntil?: number;
  externalId?: string;
  acceptedAt?: number;
  errorCode?: string;
  error?: string;
  /** The request did not leave us, so it does not count. */
  isUnsent?: boolean;
};

/** Automation that must wait asks again after this long. */
const WITHHELD_MS = 60_000;

/**
 * What an intent becomes after a request. Launch and restart: at most one request whose bytes may have left us, ever; an
 * unknown outcome is looked for, never tried again. Terminate is idempotent by id and is repeated until the machine is gone.
 * (decisions: Intents; reliability 2.3, 2.4)
 */
export function afterSend(intent: SendFacts, outcome: SendOutcome, now: number): Next {
  if (outcome.kind === "not_sent") {
    if (intent.kind === "terminate")
      return { state: "ready", nextSendAt: now + REPEAT_TERMINATE_MS, error: outcome.message, isUnsent: true };
    if (intent.unsent + 1 >= UNSENT_AT_MOST)
      return { state: "refused", errorCode: "not-sent", error: `${outcome.message}; nothing was sent`, isUnsent: true };
    return { state: "ready", nextSendAt: now + 5_000 * 2 ** intent.unsent, error: outcome.message, isUnsent: true };
  }
  if (outcome.kind === "withheld") return afterWithheld(intent, outcome, now);
  if (intent.kind === "terminate") return afterTerminate(outcome, now);
  switch (outcome.kind) {
    case "accepted": {
      const [externalId, ...others] = outcome.externalIds;
      if (intent.kind === "restart") return { state: "confirmed", acceptedAt: now };
      if (externalId && others.length === 0) return { state: "confirmed", acceptedAt: now, externalId };
      return {
        state: "indeterminate",
        lookUntil: intent.sentAt + LOOK_MS,
        error: `Lambda named ${outcome.externalIds.length} machines instead of one`,
      };
    }
    case "refused":
      return { state: "refused", errorCode: outcome.code, error: outcome.message };
    case "throttled":
      return { state: "indeterminate", lookUntil: intent.sentAt + THROTTLED_LOOK_MS, error: outcome.message };
    case "unknown":
      return { state: "indeterminate", lookUntil: intent.sentAt + LOOK_MS, error: outcome.message };
  }
}

function afterWithheld(intent: SendFacts, outcome: { message: string; isFinal: boolean }, now: number): Next {
  const error = outcome.message;
  if (!outcome.isFinal) return { state: "ready", nextSendAt: now + WITHHELD_MS, error, isUnsent: true };
  // An earlier request of this intent may have arrived: it cannot be called unsent.
  if (intent.sends > 1) return { state: "closed_unconfirmed", error: `${error} It is not repeated`, isUnsent: true };
  return { state: "cancelled", error, isUnsent: true };
}

function afterTerminate(outcome: Exclude<SendOutcome, { kind: "not_sent" | "withheld" }>, now: number): Next {
  const again = now + REPEAT_TERMINATE_MS;
  if (outcome.kind === "accepted") return { state: "sending", acceptedAt: now, nextSendAt: again };
  if (outcome.kind === "refused" && outcome.isFinal)
    return { state: "refused", errorCode: outcome.code, error: outcome.message };
  return { state: "sending", nextSendAt: again, error: outcome.message };
}
