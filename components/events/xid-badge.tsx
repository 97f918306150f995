"use client";

import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { eventsQuery, XID_DAY } from "@/lib/queries/events";
import { worstOf } from "./worst";

type Props = { instanceId: string; className?: string };

/** The worst Xid of a machine in the last 24 hours; nothing where none asks for anything. */
export function XidBadge({ instanceId, className }: Props) {
  const { data } = useLive(eventsQuery(XID_DAY));
  const worst = worstOf(data.incidents.filter(({ instance }) => instance?.id === instanceId));
  if (!worst || worst.severity === "info") return null;
  return (
    <Badge tone={worst.severity === "critical" ? "crit" : "warn"} className={className}>
      <span title={`${worst.headline}, last 24 h`}>Xid {worst.code}</span>
    </Badge>
  );
}
