"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import type { Route } from "next";
import { Sparkline } from "@/components/charts/sparkline";
import { instanceState, whyNoNumber } from "@/components/fleet/instance-state";
import { useLive } from "@/components/page/use-live";
import { Link } from "@/components/ui/link";
import { Meter } from "@/components/ui/meter";
import { Panel } from "@/components/ui/panel";
import { Missing, Quantity } from "@/components/ui/quantity";
import { Status } from "@/components/ui/status";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import { sortRows, vramPct } from "@/lib/domain/fleet/filter";
import type { InstanceRow } from "@/lib/domain/fleet/view";
import { formatPercent, formatUsd } from "@/lib/domain/format";
import { sparklinesQuery } from "@/lib/queries/fleet";
import { overviewQuery } from "@/lib/queries/overview";
import { PanelLink } from "./overview-panels";

const SHOWN = 7;

/** The machines that cost most now. */
export function InstancesPanel() {
  const { data } = useLive(overviewQuery());
  const { data: sparklines } = useSuspenseQuery(sparklinesQuery());
  const current = data.fleet.rows.filter((row) => !row.isGone);
  const rows = sortRows(current, "cost", true, data.now).slice(0, SHOWN);
  const idle = new Map(data.idle.map((row) => [row.id, row.micros]));
  return (
    <Panel
      title="Instances"
      sub={
        current.length > SHOWN
          ? `${SHOWN} of ${current.length}, by cost per hour`
          : `${current.length}, by cost per hour`
      }
      actions={<PanelLink href={"/fleet" as Route}>Fleet</PanelLink>}
      isFlush
    >
      {rows.length === 0 ? (
        <p className="muted px-4 pb-4">No instance runs.</p>
      ) : (
        <Table label="Instances" isDense isTight>
          <thead>
            <tr>
              <th scope="col">Instance</th>
              <th scope="col" className="wide-only">
                Type
              </th>
              <th scope="col" className="wide-only">
                Team
              </th>
              <th scope="col" className="num" colSpan={2}>
                Utilisation, 6 h
              </th>
              <th scope="col" className="num" colSpan={2}>
                VRAM
              </th>
              <th scope="col" className="num">
                $ / h
              </th>
              <th scope="col" className="num wide-only">
                Idle today
              </th>
              <th scope="col" className="num">
                Age
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                values={sparklines.lines[row.id] ?? null}
                idleMicros={idle.get(row.id) ?? "0"}
              />
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

type RowProps = { row: InstanceRow; values: (number | null)[] | null; idleMicros: string };

function Row({ row, values, idleMicros }: RowProps) {
  const isOld = row.telemetry.state === "silent" || row.telemetry.state === "failing";
  const vram = row.isBilled ? vramPct(row) : null;
  const why = whyNoNumber(row);
  return (
    <tr>
      <th scope="row">
        <Status of={instanceState(row)}>
          <Link className="name-link" href={`/fleet/${row.id}` as Route}>
            {row.name}
          </Link>
        </Status>
      </th>
      <td className="wide-only mono text-12 text-text-2">{row.typeName}</td>
      <td className="wide-only text-text-2">{row.labels.team || <span className="muted">none</span>}</td>
      <td className="num">
        {values?.some((value) => value !== null) && (
          <Sparkline
            values={values}
            width={72}
            height={18}
            label={`Utilisation of ${row.name} over the last 6 h`}
            tone={row.idle ? "warn" : "neutral"}
          />
        )}
      </td>
      <td className="num">
        <Quantity text={formatPercent(row.isBilled ? row.utilizationPct : null)} isStale={isOld} reason={why} />
      </td>
      <td className="num">
        {vram !== null && (
          <Meter
            value={vram}
            max={100}
            widthPx={40}
            label={`${formatPercent(vram)} of VRAM`}
            tone={isOld ? "unknown" : vram > 95 ? "warn" : "neutral"}
          />
        )}
      </td>
      <td className="num">
        <Quantity text={formatPercent(vram)} isStale={isOld} reason={why} />
      </td>
      <td className="num">
        {row.isBilled && row.priceMicros === null ? (
          <Missing reason="the price is unknown" />
        ) : (
          formatUsd(row.isBilled ? row.priceMicros : "0")
        )}
      </td>
      <td className="num wide-only">{formatUsd(idleMicros)}</td>
      <td className="num muted">
        {row.telemetry.at === null || !row.isBilled ? (
          <Missing reason={why} />
        ) : (
          <Age at={row.telemetry.at} isBare staleAfterMs={3 * row.telemetry.intervalMs} isBilling={row.isBilled} />
        )}
      </td>
    </tr>
  );
}
