const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const FIRST_CEILING_MS = 2 * SECOND;
const HIGHEST_CEILING_MS = 5 * MINUTE;
const LATER_MS = 15 * MINUTE;
const LONGEST_WISH_MS = 15 * MINUTE;
const GIVE_UP_MS = 24 * HOUR;

const RETRIED = new Set([408, 425, 429]);

export type Attempt = {
  firstAt: number;
  now: number;
  /** Attempts made, this one included. */
  attempts: number;
  /** Null: no answer came (network, timeout). */
  statusCode: number | null;
  /** The receiver's Retry-After. */
  retryAfterMs: number | null;
  /** In [0, 1). */
  random: number;
};

export type Next = { kind: "done" } | { kind: "retry"; at: number } | { kind: "dead"; reason: string };

/**
 * B41: full-jitter exponential from 2 s to 5 min for the first hour, then every 15 min, until 24 h have passed.
 * Retry-After is honoured up to 15 min. 408, 425, 429, 5xx and silence are retried; any other refusal is final.
 */
export function afterAttempt({ firstAt, now, attempts, statusCode, retryAfterMs, random }: Attempt): Next {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { kind: "done" };
  if (statusCode !== null && statusCode < 500 && !RETRIED.has(statusCode)) {
    return { kind: "dead", reason: `The receiver refused it (HTTP ${statusCode})` };
  }
  const ceilingMs = Math.min(HIGHEST_CEILING_MS, FIRST_CEILING_MS * 2 ** Math.min(attempts - 1, 30));
  const backoffMs = now - firstAt < HOUR ? Math.floor(random * ceilingMs) : LATER_MS;
  const at = now + Math.max(backoffMs, Math.min(retryAfterMs ?? 0, LONGEST_WISH_MS));
  if (at - firstAt > GIVE_UP_MS) return { kind: "dead", reason: "Not delivered within 24 hours" };
  return { kind: "retry", at };
}
