import type { IntentRow } from "./view";

export type StepState = "done" | "now" | "later" | "failed" | "unknown";
export type Step = { name: string; state: StepState; words: string; at: number | null };

const ENDED: Partial<Record<IntentRow["state"], string>> = {
  refused: "Lambda refused it; nothing bills",
  cancelled: "taken back before it was sent; nothing bills",
  expired: "it could not be sent for half an hour and was dropped; nothing bills",
  closed_unconfirmed: "no machine turned up; if one does within a day, it is adopted and told of",
};

/** How far a launch came: request, list, boot, billing, telemetry. */
export function launchSteps(row: IntentRow): Step[] {
  const { instance } = row;
  const ended = ENDED[row.state];
  const isActive = instance?.activeAt != null;
  const step = (name: string, state: StepState, words: string, at: number | null = null): Step => ({
    name,
    state,
    words,
    at,
  });
  return [
    request(row, ended, step),
    ended !== undefined
      ? step("Booting", "later", "")
      : instance
        ? step(
            "Booting",
            isActive ? "done" : instance.status === "unhealthy" ? "failed" : "now",
            bootWords(instance.status, isActive),
          )
        : step(
            "Booting",
            row.acceptedAt === null ? "later" : "now",
            row.acceptedAt === null ? "free" : "accepted, waiting for Lambda to list it",
          ),
    isActive ? step("Active", "done", "billing since", instance.activeAt) : step("Active", "later", "billing starts"),
    instance?.firstSampleAt != null
      ? step("Agent reports", "done", "first sample", instance.firstSampleAt)
      : step(
          "Agent reports",
          isActive ? "now" : "later",
          isActive ? "waiting for the first sample" : "first sample, usually within a minute",
        ),
  ];
}

type Make = (name: string, state: StepState, words: string, at?: number | null) => Step;

function request(row: IntentRow, ended: string | undefined, step: Make): Step {
  if (ended !== undefined)
    return step("Request", row.state === "closed_unconfirmed" ? "unknown" : "failed", ended, row.settledAt);
  if (row.instance) return step("Request", "done", "accepted", row.acceptedAt ?? row.sentAt);
  if (row.acceptedAt !== null) return step("Request", "done", "accepted", row.acceptedAt);
  if (row.state === "indeterminate") return step("Request", "unknown", "sent, and no answer came", row.sentAt);
  if (row.state === "sending") return step("Request", "now", "being sent", row.sentAt);
  return step(
    "Request",
    "now",
    row.etaAt === null ? "waiting to be sent" : "its turn at Lambda’s launch limit comes",
    row.etaAt,
  );
}

function bootWords(status: string, isActive: boolean): string {
  if (isActive) return "done";
  if (status === "unhealthy") return "Lambda calls it unhealthy, from which it never recovers: terminate it";
  return "usually 2 to 6 min, free";
}
