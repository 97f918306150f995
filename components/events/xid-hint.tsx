"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Link } from "@/components/ui/link";
import { SeverityLabel } from "@/components/ui/status";
import { eventsQuery, XID_DAY } from "@/lib/queries/events";
import { worstOf } from "./worst";

/** The machine with the worst Xid of the last 24 hours, and how many others there are; nothing where none told one. */
export function XidHint() {
  const { data } = useLive(eventsQuery(XID_DAY));
  const worst = worstOf(data.incidents);
  if (!worst) return null;
  const others = new Set(data.incidents.map(({ instance, host }) => instance?.id ?? host)).size - 1;
  return (
    <span className="xid-hint">
      <span className="muted">Xid, 24 h:</span>
      <SeverityLabel of={worst.severity}>
        {worst.instance ? (
          <Link className="link" href={`/fleet/${worst.instance.id}?range=24h` as Route}>
            {worst.instance.name}
          </Link>
        ) : (
          (worst.host ?? "unassigned sender")
        )}
      </SeverityLabel>
      <span className="muted" title={worst.headline}>
        {worst.code}
        {others > 0 && `, and ${others} more`}
      </span>
    </span>
  );
}
