"use client";

import { useQuery } from "@tanstack/react-query";
import type { Route } from "next";
import { DriftHint } from "@/components/alignment/drift-badge";
import { XidHint } from "@/components/events/xid-hint";
import { useLive } from "@/components/page/use-live";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { StatusMark } from "@/components/ui/status";
import { alertStatus } from "@/components/ui/status-vocabulary";
import { Lasting } from "@/components/ui/time";
import type { AlertRow } from "@/lib/domain/alerts/view";
import { formatUsdBurn } from "@/lib/domain/format";
import { findingCountQuery } from "@/lib/queries/alignment";
import { eventsQuery, XID_DAY } from "@/lib/queries/events";
import { overviewQuery } from "@/lib/queries/overview";
import { PanelLink } from "./overview-panels";

const SHOWN = 4;

export function FiringPanel() {
  const { data } = useLive(overviewQuery());
  const open = data.alerts.filter((alert) => alert.part !== "resolved");
  const count = (part: AlertRow["part"]) => open.filter((alert) => alert.part === part).length;
  const { data: xids } = useLive(eventsQuery(XID_DAY));
  const drift = useQuery(findingCountQuery()).data?.findings ?? 0;
  const hasMore = open.length > SHOWN;
  const words = [
    `${count("firing")} firing`,
    ...(["acknowledged", "unknown", "pending"] as const).flatMap((part) =>
      count(part) > 0 ? [`${count(part)} ${part}`] : [],
    ),
  ].join(", ");
  return (
    <Panel
      className="is-early"
      title="Firing now"
      sub={words}
      actions={<PanelLink href={"/alerts" as Route}>Inbox</PanelLink>}
      isFlush
      footer={
        hasMore || xids.incidents.length > 0 || drift > 0 ? (
          <span className="flex flex-wrap justify-between gap-x-4">
            {hasMore && `${SHOWN} of ${open.length}`}
            <XidHint />
            <DriftHint />
          </span>
        ) : undefined
      }
    >
      {open.length === 0 ? (
        <p className="muted px-4 pb-4">No rule fires, on any machine that reports.</p>
      ) : (
        <ul>
          {open.slice(0, SHOWN).map((alert) => (
            <li key={alert.id}>
              <Link href={`/alerts/${alert.id}` as Route} className="alert-line">
                <StatusMark of={markOf(alert)} />
                <span className="min-w-0">
                  <b className="ellipsis block">{alert.ruleName}</b>
                  <span className="muted ellipsis block">
                    {alert.targetName}
                    {alert.part !== "firing" && ` · ${alert.part}`}
                  </span>
                </span>
                <span className="text-right">
                  <b className="block">{alert.microsPerHour === null ? "" : formatUsdBurn(alert.microsPerHour)}</b>
                  <span className="muted block">
                    for <Lasting from={alert.firedAt ?? alert.activeAt} to={null} />
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function markOf(alert: AlertRow) {
  if (alert.part === "acknowledged") return "acknowledged";
  if (alert.part === "pending") return "pending";
  if (alert.part === "unknown") return "notJudged";
  return alertStatus("firing", alert.severity);
}
