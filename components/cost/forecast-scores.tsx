import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import type { MonthScore } from "@/lib/domain/cost/budgets-view";
import { keptScopeWords } from "@/lib/domain/cost/scope";
import { formatCount, formatPercent, formatPercentChange, formatUsd } from "@/lib/domain/format";
import { monthName } from "./words";

/** By how much a forecast may be off before it is not one (FinOps, "run"). */
const GOOD_PCT = 12;

/** How far the daily forecasts of the last months were off, against what the months came to. */
export function ForecastScores({ scores, canExport }: { scores: readonly MonthScore[]; canExport: boolean }) {
  const fleet = scores.filter(({ scope }) => scope === "all");
  const [last] = fleet;
  const rows = last ? scores.filter(({ month }) => month === last.month) : [];
  return (
    <Panel
      title="How good the forecasts were"
      sub="one a day, against the month as it came"
      isFlush={rows.length > 0}
      actions={
        canExport && rows.length > 0 && <TableLinks href="/api/v1/cost/budgets?table=scores" what="Forecast scores" />
      }
    >
      {!last ? (
        <p className="muted">
          Forecasts are written down every day from now on. When the month is over, it stands here how far they were
          off.
        </p>
      ) : (
        <>
          <p className="score-words">
            {fleet.map((one) => (
              <span key={one.month} className="block">
                <b>{monthName(one.month)}</b>: off by {formatPercent(num(one.wmapePct))} on average
                {one.wmapePct !== null &&
                  (Number(one.wmapePct) <= GOOD_PCT
                    ? `, within the ${GOOD_PCT} % that are good`
                    : `; up to ${GOOD_PCT} % is good`)}
                . {one.isOpen && "The month is not closed yet. "}
                It came to {formatUsd(one.actualMicros)}.
              </span>
            ))}
          </p>
          <Table label="Forecasts by scope" isDense>
            <thead>
              <tr>
                <th scope="col">{monthName(last.month, false)}</th>
                <th scope="col" className="num" title="wMAPE: sum of the distances by the sum of the amounts">
                  Off by
                </th>
                <th scope="col" className="num" title="Bias: positive is too high">
                  Bias
                </th>
                <th scope="col" className="num" title="Days on which the month lay in the band; 80 % is meant">
                  In band
                </th>
                <th scope="col" className="num" title="How much better than the rate of the last seven days">
                  Skill
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.scope}>
                  <th scope="row">{keptScopeWords(row.scope)}</th>
                  <td className="num">
                    <Pct text={row.wmapePct} />
                  </td>
                  <td className="num text-text-2">
                    {row.biasPct === null ? (
                      <Missing reason="nothing was spent" />
                    ) : (
                      formatPercentChange(num(row.biasPct))
                    )}
                  </td>
                  <td className="num text-text-2">
                    <Pct text={row.coveragePct} />
                  </td>
                  <td className="num text-text-2">
                    {row.skillPct === null ? (
                      <Missing reason="the run rate was exact" />
                    ) : (
                      formatPercentChange(num(row.skillPct))
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
          <p className="cost-remark">
            {formatCount(last.count, "daily forecast")}. Skill: how much nearer than going on as in the last seven days.
          </p>
        </>
      )}
    </Panel>
  );
}

function num(text: string | null): number | null {
  return text === null ? null : Number(text);
}

function Pct({ text }: { text: string | null }) {
  return text === null ? <Missing reason="nothing was spent" /> : formatPercent(Number(text));
}
