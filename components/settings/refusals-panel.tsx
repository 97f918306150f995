"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import { formatCount, formatNumber } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import { type DroppedRow, REFUSALS, type RefusalRow } from "@/lib/domain/telemetry/quality";
import { refusalsQuery } from "@/lib/queries/telemetry";

/** What senders sent that is not stored, and why; and what they threw away themselves. */
export function RefusalsPanel() {
  const { data } = useLive(refusalsQuery());
  const lost = data.rows.filter((row) => REFUSALS[row.reason].isLoss).reduce((sum, row) => sum + row.count, 0);
  return (
    <Panel
      title="Not stored"
      sub={`of what was sent since ${formatDay(data.since, "UTC")}, 00:00 UTC, by sender and reason`}
      isFlush
    >
      {data.rows.length === 0 ? (
        <p className="muted panel-words">Everything that was sent is stored.</p>
      ) : (
        <Table label="Not stored" isDense>
          <thead>
            <tr>
              <th scope="col">Sender</th>
              <th scope="col">GPU</th>
              <th scope="col">Why</th>
              <th scope="col" className="num">
                Count
              </th>
              <th scope="col" className="num">
                Last
              </th>
              <th scope="col" className="not-phone">
                Example
              </th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <tr key={`${row.sourceId} ${row.gpu?.id ?? 0} ${row.reason}`}>
                <th scope="row" className="font-normal">
                  <Sender row={row} />
                </th>
                <td>{row.gpu ? row.gpu.position : <span className="muted">none</span>}</td>
                <td className="text-text-2">{REFUSALS[row.reason].label}</td>
                <td className="num">{formatNumber(row.count)}</td>
                <td className="num muted">
                  <Age at={row.lastAt} isBare />
                </td>
                <td className="not-phone text-12 text-text-2">{row.example}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <div className="panel-words grid gap-2">
        {data.rows.length > 0 && (
          <p className="muted">
            {lost === 0
              ? "All of it is stored from before: nothing is lost."
              : `${formatCount(lost, "value")} of it is kept nowhere; what was sent twice is stored once.`}
          </p>
        )}
        <Dropped rows={data.dropped} />
      </div>
    </Panel>
  );
}

function Dropped({ rows }: { rows: readonly DroppedRow[] }) {
  if (rows.length === 0) return <p className="muted">No sender says that it threw samples away.</p>;
  return (
    <ul className="grid gap-1">
      {rows.map((row) => (
        <li key={row.sourceId}>
          <Sender row={row} /> <span className="muted">threw away</span> {formatCount(row.count, "sample")}{" "}
          <span className="muted">since it was installed: its buffer was full</span>
        </li>
      ))}
    </ul>
  );
}

function Sender({ row }: { row: Pick<RefusalRow, "sender" | "instance"> }) {
  if (!row.instance) return <span>{row.sender}</span>;
  return (
    <Link className="name-link" href={`/fleet/${row.instance.id}` as Route}>
      {row.instance.name}
    </Link>
  );
}
