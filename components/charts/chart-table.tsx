import { ScrollRegion } from "@/components/ui/table";
import { formatClock, formatDay } from "@/lib/domain/format-time";
import { tableOf } from "./reading";
import type { ChartModel } from "./types";

/** The chart's own columns as a table, at the chart's height. */
export function ChartTable({ title, model, heightPx }: { title: string; model: ChartModel; heightPx: number }) {
  const table = tableOf(model);
  const isLong = model.to - model.from > 86_400_000;
  return (
    <ScrollRegion label={`${title}, table`} className="chart-table" heightPx={heightPx + 18}>
      <table className="table is-dense is-bare">
        <thead>
          <tr>
            {table.heads.map((head, column) => (
              // Several lines have a column called Min.
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
              <th key={column} scope="col" className={column > 0 ? "num" : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.at}>
              <th scope="row">
                {isLong && `${formatDay(row.at, model.timeZone)} `}
                {formatClock(row.at, model.timeZone, model.stepMs < 60_000)}
              </th>
              {row.cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <td key={column} className="num">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
