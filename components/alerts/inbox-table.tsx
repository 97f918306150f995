"use client";

import { ChevronRight } from "lucide-react";
import type { Route } from "next";
import { Fragment, useState } from "react";
import { timeTicks } from "@/components/charts/scale";
import { useTimeZone } from "@/components/ui/clock";
import { Link } from "@/components/ui/link";
import { RowCheckbox } from "@/components/ui/row-checkbox";
import { StatusMark } from "@/components/ui/status";
import { GroupRow, Table } from "@/components/ui/table";
import { Lasting } from "@/components/ui/time";
import { burnOf, type Incident } from "@/lib/domain/alerts/inbox";
import type { AlertRow, InboxPart } from "@/lib/domain/alerts/view";
import { limitText, valueText } from "@/lib/domain/alerts/words";
import { formatUsdBurn, NONE } from "@/lib/domain/format";
import { AlertStrip } from "./alert-strip";
import { isToChoose, markOf, PART_WORDS, PARTS } from "./alert-words";
import { SoFar, Spark, Who } from "./row-parts";

type Props = {
  incidents: readonly Incident<AlertRow>[];
  now: number;
  /** Null: this role may not acknowledge. */
  selection: { ids: ReadonlySet<string>; onChange: (ids: ReadonlySet<string>) => void } | null;
};

const DAY_MS = 24 * 3_600_000;

/** All alerts in their parts, on a wide screen. */
export function InboxTable({ incidents, now, selection }: Props) {
  const timeZone = useTimeZone();
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const takeable = incidents.map(({ row }) => row).filter(isToChoose);
  const chosen = takeable.filter((row) => selection?.ids.has(row.id));
  const toggle = (row: AlertRow, isOn: boolean) => {
    const next = new Set(selection?.ids);
    if (isOn) next.add(row.id);
    else next.delete(row.id);
    selection?.onChange(next);
  };
  return (
    <Table label="Alerts" className="inbox-table">
      <thead>
        <tr>
          {selection && (
            <th scope="col">
              {takeable.length > 0 && (
                <RowCheckbox
                  label="all that are open"
                  checked={chosen.length === 0 ? false : chosen.length === takeable.length ? true : "some"}
                  onChange={(isOn) => selection.onChange(new Set(isOn ? takeable.map(({ id }) => id) : []))}
                />
              )}
            </th>
          )}
          <th scope="col">Alert</th>
          <th scope="col">Value</th>
          <th scope="col" className="is-wide-only">
            Team
          </th>
          <th scope="col" className="strip-axis is-wide-only">
            <span className="sr-only">Last 24 hours</span>
            <span aria-hidden="true">
              {timeTicks(now - DAY_MS, now, timeZone, 4)
                .filter(({ share }) => share > 0.08 && share < 0.86)
                .map(({ share, label }) => (
                  <i key={share} style={{ left: `${share * 100}%` }}>
                    {label}
                  </i>
                ))}
              <i style={{ left: "100%" }} data-end>
                now
              </i>
            </span>
          </th>
          <th scope="col" className="num">
            For
          </th>
          <th scope="col" className="num">
            $ / min
          </th>
          <th scope="col" className="num">
            So far
          </th>
          <th scope="col">Who, or why closed</th>
        </tr>
      </thead>
      {PARTS.map((part) => {
        const own = incidents.filter(({ row }) => row.part === part);
        return own.length === 0 ? null : (
          <tbody key={part}>
            <GroupHead
              part={part}
              rows={own.flatMap(({ row, others }) => [row, ...others])}
              count={own.length}
              now={now}
              hasBoxes={selection !== null}
            />
            {own.map((incident) => {
              const { row, others } = incident;
              const isUnfolded = unfolded.has(row.id);
              return (
                <Fragment key={row.id}>
                  <Row
                    incident={incident}
                    now={now}
                    fold={{
                      isOpen: isUnfolded,
                      onChange: () => {
                        const next = new Set(unfolded);
                        if (!next.delete(row.id)) next.add(row.id);
                        setUnfolded(next);
                      },
                    }}
                    box={
                      selection && {
                        isOn: selection.ids.has(row.id),
                        onChange: (isOn: boolean) => toggle(row, isOn),
                      }
                    }
                  />
                  {isUnfolded && others.map((one) => <MergedRow key={one.id} row={one} hasBox={selection !== null} />)}
                </Fragment>
              );
            })}
          </tbody>
        );
      })}
    </Table>
  );
}

