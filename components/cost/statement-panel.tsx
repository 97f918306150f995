import { Meter } from "@/components/ui/meter";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { UNALLOCATED } from "@/lib/domain/cost/stack";
import type { CostAnswer } from "@/lib/domain/cost/view";
import { formatCount, formatNumber, formatUsd, formatUsdChange, THIN } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import { inCents, type Line, printed } from "./model";
import { DIMENSION_WORDS, dayRangeWords, monthName } from "./words";

type Group = CostAnswer["groups"][number];

/** Who or what the month's money went to; the lines add up to its total, to the cent. */
export function StatementPanel({ data, canExport }: { data: CostAnswer; canExport: boolean }) {
  const lines = printed(data.groups);
  const word = DIMENSION_WORDS[data.by];
  const { compared } = data;
  // A key that cost something only in the month before has no line here: the sum of the column is the lines' own.
  const changes = inCents(data.groups.map((group) => BigInt(group.comparedMicros) - BigInt(group.beforeMicros)));
  const against = compared && againstWords(data, compared);
  const since = compared?.before.isPartlyKnown && data.knownFrom !== null && formatDay(data.knownFrom, data.zone);
  const sub = since
    ? `lines add up to the cent; ${monthName(data.month, false)} is compared with what is known since ${since}`
    : "lines add up to the cent";
  const total = lines.reduce((sum, line) => sum + line.micros, 0n);
  const idle = lines.reduce((sum, line) => sum + line.idleMicros, 0n);
  const gone = compared ? BigInt(compared.micros) - BigInt(compared.before.micros) : 0n;
  const listed = changes.reduce((sum, change) => sum + change, 0n);
  return (
    <Panel
      span={8}
      isFlush
      title={`By ${word.toLowerCase()}`}
      sub={sub}
      actions={
        canExport && (
          <TableLinks href={`/api/v1/cost?month=${data.month}&by=${data.by}`} what={`Cost by ${word.toLowerCase()}`} />
        )
      }
    >
      <Table label={`Cost by ${word.toLowerCase()}`}>
        <thead>
          <tr>
            <th scope="col">{word}</th>
            <th scope="col" className="num not-phone">
              Resources
            </th>
            <th scope="col" className="num not-phone">
              Hours
            </th>
            <th scope="col" className="num">
              Idle
            </th>
            {against && (
              <th scope="col" className="num" title={`${against.own} less ${against.before}`}>
                vs {against.before}
              </th>
            )}
            <th scope="col" className="wide-only">
              <span className="sr-only">Share as a bar</span>
            </th>
            <th scope="col" className="num not-phone">
              Share
            </th>
            <th scope="col" className="num">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <GroupLine
              key={line.row.key}
              line={line}
              change={against ? (changes[index] ?? 0n) : null}
              nobody={data.by === "team" || data.by === "project" ? UNALLOCATED : "unnamed"}
            />
          ))}
          {compared && gone - listed < -5_000n && (
            <tr>
              <th scope="row" className="muted">
                Only in {against?.before}
              </th>
              <td className="not-phone" />
              <td className="not-phone" />
              <td />
              <td className="num muted">{formatUsdChange(gone - listed)}</td>
              <td className="wide-only" />
              <td className="not-phone" />
              <td />
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="num not-phone">{data.instances.count + data.storage.count}</td>
            <td className="num not-phone">{formatNumber(data.instances.minutes / 60, 1)}</td>
            <td className="num">{formatUsd(idle)}</td>
            {against && <td className="num">{formatUsdChange(gone)}</td>}
            <td className="wide-only" />
            <td className="num not-phone">{total > 0n ? `100.0${THIN}%` : ""}</td>
            <td className="num">{formatUsd(total)}</td>
          </tr>
        </tfoot>
      </Table>
      {data.total.unknownRows > 0 && (
        <p className="cost-remark">
          {formatCount(data.total.unknownRows, "ledger row")} of unknown price or size: counted, and in no amount.
        </p>
      )}
    </Panel>
  );
}

function againstWords(data: CostAnswer, compared: NonNullable<CostAnswer["compared"]>) {
  const { before } = compared;
  return data.isCurrent
    ? {
        own: dayRangeWords(compared.fromDay, compared.toDay),
        before: dayRangeWords(before.fromDay, before.toDay),
      }
    : { own: monthName(data.month, false), before: monthName(before.fromDay.slice(0, 7), false) };
}

type LineProps = { line: Line<Group>; change: bigint | null; nobody: string };

function GroupLine({ line, change, nobody }: LineProps) {
  const { row, micros, idleMicros, sharePct } = line;
  return (
    <tr>
      <th scope="row">
        <i className="cost-swatch" style={{ background: `var(--chart-${row.slot})` }} aria-hidden="true" />
        {row.key === "" ? <span className="muted">{nobody}</span> : row.key}
      </th>
      <td className="num not-phone text-text-2">{row.resources}</td>
      <td className="num not-phone text-text-2">{row.minutes > 0 && formatNumber(row.minutes / 60, 1)}</td>
      <td className="num text-text-2">{row.minutes > 0 && formatUsd(idleMicros)}</td>
      {change !== null && <td className="num text-text-2">{formatUsdChange(change)}</td>}
      <td className="wide-only">
        {sharePct !== null && (
          <Meter
            value={sharePct}
            max={100}
            slot={row.slot}
            widthPx={64}
            label={`${formatNumber(sharePct, 1)} % of the month`}
          />
        )}
      </td>
      <td className="num not-phone text-text-2">{sharePct === null ? "" : `${formatNumber(sharePct, 1)}${THIN}%`}</td>
      <td className="num">
        <Amount micros={micros} unknownRows={row.unknownRows} />
      </td>
    </tr>
  );
}

/** An amount; where nothing of it is known it says so, and where a part is not known, too. */
export function Amount({ micros, unknownRows }: { micros: bigint; unknownRows: number }) {
  if (unknownRows === 0) return <b>{formatUsd(micros)}</b>;
  if (micros === 0n) return <span className="cost-unknown">unknown</span>;
  return (
    <>
      <b>{formatUsd(micros)}</b> <span className="cost-unknown">+ unknown</span>
    </>
  );
}
