"use client";

import { UserCheck } from "lucide-react";
import type { Route } from "next";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { StatusMark } from "@/components/ui/status";
import { STATUS } from "@/components/ui/status-vocabulary";
import { Lasting } from "@/components/ui/time";
import { burnOf, type Incident } from "@/lib/domain/alerts/inbox";
import type { AlertRow } from "@/lib/domain/alerts/view";
import { conditionText, valueText } from "@/lib/domain/alerts/words";
import { formatCount, formatUsdBurn } from "@/lib/domain/format";
import { AlertStrip } from "./alert-strip";
import { isOpenToTake, markOf, PART_WORDS, PARTS } from "./alert-words";
import { SoFar, Spark, Who } from "./row-parts";

type Props = {
  incidents: readonly Incident<AlertRow>[];
  now: number;
  /** Null: this role may not acknowledge. */
  onTake: ((ids: string[]) => void) | null;
  /** The alerts that are being acknowledged. */
  taking: readonly string[];
};

/** The inbox for one thumb: what needs somebody as cards with their button, the rest as lines. */
export function InboxCards({ incidents, now, onTake, taking }: Props) {
  const takeable = incidents.flatMap(({ row, others }) => [row, ...others]).filter(isOpenToTake);
  const { microsPerHour } = burnOf(takeable, now);
  return (
    <>
      {PARTS.map((part) => {
        const own = incidents.filter(({ row }) => row.part === part);
        return own.length === 0 ? null : (
          <section key={part}>
            <h2 className="card-group">
              {part === "resolved" ? "Resolved, last 24 h" : PART_WORDS[part]}
              <span className="muted">{own.length}</span>
            </h2>
            <ul>
              {own.map(({ row, others }) => (
                <li key={row.id} className="alert-card">
                  <Card row={row} others={others.length} now={now} />
                  {onTake && isOpenToTake(row) && (
                    <Button
                      icon={UserCheck}
                      className="alert-card-take"
                      aria-label={`Acknowledge ${row.ruleName}, ${row.targetName}`}
                      isPending={taking.includes(row.id)}
                      onClick={() => onTake([row, ...others].filter(isOpenToTake).map(({ id }) => id))}
                    >
                      Acknowledge
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {onTake && takeable.length > 1 && (
        <div className="thumb-act">
          <Button
            look="primary"
            size="large"
            icon={UserCheck}
            isPending={taking.length > 1}
            onClick={() => onTake(takeable.map(({ id }) => id))}
          >
            Acknowledge {takeable.length === 2 ? "both" : `all ${takeable.length}`}
            {microsPerHour > 0n && `, ${formatUsdBurn(microsPerHour)}`}
          </Button>
        </div>
      )}
    </>
  );
}

function Card({ row, others, now }: { row: AlertRow; others: number; now: number }) {
  const status = markOf(row);
  return (
    <>
      <Link href={`/alerts/${row.id}` as Route} className="alert-card-head">
        <StatusMark of={status} />
        <span className="min-w-0">
          <b className="block">{row.ruleName}</b>
          <span className="muted block">
            {row.targetName}
            {row.team && `, ${row.team}`}
            {others > 0 && `, and ${formatCount(others, "merged alert")}`}
            <Spark row={row} />
          </span>
        </span>
        <span className="text-right">
          {row.microsPerHour !== null && <b className="block">{formatUsdBurn(row.microsPerHour)}</b>}
          <span className="muted block">
            <SoFar rows={[row]} />
          </span>
        </span>
      </Link>
      {isOpenToTake(row) && (
        <>
          <p className="alert-card-value">
            {valueText(row, row.value) ?? "no value"}
            <span className="muted"> · {conditionText(row)}</span>
          </p>
          <AlertStrip row={row} now={now} />
        </>
      )}
      <p className="alert-card-foot">
        {row.part === "firing" ? (
          <span className="muted">
            {STATUS[status].word.toLowerCase()} for <Lasting from={row.firedAt ?? row.activeAt} to={row.resolvedAt} />,{" "}
            {row.assignee ? `with ${row.assignee.name}` : "nobody yet"}
          </span>
        ) : (
          <Who row={row} isInline />
        )}
      </p>
    </>
  );
}
