import { Lock } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import type { CloseAnswer } from "@/lib/domain/cost/close";

export function PeriodBadge({ status }: { status: CloseAnswer["status"] }) {
  if (status === "closed")
    return (
      <Badge tone="ok" icon={Lock}>
        Closed
      </Badge>
    );
  if (status === "closing") return <Badge tone="info">Closing</Badge>;
  return <Badge tone="plain">Open</Badge>;
}
