import { CircleCheck, CirclePlay, CircleX, ClockAlert } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import type { RunRow } from "@/lib/domain/workload/view";

/** Whether it goes on, is over, or went with its machine; past its hours it says so instead. */
export function RunState({ run }: { run: Pick<RunRow, "state" | "isOverdue"> }) {
  if (run.isOverdue)
    return (
      <Badge tone="warn" icon={ClockAlert}>
        Overdue
      </Badge>
    );
  if (run.state === "running")
    return (
      <Badge tone="ok" icon={CirclePlay}>
        Running
      </Badge>
    );
  return run.state === "ended" ? (
    <Badge tone="mute" icon={CircleCheck}>
      Ended
    </Badge>
  ) : (
    <Badge tone="mute" icon={CircleX}>
      Ended with the machine
    </Badge>
  );
}
