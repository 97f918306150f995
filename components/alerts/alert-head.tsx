"use client";

import { Activity, Undo2, UserCheck } from "lucide-react";
import type { Route } from "next";
import Link from "next/link";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page";
import { StatusBadge } from "@/components/ui/status";
import { alertStatus } from "@/components/ui/status-vocabulary";
import { Instant, Lasting } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { AlertRow } from "@/lib/domain/alerts/view";
import { alertQuery } from "@/lib/queries/alerts";
import { AcknowledgeDialog, type AcknowledgeInput } from "./acknowledge-dialog";
import { isOpenToTake, resolvedWords } from "./alert-words";
import { useVerb, type Verb } from "./use-verb";

export type AlertVerbs = {
  acknowledge: Verb<AcknowledgeInput>;
  unacknowledge: Verb<{ alertId: string }>;
  comment: Verb<{ alertId: string; note: string }>;
};

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
          {rule.isDeleted && <span>the rule has been deleted</span>}
        </>
      }
      actions={verbs && <Actions row={row} verbs={verbs} />}
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

/** Buttons at the title, and the same at the thumb on a phone. */
function Actions({ row, verbs }: { row: AlertRow; verbs: AlertVerbs }) {
  const refused = ({ message }: { message: string }) => toast("warn", "Nothing was changed", message);
  const take = useVerb(
    verbs.acknowledge,
    () => toast("ok", "Acknowledged", "Repeats stop until it resolves."),
    refused,
  );
  const giveBack = useVerb(verbs.unacknowledge, () => toast("ok", "It waits for somebody again"), refused);
  if (isOpenToTake(row)) {
    const acknowledge = (size: "normal" | "large") => (
      <Button
        look="primary"
        size={size}
        icon={UserCheck}
        isPending={take.isPending}
        onClick={() => take.run({ alertId: row.id, note: "", minutes: null })}
      >
        Acknowledge
      </Button>
    );
    return (
      <>
        <span className="title-acts">
          <AcknowledgeDialog alertId={row.id} verb={verbs.acknowledge} />
          {acknowledge("normal")}
        </span>
        <div className="thumb-act">
          <AcknowledgeDialog alertId={row.id} verb={verbs.acknowledge} isIcon />
          {acknowledge("large")}
        </div>
      </>
    );
  }
  if (row.part === "acknowledged") {
    return (
      <Button icon={Undo2} isPending={giveBack.isPending} onClick={() => giveBack.run({ alertId: row.id })}>
        Give it back
      </Button>
    );
  }
  return null;
}
