import { machineStatus, type StatusKey } from "@/components/ui/status-vocabulary";
import type { InstanceRow } from "@/lib/domain/fleet/view";

/** The one word for a machine: what needs a look comes before what Lambda calls it. */
export function instanceState(row: Pick<InstanceRow, "status" | "telemetry" | "idle" | "openIntent">): StatusKey {
  const isSent = row.openIntent !== null && !["awaiting_approval", "ready"].includes(row.openIntent.state);
  if (isSent && row.openIntent?.kind === "terminate" && row.status !== "terminated") return "terminating";
  if (isSent && row.openIntent?.kind === "restart" && row.status === "active") return "restarting";
  if (row.status !== "active") return machineStatus(row.status);
  if (row.telemetry.state === "silent" || row.telemetry.state === "failing") return "telemetryLost";
  if (row.idle) return row.idle.kind === "held" ? "idleHeld" : "idleEmpty";
  return "active";
}

/** Whether somebody should look at it. */
export function needsALook(row: InstanceRow): boolean {
  const state = instanceState(row);
  return (
    row.alert !== null ||
    (row.isBilled && (state === "telemetryLost" || state === "idleEmpty" || state === "idleHeld")) ||
    state === "unhealthy" ||
    state === "unknown"
  );
}

/** Why a machine has no number, in words for the dash's title. */
export function whyNoNumber(row: InstanceRow): string {
  if (!row.isBilled) return "the machine is not running";
  if (row.telemetry.error) return row.telemetry.error;
  if (row.telemetry.state === "never") return "no agent has reported yet";
  return "the GPU did not say";
}
