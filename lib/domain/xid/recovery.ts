import type { XidEvent } from "./bursts";
import type { XidSeverity } from "./codes";
import type { VerdictAction } from "./words";

export type Recovery = { action: VerdictAction; severity: XidSeverity; said: string };

const BY_NAME: readonly [RegExp, Omit<Recovery, "said">][] = [
  [/node reboot|reboot required/i, { action: "reboot", severity: "critical" }],
  [/drain and reset/i, { action: "drain_reset", severity: "critical" }],
  [/drain p2p/i, { action: "drain_p2p", severity: "warning" }],
  [/gpu reset/i, { action: "reset", severity: "critical" }],
  [/none/i, { action: "nothing", severity: "warning" }],
];
/** NVML's numbers, for a text without a name. */
const BY_NUMBER: readonly VerdictAction[] = ["nothing", "reset", "reboot", "drain_p2p", "drain_reset"];

const CHANGE = /changed from (.{1,60}) to (?:(0x[0-9a-f]{1,8}|\d{1,3})\s*)?(?:\(([^)]{1,60})\))?/i;

/** The recovery that the newest Xid 154 of a card names; null where none, or none with a text that can be read. */
export function recoveryOf(events: readonly XidEvent[]): Recovery | null {
  for (const { code, text } of [...events].reverse()) {
    if (code !== 154) continue;
    const found = readRecovery(text);
    if (found) return found;
  }
  return null;
}

/** `GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)`. */
export function readRecovery(text: string): Recovery | null {
  const [, , number, name] = CHANGE.exec(text) ?? [];
  const named = BY_NAME.find(([pattern]) => name !== undefined && pattern.test(name));
  if (named && name) return { ...named[1], said: name };
  const action = number === undefined ? undefined : BY_NUMBER[Number(number)];
  const numbered = BY_NAME.find(([, recovery]) => recovery.action === action);
  return numbered && number ? { ...numbered[1], said: number } : null;
}
