import type { Route } from "next";
import { DriftBadge } from "@/components/alignment/drift-badge";
import { Sparkline } from "@/components/charts/sparkline";
import { XidBadge } from "@/components/events/xid-badge";
import { ProtectedMark } from "@/components/terminate/protected-mark";
import { KeyFigure } from "@/components/ui/key-figure";
import { Link } from "@/components/ui/link";
import { RowCheckbox } from "@/components/ui/row-checkbox";
import { StatusMark } from "@/components/ui/status";
import { alertStatus, STATUS } from "@/components/ui/status-vocabulary";
import { Age } from "@/components/ui/time";
import { vramPct } from "@/lib/domain/fleet/filter";
import { totalsLine } from "@/lib/domain/fleet/totals";
import type { FleetAnswer, InstanceRow, Sparklines } from "@/lib/domain/fleet/view";
import { formatCount, formatPercent, formatUsd } from "@/lib/domain/format";
import { instanceState, needsALook } from "./instance-state";
import { type Box, boxesOf, type FleetSelection } from "./selection";

type Props = {
  rows: readonly InstanceRow[];
  totals: FleetAnswer["totals"];
  sparklines: Sparklines | null;
  selection: FleetSelection | null;
};

/** The fleet on a phone: what needs a look first, what costs nothing last. */
export function FleetCards({ rows, totals, sparklines, selection }: Props) {
  const boxOf = boxesOf(selection);
  const groups = [
    { name: "Need a look", rows: rows.filter(needsALook) },
    { name: "Active", rows: rows.filter((row) => row.isBilled && !needsALook(row)) },
    { name: "Not billed", rows: rows.filter((row) => !row.isBilled && !needsALook(row)) },
  ];
  return (
    <>
      <div className="phone-figures">
        <KeyFigure
          label="Cost per hour"
          value={formatUsd(totals.microsPerHour)}
          unit="/h"
          note={`${totals.billed} billing, ${formatCount(totals.gpusBilled, "GPU")}`}
        />
        <KeyFigure label="Today" value={formatUsd(totals.todayMicros)} note="machines only" />
      </div>
      {groups
        .filter((group) => group.rows.length > 0)
        .map((group) => (
          <section key={group.name}>
            <h2 className="card-group">
              {group.name}
              <span className="muted">{formatUsd(totalsLine(group.rows).microsPerHour)}/h</span>
            </h2>
            <ul>
              {group.rows.map((row) => (
                <Card key={row.id} row={row} values={sparklines?.lines[row.id] ?? null} box={boxOf(row.id)} />
              ))}
            </ul>
          </section>
        ))}
    </>
  );
}

function Card({ row, values, box }: { row: InstanceRow; values: (number | null)[] | null; box: Box | null }) {
  const state = instanceState(row);
  const isOld = row.telemetry.state === "silent" || row.telemetry.state === "failing";
  return (
    <li className={box ? "machine-item" : undefined}>
      {box?.isOn === null && <span />}
      {box && box.isOn !== null && <RowCheckbox label={row.name} checked={box.isOn} onChange={box.onChange} />}
      <Link href={`/fleet/${row.id}` as Route} className="machine-card">
        <StatusMark of={state === "active" && row.alert ? alertStatus("firing", row.alert) : state} />
        <span className="min-w-0">
          <b className="ellipsis block">
            {row.name}
            {row.protection && <ProtectedMark reason={row.protection.reason} />}
            <XidBadge instanceId={row.id} className="ml-2" />
            <DriftBadge instanceId={row.id} className="ml-2" />
          </b>
          <span className="muted ellipsis block">
            {state !== "active" && `${STATUS[state].word}, `}
            {row.gpus > 1 && `${row.gpus} × `}
            {row.gpuModel ?? row.typeName}
            {row.labels.team && `, ${row.labels.team}`}
          </span>
        </span>
        {values?.some((value) => value !== null) ? (
          <Sparkline
            values={values}
            width={66}
            height={26}
            label={`Utilisation of ${row.name} over the last 6 h`}
            tone={row.idle ? "warn" : "neutral"}
          />
        ) : (
          <span />
        )}
        <span className="text-right">
          <b className="block">
            {row.isBilled && row.priceMicros === null
              ? "price unknown"
              : formatUsd(row.isBilled ? row.priceMicros : "0")}
            <span className="unit">/h</span>
          </b>
          <span className="muted block">
            {!row.isBilled ? (
              "not billed"
            ) : row.telemetry.at === null ? (
              "no sample yet"
            ) : isOld ? (
              <>
                <span className="stale">{formatPercent(row.utilizationPct)}</span>,{" "}
                <Age at={row.telemetry.at} isBare staleAfterMs={0} isBilling /> old
              </>
            ) : (
              `${formatPercent(row.utilizationPct)}, VRAM ${formatPercent(vramPct(row))}`
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}
