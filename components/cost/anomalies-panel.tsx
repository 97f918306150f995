"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Deck, Panel, type Span } from "@/components/ui/panel";
import { TableLinks } from "@/components/ui/table-links";
import type { AnomaliesQuestion, AnomalyView } from "@/lib/domain/cost/anomaly-view";
import { filterText } from "@/lib/domain/cost/dimensions";
import { formatCount, formatUsd, formatUsdChange } from "@/lib/domain/format";
import { anomaliesQuery } from "@/lib/queries/cost-outlook";
import { rowsHref } from "./spend-words";
import { dayRangeWords, dayWords } from "./words";

const SEVERITY = {
  critical: { tone: "crit", word: "Large" },
  warning: { tone: "warn", word: "Notable" },
  info: { tone: "info", word: "Small" },
} as const;

const DIMENSION = {
  price: "price",
  instance: "instance",
  type: "type",
  owner: "team and project",
  region: "region",
} as const;
const SHOWN = 6;

type Props = { question?: AnomaliesQuestion; canExport: boolean; span?: Span };

/** The same where it stands alone. */
export function AnomaliesDeck(props: Omit<Props, "span">) {
  return (
    <Deck className="anomaly-deck">
      <AnomaliesPanel {...props} span={12} />
    </Deck>
  );
}

/** The days that cost more than what ran at their beginning explains, and why. */
export function AnomaliesPanel({ question = {}, canExport, span }: Props) {
  const { data } = useLive(anomaliesQuery(question));
  const { rows, historyDays, neededDays } = data;
  return (
    <Panel
      title="Days that stand out"
      sub={data.from === data.to ? dayWords(data.from) : dayRangeWords(data.from, data.to)}
      {...(span && { span })}
      actions={
        canExport &&
        rows.length > 0 && (
          <TableLinks
            href={`/api/v1/cost/anomalies${question.day ? `?day=${question.day}` : ""}`}
            what="Days that stand out"
          />
        )
      }
    >
      {historyDays < neededDays ? (
        <p className="muted">
          A day is judged by the days before it, {neededDays} at least; {formatCount(historyDays, "finished day")} so
          far.
        </p>
      ) : rows.length === 0 ? (
        <p className="muted">
          No day cost {formatUsd(data.minMicros)} and more beyond what ran at its beginning and its usual changes
          explain.
        </p>
      ) : (
        <ul className="anomaly-list">
          {rows.slice(0, SHOWN).map((row) => (
            <Anomaly key={`${row.scope} ${row.day}`} row={row} />
          ))}
          {rows.length > SHOWN && <li className="muted">{rows.length - SHOWN} more</li>}
        </ul>
      )}
    </Panel>
  );
}

/** As the filter of rows has it; the fleet has none. */
function teamOf(scope: string): string | undefined {
  return scope === "all" ? undefined : filterText([scope.replace(/^team:/, "")]);
}

function Anomaly({ row }: { row: AnomalyView }) {
  const { tone, word } = SEVERITY[row.severity];
  const [cause, ...others] = row.causes;
  return (
    <li>
      <p className="cost-line">
        <span className="ellipsis">
          <Link className="name-link" href={rowsHref({ from: row.day, to: row.day, team: teamOf(row.scope) })}>
            {dayWords(row.day)}
          </Link>{" "}
          {row.scopeName}
          {row.isToday && <span className="muted"> so far</span>}
        </span>
        <b className="num">{formatUsdChange(row.surplusMicros)}</b>
      </p>
      {cause && (
        <p>
          Because of {DIMENSION[cause.dimension]}{" "}
          {cause.id === null ? (
            <b>{cause.key || "nobody named"}</b>
          ) : (
            <Link className="name-link" href={`/fleet/${cause.id}` as Route}>
              {cause.key}
            </Link>
          )}{" "}
          <span className="muted">{formatUsdChange(cause.deltaMicros)}</span>
        </p>
      )}
      <p className="muted flex flex-wrap items-center gap-x-2">
        <Badge tone={tone}>{word}</Badge>
        <span>
          {formatUsd(row.actualMicros)}, expected {formatUsd(row.expectedMicros)}
        </span>
        {others.length > 0 && (
          <span className="ellipsis">
            {others
              .slice(0, 2)
              .map((one) => `${DIMENSION[one.dimension]} ${one.key || "nobody named"}`)
              .join(", ")}
          </span>
        )}
      </p>
    </li>
  );
}
