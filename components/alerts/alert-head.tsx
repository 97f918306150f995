"use client";

import { Activity, Clock } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page";
import { StatusBadge } from "@/components/ui/status";
import { alertStatus } from "@/components/ui/status-vocabulary";
import { Instant, Lasting } from "@/components/ui/time";
import type { AlertRow } from "@/lib/domain/alerts/view";
import { alertQuery } from "@/lib/queries/alerts";
import { AlertActs, type AlertVerbs } from "./alert-acts";
import { resolvedWords } from "./alert-words";

type Props = {
  alertId: string;
  /** Null: this role sees alerts and does not take them. */
  verbs: AlertVerbs | null;
};

/** What fires where, since when, how bad, and the one thing to do about it. */
export function AlertHead({ alertId, verbs }: Props) {
  const { data } = useLive(alertQuery({ alertId }));
  const { row, instance, rule } = data;
  return (
    <PageTitle
      title={row.ruleName}
      badges={
        <>
          <StatusBadge of={alertStatus(row.status, row.severity)}>{stateWords(row)}</StatusBadge>
          {row.part === "acknowledged" && (
            <StatusBadge of="acknowledged">Acknowledged by {row.acknowledgedBy ?? "somebody"}</StatusBadge>
          )}
          {row.snoozedUntil !== null && (
            <Badge tone="mute" icon={Clock}>
              Snoozed
            </Badge>
          )}
          {row.isFlapping && (
            <Badge tone="warn" icon={Activity}>
              Flapping
            </Badge>
          )}
        </>
      }
      meta={
        <>
          {row.resourceId === null ? (
            <span>{row.targetName}</span>
          ) : (
            <Link className="link" href={`/fleet/${row.resourceId}` as Route}>
              {row.targetName}
            </Link>
          )}
          {instance && (
            <span>
              {instance.gpus > 0 && `${instance.gpus} × `}
              {data.gpu?.model ?? instance.gpuModel ?? instance.typeName}, {instance.region}
            </span>
          )}
          {instance && (
            <span>
              {[instance.labels.team, instance.labels.project, instance.labels.workload].filter(Boolean).join(", ")}
            </span>
          )}
          <span>
            <Since row={row} />
          </span>
          {row.assignee && <span>with {row.assignee.name}</span>}
          {rule.isDeleted && <span>the rule has been deleted</span>}
        </>
      }
      actions={verbs && <AlertActs data={data} verbs={verbs} />}
    />
  );
}

function stateWords(row: AlertRow): string | undefined {
  if (row.part === "resolved") return `Resolved, ${resolvedWords(row)}`;
  return row.status === "unknown" ? "Unknown for want of data, open" : undefined;
}

function Since({ row }: { row: AlertRow }) {
  if (row.resolvedAt !== null) {
    return (
      <>
        fired for <Lasting from={row.firedAt ?? row.activeAt} to={row.resolvedAt} />, until{" "}
        <Instant at={row.resolvedAt} />
      </>
    );
  }
  const at = row.firedAt ?? row.activeAt;
  return (
    <>
      {row.firedAt === null ? "pending" : "firing"} since <Instant at={at} />, <Lasting from={at} to={null} />
    </>
  );
}
