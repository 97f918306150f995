/** Every word for a state, with its shape and its tone (design language, section 6). Shape, word and colour go together. */

export type Tone = "ok" | "warn" | "crit" | "info" | "mute" | "unknown";

/** Lucide names; the drawings are in `./status`. */
export type Shape =
  | "activity"
  | "bell-off"
  | "check"
  | "circle-arrow-down"
  | "circle-check"
  | "circle-dashed"
  | "circle-help"
  | "circle-pause"
  | "circle-slash"
  | "circle-x"
  | "clock-alert"
  | "info"
  | "loader"
  | "minus"
  | "octagon-alert"
  | "rotate-cw"
  | "triangle-alert"
  | "undo-2"
  | "unplug"
  | "user-check"
  | "x";

/** Whether a machine in that state costs money; null where the state is not a machine's. */
export type Bills = "yes" | "no" | "stops at the request" | "counted as yes" | null;

export type StatusEntry = { word: string; shape: Shape; tone: Tone; means: string; bills: Bills };

const entry = (word: string, shape: Shape, tone: Tone, means: string, bills: Bills = null): StatusEntry => ({
  word,
  shape,
  tone,
  means,
  bills,
});

export const STATUS = {
  active: entry("Active", "circle-check", "ok", "Lambda reports it active", "yes"),
  booting: entry("Booting", "loader", "info", "accepted, not yet active", "no"),
  restarting: entry("Restarting", "rotate-cw", "info", "asked for by us or outside", "yes"),
  unhealthy: entry("Unhealthy", "octagon-alert", "crit", "never recovers by itself", "yes"),
  terminating: entry("Terminating", "circle-arrow-down", "warn", "request accepted", "stops at the request"),
  terminated: entry("Terminated", "circle-x", "mute", "kept in history", "no"),
  preempted: entry("Preempted", "circle-slash", "warn", "taken back by the provider", "no"),
  unknown: entry("Unknown", "circle-help", "unknown", "a word we do not know", "counted as yes"),

  stale: entry("Stale", "clock-alert", "unknown", "older than three intervals"),
  telemetryLost: entry("Telemetry lost", "unplug", "crit", "no data while the meter runs", "yes"),
  idle: entry("Idle", "circle-pause", "warn", "effective utilisation at most 5 % for 30 min", "yes"),
  idleEmpty: entry("Idle, empty", "circle-pause", "warn", "idle, no process and less than 1 GiB held", "yes"),
  idleHeld: entry("Idle, held", "circle-pause", "warn", "idle, memory still held", "yes"),

  pending: entry("Pending", "circle-dashed", "warn", "condition true, not long enough"),
  firingCritical: entry("Critical, firing", "octagon-alert", "crit", "condition true for long enough, pages now"),
  firingWarning: entry("Warning, firing", "triangle-alert", "warn", "condition true for long enough, in the channel"),
  firingInfo: entry("Info, firing", "info", "info", "condition true for long enough, in the inbox"),
  notJudged: entry("Unknown", "clock-alert", "unknown", "cannot be judged for want of data; stays open"),
  recovering: entry("Recovering", "undo-2", "info", "false again, held open"),
  flapping: entry("Flapping", "activity", "warn", "more than 6 changes in 30 min"),
  resolved: entry("Resolved", "circle-check", "ok", "by data, or because the machine is gone"),
  acknowledged: entry("Acknowledged", "user-check", "mute", "somebody has it"),
  silenced: entry("Silenced", "bell-off", "mute", "nobody is told until it ends"),

  pass: entry("Pass", "check", "ok", "as declared"),
  mismatch: entry("Mismatch", "x", "crit", "not what was declared"),
  notChecked: entry("Not checked", "minus", "mute", "no evidence yet"),
} satisfies Record<string, StatusEntry>;

export type StatusKey = keyof typeof STATUS;

export const SEVERITY = {
  critical: entry("Critical", "octagon-alert", "crit", "pages now"),
  warning: entry("Warning", "triangle-alert", "warn", "in the channel"),
  info: entry("Info", "info", "info", "in the inbox"),
} satisfies Record<string, StatusEntry>;

export type Severity = keyof typeof SEVERITY;

const MACHINE: ReadonlyMap<string, StatusKey> = new Map([
  ["active", "active"],
  ["booting", "booting"],
  ["unhealthy", "unhealthy"],
  ["terminating", "terminating"],
  ["terminated", "terminated"],
  ["preempted", "preempted"],
  ["restarting", "restarting"],
]);

/** A machine's state by Lambda's word for it; a word we do not know is unknown, never booting. */
export function machineStatus(word: string): StatusKey {
  return MACHINE.get(word) ?? "unknown";
}

const FIRING: Record<Severity, StatusKey> = {
  critical: "firingCritical",
  warning: "firingWarning",
  info: "firingInfo",
};

/** An alert's state; a firing one says its severity. */
export function alertStatus(
  state: "pending" | "firing" | "recovering" | "unknown" | "inactive" | "resolved",
  severity: Severity,
): StatusKey {
  if (state === "firing") return FIRING[severity];
  if (state === "unknown") return "notJudged";
  return state === "inactive" ? "resolved" : state;
}
