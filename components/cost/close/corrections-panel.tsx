import { dayWords } from "@/components/cost/words";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import type { CloseAnswer } from "@/lib/domain/cost/close";
import { formatCount, formatUsdChange } from "@/lib/domain/format";

/** What was learnt of closed months and counts here. */
export function CorrectionsPanel({ data, canExport }: { data: CloseAnswer; canExport: boolean }) {
  const { rows, count, micros } = data.corrections;
  return (
    <Panel
      span={12}
      isFlush
      title="Corrections of closed months"
      sub="learnt after their close; they count in this month and belong to the days that they name"
      actions={
        canExport && (
          <TableLinks href={`/api/v1/cost/rows?month=${data.month}&corrections=only`} what="The corrections" />
        )
      }
    >
      <Table label="Corrections of closed months" isDense>
        <thead>
          <tr>
            <th scope="col">Original day</th>
            <th scope="col">What</th>
            <th scope="col">Team</th>
            <th scope="col">Why</th>
            <th scope="col" className="num">
              Minutes
            </th>
            <th scope="col" className="num">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row" className="nowrap">
                {dayWords(row.day)}
              </th>
              <td>{row.name || row.charge}</td>
              <td>{row.team || <span className="muted">unallocated</span>}</td>
              <td className="close-why">{row.why ?? "worked out anew"}</td>
              <td className="num">{row.minutes === 0 ? "" : row.minutes}</td>
              <td className="num">
                {row.micros === null ? <span className="cost-unknown">unknown</span> : formatUsdChange(row.micros)}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={5}>
              {count > rows.length ? `${formatCount(count, "correction")}, the first ${rows.length} shown` : "Total"}
            </th>
            <td className="num">{formatUsdChange(micros)}</td>
          </tr>
        </tfoot>
      </Table>
    </Panel>
  );
}
