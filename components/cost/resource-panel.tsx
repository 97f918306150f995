"use client";

import type { Route } from "next";
import { useMemo, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { GroupRow, type Sort, SortHead, Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import type { CostAnswer, CostRow } from "@/lib/domain/cost/view";
import { formatCount, formatNumber, formatStorage, formatUsd, NONE, THIN } from "@/lib/domain/format";
import { type Line, printed } from "./model";
import { ResourceCards } from "./resource-cards";
import { Amount } from "./statement-panel";

const FIRST_ROWS = 25;

export type Shown = {
  instances: Line<CostRow>[];
  storage: Line<CostRow>[];
  /** Those that are not shown, together. */
  hidden: { count: number; micros: bigint; idleMicros: bigint; unknownRows: number };
  totalMicros: bigint;
  totalIdleMicros: bigint;
};

/** One line per machine and file system, with all that makes up its amount. */
export function ResourcePanel({ data, canExport }: { data: CostAnswer; canExport: boolean }) {
  const [sort, setSort] = useState<Sort>({ by: "cost", isDescending: true });
  const [isAll, setIsAll] = useState(false);
  const lines = useMemo(() => linesOf(data), [data]);
  const shown = useMemo(() => choose(lines, sort, isAll), [lines, sort, isAll]);
  const listed = lines.rows.filter(({ row }) => row.kind === "instance").length;
  const more = isAll ? 0 : listed - shown.instances.length;
  return (
    <Panel
      span={12}
      isFlush
      title="Instances and storage"
      sub="names and labels as they were last; lines add up to the cent"
      actions={
        canExport && (
          <TableLinks href={`/api/v1/cost?month=${data.month}&table=resources`} what="Instances and storage" />
        )
      }
      className="cost-resources"
    >
      <div className="cost-wide">
        <ResourceTable data={data} shown={shown} sort={sort} onSort={setSort} />
      </div>
      <div className="cost-phone">
        <ResourceCards shown={shown} />
      </div>
      {(more > 0 || isAll) && listed > FIRST_ROWS && (
        <p className="cost-more">
          <Button size="small" onClick={() => setIsAll(!isAll)} aria-expanded={isAll}>
            {isAll ? `Show the first ${FIRST_ROWS}` : `Show all ${formatCount(listed, "instance")}`}
          </Button>
        </p>
      )}
      {data.rest && (
        <p className="cost-remark">
          The {data.resources.length} most expensive are listed one by one; the file has all of them.
        </p>
      )}
    </Panel>
  );
}

type Lines = { rows: Line<CostRow>[]; rest: Line<NonNullable<CostAnswer["rest"]>> | null };

/** Every line in cents, with what is not listed as one of them: so the lines add up to the month. */
function linesOf(data: CostAnswer): Lines {
  const all: (CostRow | NonNullable<CostAnswer["rest"]>)[] = data.rest
    ? [...data.resources, data.rest]
    : data.resources;
  const lines = printed(all);
  const rows = lines.flatMap((line) => ("id" in line.row ? [{ ...line, row: line.row }] : []));
  const rest = lines.flatMap((line) => ("id" in line.row ? [] : [{ ...line, row: line.row }]))[0] ?? null;
  return { rows, rest };
}

const COLUMNS: Record<string, (line: Line<CostRow>) => string | number | bigint> = {
  name: ({ row }) => row.name,
  type: ({ row }) => row.typeName ?? "",
  region: ({ row }) => row.region,
  team: ({ row }) => `${row.team} ${row.project}`,
  hours: ({ row }) => row.minutes,
  idle: (line) => BigInt(line.row.idleMicros),
  cost: (line) => BigInt(line.row.micros),
};

function choose({ rows, rest }: Lines, { by, isDescending }: Sort, isAll: boolean): Shown {
  const column = COLUMNS[by] ?? COLUMNS.cost;
  const inOrder = [...rows].sort((a, b) => {
    const [x, y] = [column?.(a) ?? 0, column?.(b) ?? 0];
    const order = x < y ? -1 : x > y ? 1 : 0;
    return (isDescending ? -order : order) || (a.row.id < b.row.id ? -1 : 1);
  });
  const machines = inOrder.filter(({ row }) => row.kind === "instance");
  const instances = isAll ? machines : machines.slice(0, FIRST_ROWS);
  const left = machines.slice(instances.length);
  const sum = (pick: (line: Lines["rows"][number]) => bigint, list: Lines["rows"]) =>
    list.reduce((total, line) => total + pick(line), 0n);
  return {
    instances,
    storage: inOrder.filter(({ row }) => row.kind === "filesystem"),
    hidden: {
      count: left.length + (rest?.row.count ?? 0),
      micros: sum((line) => line.micros, left) + (rest?.micros ?? 0n),
      idleMicros: sum((line) => line.idleMicros, left) + (rest?.idleMicros ?? 0n),
      unknownRows: left.reduce((count, { row }) => count + row.unknownRows, rest?.row.unknownRows ?? 0),
    },
    totalMicros: sum((line) => line.micros, rows) + (rest?.micros ?? 0n),
    totalIdleMicros: sum((line) => line.idleMicros, rows) + (rest?.idleMicros ?? 0n),
  };
}

type TableProps = { data: CostAnswer; shown: Shown; sort: Sort; onSort: (next: Sort) => void };

function ResourceTable({ data, shown, sort, onSort }: TableProps) {
  const head = { sort, onSort };
  return (
    <Table label="Cost of each instance and file system" isTight>
      <thead>
        <tr>
          <SortHead column="name" {...head}>
            Instance
          </SortHead>
          <SortHead column="type" className="wide-only" {...head}>
            Type
          </SortHead>
          <SortHead column="region" className="wide-only" {...head}>
            Region
          </SortHead>
          <SortHead column="team" {...head}>
            Team, project
          </SortHead>
          <th scope="col" className="wide-only">
            Environment
          </th>
          <SortHead column="hours" isNumeric {...head}>
            Hours
          </SortHead>
          <th scope="col" className="num">
            $ / h
          </th>
          <SortHead column="idle" isNumeric {...head}>
            Idle
          </SortHead>
          <th scope="col" className="num">
            Share
          </th>
          <SortHead column="cost" isNumeric {...head}>
            Cost
          </SortHead>
        </tr>
      </thead>
      <tbody>
        {shown.instances.map((line) => (
          <ResourceLine key={line.row.id} line={line} />
        ))}
        {shown.hidden.count > 0 && (
          <tr>
            <th scope="row" className="muted">
              {shown.hidden.count} more
            </th>
            <td className="wide-only" />
            <td className="wide-only" />
            <td />
            <td className="wide-only" />
            <td colSpan={2} />
            <td className="num text-text-2">{formatUsd(shown.hidden.idleMicros)}</td>
            <td />
            <td className="num">
              <Amount micros={shown.hidden.micros} unknownRows={shown.hidden.unknownRows} />
            </td>
          </tr>
        )}
      </tbody>
      {shown.storage.length > 0 && (
        <tbody>
          <GroupRow title="File systems" count={shown.storage.length} columns={1}>
            <td className="wide-only" />
            <td className="wide-only" />
            <td />
            <td className="wide-only" />
            <td className="num">Held, mean</td>
            <td className="num">$ / GiB-month</td>
            <td colSpan={2} />
            <td className="num">{formatUsd(shown.storage.reduce((sum, line) => sum + line.micros, 0n))}</td>
          </GroupRow>
          {shown.storage.map((line) => (
            <ResourceLine key={line.row.id} line={line} />
          ))}
        </tbody>
      )}
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td className="wide-only" />
          <td className="wide-only" />
          <td />
          <td className="wide-only" />
          <td className="num">{formatNumber(data.instances.minutes / 60, 1)}</td>
          <td />
          <td className="num">{formatUsd(shown.totalIdleMicros)}</td>
          <td className="num">{shown.totalMicros > 0n ? `100.0${THIN}%` : ""}</td>
          <td className="num">
            <Amount micros={shown.totalMicros} unknownRows={data.total.unknownRows} />
          </td>
        </tr>
      </tfoot>
    </Table>
  );
}

function ResourceLine({ line }: { line: Line<CostRow> }) {
  const { row, micros, idleMicros, sharePct } = line;
  const isInstance = row.kind === "instance";
  return (
    <tr>
      <th scope="row">
        {isInstance ? (
          <Link className="name-link" href={`/fleet/${row.id}` as Route}>
            {row.name}
          </Link>
        ) : (
          row.name
        )}
        <RowBadges row={row} />
      </th>
      <td className="wide-only mono text-12 text-text-2">{row.typeName ?? ""}</td>
      <td className="wide-only text-text-2">{row.region}</td>
      <td className="text-text-2">{labelsOf(row)}</td>
      <td className="wide-only text-text-2">{row.environment || <span className="muted">none</span>}</td>
      <td className="num text-text-2">{quantityOf(row)}</td>
      <td className="num text-text-2">{ratesOf(row)}</td>
      <td className="num text-text-2">{isInstance ? formatUsd(idleMicros) : ""}</td>
      <td className="num text-text-2">{sharePct === null ? "" : `${formatNumber(sharePct, 1)}${THIN}%`}</td>
      <td className="num">
        <Amount micros={micros} unknownRows={row.unknownRows} />
      </td>
    </tr>
  );
}

/** What sets a row apart: launched elsewhere, gone, doubtful. */
export function RowBadges({ row }: { row: CostRow }) {
  return (
    <span className="cost-badges">
      {row.isOutside && <Badge tone="info">launched outside</Badge>}
      {row.doubt && <Badge tone="warn">to look at</Badge>}
      {row.isGone && <span className="muted">gone</span>}
    </span>
  );
}

export function labelsOf(row: CostRow) {
  if (!row.team && !row.project) return <span className="muted">unallocated</span>;
  return [row.team || "no team", row.project].filter(Boolean).join(", ");
}

/** Hours of a machine; what a file system held on average. */
export function quantityOf(row: CostRow): string {
  if (row.kind === "instance") return formatNumber(row.minutes / 60, 1);
  return row.bytes === null ? "unknown" : formatStorage(BigInt(row.bytes));
}

/** The price, or the prices in order of time. */
export function ratesOf(row: CostRow): string {
  if (row.ratesMicros.length === 0) return row.unknownRows > 0 ? "unknown" : NONE;
  return row.ratesMicros.map((rate) => formatUsd(rate)).join(" → ");
}
