import { SEVERITIES, type Severity, type TransitionKind } from "./types";

/** What people are told. Pending, recovering, unknown and resumed are for the screen only. */
export type NewsKind =
  | "fired"
  | "resolved"
  | "reraised"
  | "escalated"
  | "flapping"
  | "repeat"
  | "passed_on"
  | "acknowledged";

/** Changes that may be news for a channel. */
export const TOLD_KINDS: ReadonlySet<TransitionKind> = new Set(["fired", "resolved", "flapping", "escalated"]);

/** How far the message of an episode's fire has come on one channel. */
export type FireNotice = "none" | "queued" | "delivered";

/**
 * What one transition means for one channel.
 * A fire is told once per episode, a resolve only where the fire was delivered; a fire that still waits is withdrawn (B31, B37).
 * While flapping both are held (B29): tell them with `newsAfterCalm`.
 */
export function newsOf(
  kind: TransitionKind | "reraised",
  fire: FireNotice,
  isFlapping: boolean,
): { tell: NewsKind | null; withdrawsFire: boolean } {
  if (kind === "flapping") return { tell: "flapping", withdrawsFire: false };
  if (kind === "resolved" && fire === "queued") return { tell: null, withdrawsFire: true };
  if (isFlapping) return { tell: null, withdrawsFire: false };
  if (kind === "reraised") return { tell: "reraised", withdrawsFire: false };
  // A channel that was not told of the fire, for want of severity, is told of it now.
  if (kind === "escalated") return { tell: fire === "none" ? "fired" : "escalated", withdrawsFire: false };
  if (kind === "fired") return { tell: fire === "none" ? "fired" : null, withdrawsFire: false };
  if (kind === "resolved") return { tell: fire === "delivered" ? "resolved" : null, withdrawsFire: false };
  return { tell: null, withdrawsFire: false };
}

/** What is owed once flapping has calmed: an untold fire that still stands, or the end of one that was told. */
export function newsAfterCalm(isOpen: boolean, hasFired: boolean, fire: FireNotice): NewsKind | null {
  if (isOpen) return hasFired && fire === "none" ? "fired" : null;
  return fire === "delivered" ? "resolved" : null;
}

export type ChannelWishes = { minSeverity: Severity; sendResolved: boolean };

/** A channel that wants no resolves still gets every fire. */
export function isWanted(channel: ChannelWishes, news: NewsKind, severity: Severity): boolean {
  if (news === "resolved" && !channel.sendResolved) return false;
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(channel.minSeverity);
}
