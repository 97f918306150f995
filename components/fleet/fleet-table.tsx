import { UserCheck } from "lucide-react";
import type { Route } from "next";
import { DriftBadge } from "@/components/alignment/drift-badge";
import { Sparkline } from "@/components/charts/sparkline";
import { XidBadge } from "@/components/events/xid-badge";
import { LeaseLeft } from "@/components/policies/lease-left";
import { ProtectedMark } from "@/components/terminate/protected-mark";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Missing, Quantity } from "@/components/ui/quantity";
import { RowCheckbox } from "@/components/ui/row-checkbox";
import { SeverityLabel, Status } from "@/components/ui/status";
import { STATUS } from "@/components/ui/status-vocabulary";
import { type Sort, SortHead, Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import { totalsLine } from "@/lib/domain/fleet/totals";
import type { InstanceRow, Sparklines } from "@/lib/domain/fleet/view";
import { formatCelsius, formatGibOf, formatPercent, formatUsd } from "@/lib/domain/format";
import { instanceState, whyNoNumber } from "./instance-state";
import { type Box, boxesOf, type FleetSelection } from "./selection";

type Props = {
  rows: readonly InstanceRow[];
  sparklines: Sparklines | null;
  sort: Sort;
  onSort: (next: Sort) => void;
  selection: FleetSelection | null;
};

/** One row per machine. A value that is too old stays, grey and dotted. */
export function FleetTable({ rows, sparklines, sort, onSort, selection }: Props) {
  const head = { sort, onSort };
  const totals = totalsLine(rows);
  const endable = new Set(selection?.endable.map(({ id }) => id));
  const chosen = rows.filter(({ id }) => endable.has(id) && selection?.ids.has(id)).length;
  const boxOf = boxesOf(selection);
  return (
    <Table label="Instances" isTight>
      <thead>
        <tr>
          {selection && (
            <th scope="col">
              {endable.size > 0 && (
                <RowCheckbox
                  label="all instances that are shown"
                  checked={chosen === 0 ? false : chosen === endable.size ? true : "some"}
                  onChange={(isOn) => selection.onChange(new Set(isOn ? endable : []))}
                />
              )}
            </th>
          )}
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
          <th scope="col" className="wide-only num">
            Lease
          </th>
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
          <Row key={row.id} row={row} values={sparklines?.lines[row.id] ?? null} box={boxOf(row.id)} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          {selection && <td />}
          <th scope="row" colSpan={2}>
            {totals.words}
          </th>
          <td className="wide-only" />
          <td className="num">{totals.gpus}</td>
          <td className="wide-only" />
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

type RowProps = {
  row: InstanceRow;
  values: (number | null)[] | null;
  box: Box | null;
};

function Row({ row, values, box }: RowProps) {
  const state = instanceState(row);
  const isOld = row.telemetry.state === "silent" || row.telemetry.state === "failing" || !row.isBilled;
  const why = whyNoNumber(row);
  const number = (text: string) => <Quantity text={text} reason={why} isStale={isOld && row.isBilled} />;
  const isMeasured = row.isBilled && row.telemetry.state !== "never";
  return (
    <tr>
      {box && (
        <td>{box.isOn !== null && <RowCheckbox label={row.name} checked={box.isOn} onChange={box.onChange} />}</td>
      )}
      <th scope="row">
        <Link className="name-link" href={`/fleet/${row.id}` as Route}>
          {row.name}
        </Link>
        {row.protection && <ProtectedMark reason={row.protection.reason} />}
        {row.openIntent?.state === "awaiting_approval" && (
          <Badge tone="info" icon={UserCheck} className="ml-2">
            asks to {row.openIntent.kind}
          </Badge>
        )}
        {row.alert && (
          <SeverityLabel of={row.alert} className="ml-2">
            <span className="sr-only">alert</span>
          </SeverityLabel>
        )}
        <XidBadge instanceId={row.id} className="ml-2" />
        <DriftBadge instanceId={row.id} className="ml-2" isShort />
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
      <td className="wide-only num">
        <LeaseLeft until={row.isGone ? null : row.leaseUntil} />
      </td>
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