type GroupProps = { part: InboxPart; rows: readonly AlertRow[]; count: number; now: number; hasBoxes: boolean };

function GroupHead({ part, rows, count, now, hasBoxes }: GroupProps) {
  const { microsPerHour } = burnOf(rows, now);
  return (
    <GroupRow
      title={part === "resolved" ? "Resolved, last 24 h" : PART_WORDS[part]}
      count={count}
      columns={hasBoxes ? 3 : 2}
    >
      <td className="is-wide-only" />
      <td className="is-wide-only" />
      <td />
      <td className="num">{microsPerHour > 0n && perMinute(microsPerHour)}</td>
      <td className="num">
        <SoFar rows={rows} />
      </td>
      <td />
    </GroupRow>
  );
}

/** One of the alerts that were merged into the line above. */
function MergedRow({ row, hasBox }: { row: AlertRow; hasBox: boolean }) {
  return (
    <tr className="is-merged">
      {hasBox && <td />}
      <th scope="row" className="is-wrapping">
        <Link href={`/alerts/${row.id}` as Route} className="inbox-link">
          {row.ruleName}
        </Link>
        <span className="muted ellipsis block">{row.targetName}</span>
      </th>
      <td className="is-wrapping">{valueText(row, row.value) ?? <span className="muted">no value</span>}</td>
      <td className="is-wide-only">{row.team}</td>
      <td className="is-wide-only muted">{PART_WORDS[row.part].toLowerCase()}</td>
      <td className="num">
        <Lasting from={row.firedAt ?? row.activeAt} to={row.resolvedAt} />
      </td>
      <td />
      <td />
      <td className="is-wrapping">
        <Who row={row} />
      </td>
    </tr>
  );
}

type RowProps = {
  incident: Incident<AlertRow>;
  now: number;
  fold: { isOpen: boolean; onChange: () => void };
  box: { isOn: boolean; onChange: (isOn: boolean) => void } | null;
};

function Row({ incident: { row, others }, now, fold, box }: RowProps) {
  const isOn = box?.isOn === true && isToChoose(row);
  const microsPerHour =
    others.length === 0 ? BigInt(row.microsPerHour ?? 0) : burnOf([row, ...others], now).microsPerHour;
  return (
    <tr className={isOn ? "is-selected" : undefined}>
      {box && (
        <td>
          {isToChoose(row) && (
            <RowCheckbox label={`${row.ruleName}, ${row.targetName}`} checked={isOn} onChange={box.onChange} />
          )}
        </td>
      )}
      <th scope="row" className="is-wrapping">
        <span className="inbox-name">
          <StatusMark of={markOf(row)} />
          <span className="min-w-0">
            <Link href={`/alerts/${row.id}` as Route} className="inbox-link">
              {row.ruleName}
            </Link>
            {others.length > 0 && (
              <button
                type="button"
                className="fold-chip"
                aria-expanded={fold.isOpen}
                aria-label={`${others.length} merged with ${row.ruleName}, ${row.targetName}`}
                onClick={fold.onChange}
              >
                <ChevronRight size={12} aria-hidden="true" />
                {others.length + 1}
              </button>
            )}
            <span className="muted ellipsis block">
              {row.targetName}
              <Spark row={row} />
            </span>
          </span>
        </span>
      </th>
      <td className="is-wrapping">
        {valueText(row, row.value) ?? <span className="muted">no value</span>}
        <span className="muted block">{limitOf(row)}</span>
      </td>
      <td className="is-wide-only">{row.team || <span className="muted">{NONE}</span>}</td>
      <td className="strip-cell is-wide-only">
        <AlertStrip row={row} now={now} />
      </td>
      <td className="num">
        <Lasting from={row.firedAt ?? row.activeAt} to={row.resolvedAt} />
      </td>
      <td className="num">
        {microsPerHour === 0n ? <span className="muted">{NONE}</span> : <b>{perMinute(microsPerHour)}</b>}
      </td>
      <td className="num">
        <SoFar rows={[row, ...others]} />
      </td>
      <td className="is-wrapping">
        <Who row={row} />
      </td>
    </tr>
  );
}

/** "above 85 %"; silent where the value's own words say all. */
function limitOf(row: AlertRow): string | null {
  return row.unit === "ms" || row.unit === "0 or 1" ? null : limitText(row);
}

function perMinute(microsPerHour: bigint | string): string {
  return formatUsdBurn(microsPerHour).replace("/min", "");
}
