"use client";

import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { instanceState } from "@/components/fleet/instance-state";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { PageTitle } from "@/components/ui/page";
import { StatusBadge } from "@/components/ui/status";
import { Age } from "@/components/ui/time";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { instanceQuery } from "@/lib/queries/fleet";

/** What it is, in which state, and what can be done with it. */
export function InstanceHead({ question, actions }: { question: InstancePageQuestion; actions: ReactNode }) {
  const { data } = useLive(instanceQuery(question));
  const { row, gpus } = data;
  const state = instanceState(row);
  const driver = gpus[0]?.driverVersion;
  return (
    <PageTitle
      title={row.name}
      badges={
        <>
          <StatusBadge of={state}>
            {state === "unknown" ? `Unknown: ${row.rawStatus ?? "no word"}` : undefined}
          </StatusBadge>
          {row.protection && !row.isGone && (
            <Badge tone="plain" icon={ShieldCheck}>
              Protected
            </Badge>
          )}
          {row.isGone && state !== "terminated" && <Badge tone="mute">Gone from Lambda’s list</Badge>}
          {data.openAlerts.map((alert) => (
            <Badge key={alert.id} tone={alert.severity === "critical" ? "crit" : "warn"}>
              {alert.name}
            </Badge>
          ))}
        </>
      }
      meta={
        <>
          <span>
            {row.gpus > 0 ? `${row.gpus} × ` : ""}
            {gpus[0]?.model ?? row.gpuModel ?? "GPU not seen yet"}
          </span>
          {row.typeName && <span className="mono">{row.typeName}</span>}
          <span>{row.region}</span>
          {row.ip && <span>{row.ip}</span>}
          {driver && <span>driver {driver}</span>}
          <span className="muted">
            {row.telemetry.at === null ? (
              "no data yet"
            ) : (
              <>
                data <Age at={row.telemetry.at} staleAfterMs={3 * row.telemetry.intervalMs} isBilling={row.isBilled} />
              </>
            )}
          </span>
        </>
      }
      actions={
        <>
          {row.ip && !row.isGone && <CopyButton text={`ssh ubuntu@${row.ip}`} what="SSH command" word="SSH" />}
          {actions}
        </>
      }
    />
  );
}
