import type { Route } from "next";
import Link from "next/link";
import { Sparkline } from "@/components/charts/sparkline";
import { XidBadge } from "@/components/events/xid-badge";
import { Missing, Quantity } from "@/components/ui/quantity";
import { SeverityLabel, Status } from "@/components/ui/status";
import { STATUS } from "@/components/ui/status-vocabulary";
import { type Sort, SortHead, Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import { totalsLine } from "@/lib/domain/fleet/totals";
import type { InstanceRow, Sparklines } from "@/lib/domain/fleet/view";
import { formatCelsius, formatGibOf, formatPercent, formatUsd } from "@/lib/domain/format";
import { instanceState, whyNoNumber } from "./instance-state";

type Props = {
  rows: readonly InstanceRow[];
  sparklines: Sparklines | null;
  sort: Sort;
  onSort: (next: Sort) => void;
};

/** One row per machine. A value that is too old stays, grey and dotted. */
export function FleetTable({ rows, sparklines, sort, onSort }: Props) {
  const head = { sort, onSort };
  const totals = totalsLine(rows);
  return (
    <Table label="Instances" isTight>
      <thead>
        <tr>
          <SortHead column="name" {...head}>
            Instance
          </SortHead>
          <SortHead column="status" {...head}>
            Status
          </SortHead>
          <SortHead column="type" className="wide-only" {...head}>
            Type
          </SortHead>
          <SortHead column="gpus" isNumeric {...head}>
            GPUs
          </SortHead>
          <SortHead column="region" className="wide-only" {...head}>
            Region
          </SortHead>
          <SortHead column="team" className="wide-only" {...head}>
            Team
          </SortHead>
          <th scope="col">Utilisation, 6 h</th>
          <SortHead column="util" isNumeric {...head}>
            Now
          </SortHead>
          <SortHead column="vram" isNumeric {...head}>
            VRAM, GiB
          </SortHead>
          <SortHead column="temp" isNumeric {...head}>
            °C
          </SortHead>
          <SortHead column="cost" isNumeric {...head}>
            $ / h
          </SortHead>
          <SortHead column="today" isNumeric {...head}>
            Today
          </SortHead>
          <SortHead column="age" isNumeric {...head}>
            Age
          </SortHead>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} values={sparklines?.lines[row.id] ?? null} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {totals.words}
          </th>
          <td className="wide-only" />
          <td className="num">{totals.gpus}</td>
          <td className="wide-only" />
          <td className="wide-only" />
          <td colSpan={4} />
          <td className="num">{formatUsd(totals.microsPerHour)}</td>
          <td className="num">{formatUsd(totals.todayMicros)}</td>
          <td />
        </tr>
      </tfoot>
    </Table>
  );
}

function Row({ row, values }: { row: InstanceRow; values: (number | null)[] | null }) {
  const state = instanceState(row);
  const isOld = row.telemetry.state === "silent" || row.telemetry.state === "failing" || !row.isBilled;
  const why = whyNoNumber(row);
  const number = (text: string) => <Quantity text={text} reason={why} isStale={isOld && row.isBilled} />;
  const isMeasured = row.isBilled && row.telemetry.state !== "never";
  return (
    <tr>
      <th scope="row">
        <Link className="name-link" href={`/fleet/${row.id}` as Route}>
          {row.name}
        </Link>
        {row.alert && (
          <SeverityLabel of={row.alert} className="ml-2">
            <span className="sr-only">alert</span>
          </SeverityLabel>
        )}
        <XidBadge instanceId={row.id} className="ml-2" />
      </th>
      <td>
        <Status of={state}>
          {state === "unknown" && row.rawStatus ? `Unknown: ${row.rawStatus}` : STATUS[state].word}
        </Status>
      </td>
      <td className="wide-only mono text-12 text-text-2">
        {row.typeName ?? <Missing reason="the type is not known" />}
      </td>
      <td className="num">{row.gpus || <Missing reason="not known yet" />}</td>
      <td className="wide-only text-text-2">{row.region}</td>
      <td className="wide-only text-text-2">{row.labels.team || <span className="muted">none</span>}</td>
      <td>
        {values?.some((value) => value !== null) ? (
          <Sparkline
            values={values}
            label={`Utilisation of ${row.name} over the last 6 h`}
            tone={row.idle ? "warn" : "neutral"}
          />
        ) : (
          <span className="muted">{row.isBilled ? "no sample yet" : "not running"}</span>
        )}
      </td>
      <td className="num">{isMeasured ? number(formatPercent(row.utilizationPct)) : <Missing reason={why} />}</td>
      <td className="num">
        {isMeasured ? (
          number(formatGibOf(row.memoryUsedMib, row.memoryTotalMib).replace(/\s?GiB$/, ""))
        ) : (
          <Missing reason={why} />
        )}
      </td>
      <td className="num">
        {isMeasured ? number(formatCelsius(row.temperatureC).replace(/\s?°C$/, "")) : <Missing reason={why} />}
      </td>
      <td className="num">
        {!row.isBilled ? (
          <span className="muted">{formatUsd("0")}</span>
        ) : row.priceMicros === null ? (
          <Missing reason="the price is unknown" />
        ) : (
          formatUsd(row.priceMicros)
        )}
      </td>
      <td className="num">
        {row.todayMicros === null ? <Missing reason="the price is unknown" /> : formatUsd(row.todayMicros)}
      </td>
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
