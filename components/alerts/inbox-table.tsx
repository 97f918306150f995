"use client";

import type { Route } from "next";
import Link from "next/link";
import { timeTicks } from "@/components/charts/scale";
import { useTimeZone } from "@/components/ui/clock";
import { RowCheckbox } from "@/components/ui/row-checkbox";
import { StatusMark } from "@/components/ui/status";
import { GroupRow, Table } from "@/components/ui/table";
import { Lasting } from "@/components/ui/time";
import { burnOf } from "@/lib/domain/alerts/inbox";
import type { AlertRow, InboxPart } from "@/lib/domain/alerts/view";
import { limitText, valueText } from "@/lib/domain/alerts/words";
import { formatUsdBurn, NONE } from "@/lib/domain/format";
import { AlertStrip } from "./alert-strip";
import { isOpenToTake, markOf, PART_WORDS, PARTS } from "./alert-words";
import { SoFar, Spark, Who } from "./row-parts";

type Props = {
  rows: readonly AlertRow[];
  now: number;
  /** Null: this role may not acknowledge. */
  selection: { ids: ReadonlySet<string>; onChange: (ids: ReadonlySet<string>) => void } | null;
};

const DAY_MS = 24 * 3_600_000;

/** All alerts in their parts, on a wide screen. */
export function InboxTable({ rows, now, selection }: Props) {
  const timeZone = useTimeZone();
  const takeable = rows.filter(isOpenToTake);
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
                  label="all that can be acknowledged"
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
        const own = rows.filter((row) => row.part === part);
        return own.length === 0 ? null : (
          <tbody key={part}>
            <GroupHead part={part} rows={own} now={now} hasBoxes={selection !== null} />
            {own.map((row) => (
              <Row
                key={row.id}
                row={row}
                now={now}
                box={
                  selection && {
                    isOn: selection.ids.has(row.id),
                    onChange: (isOn: boolean) => toggle(row, isOn),
                  }
                }
              />
            ))}
          </tbody>
        );
      })}
    </Table>
  );
}

type GroupProps = { part: InboxPart; rows: readonly AlertRow[]; now: number; hasBoxes: boolean };

function GroupHead({ part, rows, now, hasBoxes }: GroupProps) {
  const { microsPerHour } = burnOf(rows, now);
  return (
    <GroupRow
      title={part === "resolved" ? "Resolved, last 24 h" : PART_WORDS[part]}
      count={rows.length}
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

type RowProps = {
  row: AlertRow;
  now: number;
  box: { isOn: boolean; onChange: (isOn: boolean) => void } | null;
};

function Row({ row, now, box }: RowProps) {
  const isOn = box?.isOn === true && isOpenToTake(row);
  return (
    <tr className={isOn ? "is-selected" : undefined}>
      {box && (
        <td>
          {isOpenToTake(row) && (
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
        {row.microsPerHour === null ? <span className="muted">{NONE}</span> : <b>{perMinute(row.microsPerHour)}</b>}
      </td>
      <td className="num">
        <SoFar rows={[row]} />
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
