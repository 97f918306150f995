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

export type LaunchRequest = {
  typeName: string;
  region: string;
  imageFamily: string | null;
  sshKeyName: string;
  fileSystemName: string | null;
  /** As it will be called at the provider: the person's name for it and the intent's mark. */
  name: string;
  labels: Labels;
};

export type TargetRequest = { externalId: string; name: string | null };

/** Tags by which a machine of ours is known again; the provider's API cannot change them later. */
export const INTENT_TAG = "hopperdeck-intent";

/** How long an outcome that nobody told us is looked for, and how long its machine would still be noticed after that. */
export const LOOK_MS = 5 * 60_000;
export const THROTTLED_LOOK_MS = 60_000;
export const WATCH_MS = 24 * 3_600_000;
/** A request in flight for longer than this is not coming back: our worker died over it. */
export const IN_FLIGHT_MS = 2 * 60_000;
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

/** What came of one request, as far as we know. */
export type SendOutcome =
  | { kind: "accepted"; externalIds: string[] }
  | { kind: "refused"; code: string; message: string; isFinal: boolean }
  | { kind: "not_sent"; message: string }
  | { kind: "throttled"; message: string }
  | { kind: "unknown"; message: string };

export type SendFacts = { kind: IntentKind; unsent: number; sentAt: number };

export type Next = {
  state: "ready" | "sending" | "indeterminate" | "confirmed" | "refused";
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

function afterTerminate(outcome: Exclude<SendOutcome, { kind: "not_sent" }>, now: number): Next {
  const again = now + REPEAT_TERMINATE_MS;
  if (outcome.kind === "accepted") return { state: "sending", acceptedAt: now, nextSendAt: again };
  if (outcome.kind === "refused" && outcome.isFinal)
    return { state: "refused", errorCode: outcome.code, error: outcome.message };
  return { state: "sending", nextSendAt: again, error: outcome.message };
}
