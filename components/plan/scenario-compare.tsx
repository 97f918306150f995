import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { differenceFigure } from "@/lib/domain/plan/price-figures";
import type { ScenarioResult } from "@/lib/domain/plan/scenarios";
import { Formula } from "./formula";

export type Column = { key: string; name: string; result: ScenarioResult };

/** Scenarios beside each other: every figure that two of them share, and the first one as what the others are held against. */
export function ScenarioCompare({ columns }: { columns: readonly Column[] }) {
  const names = [...new Set(columns.flatMap(({ result }) => result.figures.map(({ name }) => name)))];
  const shared = names.filter(
    (name) => columns.filter(({ result }) => result.figures.some((figure) => figure.name === name)).length > 1,
  );
  const [base] = columns;
  const monthly = ({ result }: Column) => (result.monthlyMicros === null ? null : BigInt(result.monthlyMicros));
  const first = base ? monthly(base) : null;
  return (
    <Panel span={12} isFlush title="Side by side" sub="the first is what the others are held against">
      <Table label="Scenarios side by side">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            {columns.map(({ key, name }) => (
              <th key={key} scope="col" className="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shared.map((name) => (
            <tr key={name}>
              <th scope="row" className="font-normal">
                {name}
              </th>
              {columns.map(({ key, result }) => {
                const found = result.figures.find((figure) => figure.name === name);
                return (
                  <td key={key} className="num">
                    {found ? <Formula figure={found} /> : <Missing reason="not in this scenario" />}
                  </td>
                );
              })}
            </tr>
          ))}
          <tr>
            <th scope="row" className="font-normal">
              A month, against the first
            </th>
            {columns.map((column) => {
              const own = monthly(column);
              return (
                <td key={column.key} className="num">
                  {column === base ? (
                    <span className="muted">reference</span>
                  ) : own === null || first === null ? (
                    <Missing reason="not of months" />
                  ) : (
                    <Formula
                      figure={differenceFigure(
                        "A month, against the first",
                        { name: column.name, micros: own },
                        { name: base?.name ?? "", micros: first },
                      )}
                    />
                  )}
                </td>
              );
            })}
          </tr>
          <tr>
            <th scope="row" className="font-normal">
              Prices that are old or without a day
            </th>
            {columns.map(({ key, result }) => (
              <td key={key} className="num">
                {result.oldPrices} of {result.prices.length}
              </td>
            ))}
          </tr>
        </tbody>
      </Table>
    </Panel>
  );
}
