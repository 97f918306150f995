"use client";

import { useQuery } from "@tanstack/react-query";
import { Meter } from "@/components/ui/meter";
import { Panel } from "@/components/ui/panel";
import { ErrorState, Loading } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { Instant } from "@/components/ui/time";
import { fieldWords, valueWords } from "@/lib/domain/activity/fields";
import { actWords } from "@/lib/domain/activity/words";
import type { BudgetAnswer, BudgetView } from "@/lib/domain/cost/budgets-view";
import { formatPercent, formatUsd, formatUsdChange } from "@/lib/domain/format";
import { budgetQuery } from "@/lib/queries/cost-outlook";
import { EVERY_WORDS } from "./budget-words";
import { dayRangeWords } from "./words";

/** What the earlier periods of a budget came to against its limit of now, and who changed it. */
export function BudgetHistory({ budget, canExport }: { budget: BudgetView; canExport: boolean }) {
  const { data, isPending, error, refetch } = useQuery(budgetQuery({ budgetId: budget.id }));
  return (
    <Panel
      span={7}
      isFlush={data !== undefined && data.past.length > 0}
      title={`${budget.name}, before`}
      sub={`${EVERY_WORDS[budget.every]}, against the limit of now`}
      actions={
        canExport &&
        data !== undefined &&
        data.past.length > 0 && <TableLinks href={`/api/v1/cost/budgets/${budget.id}`} what="Earlier periods" />
      }
    >
      {data ? (
        <>
          <Past past={data.past} limitMicros={data.budget.limitMicros} />
          <Changes acts={data.acts} />
        </>
      ) : isPending ? (
        <Loading rows={4} />
      ) : (
        <ErrorState title="The history could not be read" text={error.message} onRetry={() => refetch()} />
      )}
    </Panel>
  );
}

function Past({ past, limitMicros }: { past: BudgetAnswer["past"]; limitMicros: string }) {
  const limit = Number(limitMicros);
  if (past.length === 0) return <p className="muted">No period before this one is known.</p>;
  return (
    <Table label="Earlier periods" isDense>
      <thead>
        <tr>
          <th scope="col">Period</th>
          <th scope="col" className="not-phone">
            <span className="sr-only">Share as a bar</span>
          </th>
          <th scope="col" className="num">
            Of the limit
          </th>
          <th scope="col" className="num">
            Over or under
          </th>
          <th scope="col" className="num">
            Spent
          </th>
        </tr>
      </thead>
      <tbody>
        {past.map((one) => {
          const pct = limit > 0 ? (100 * Number(one.spentMicros)) / limit : 0;
          return (
            <tr key={one.fromDay}>
              <th scope="row">
                {dayRangeWords(one.fromDay, one.toDay)}
                {one.isPartlyKnown && <span className="muted"> known in part</span>}
              </th>
              <td className="not-phone">
                <Meter
                  value={pct}
                  max={Math.max(100, pct)}
                  limit={100}
                  widthPx={120}
                  tone={pct > 100 ? "warn" : "neutral"}
                  label={`${formatPercent(pct)} of the limit`}
                />
              </td>
              <td className="num">{formatPercent(pct)}</td>
              <td className="num text-text-2">{formatUsdChange(BigInt(one.spentMicros) - BigInt(limitMicros))}</td>
              <td className="num">
                <b>{formatUsd(one.spentMicros)}</b>
                {one.unknownRows > 0 && <span className="cost-unknown"> + unknown</span>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

/** Who set what, newest first; nothing for those who may not read it. */
function Changes({ acts }: Pick<BudgetAnswer, "acts">) {
  if (acts === null || acts.length === 0) return null;
  return (
    <ul className="cost-list budget-acts">
      {acts.slice(0, 8).map((act) => (
        <li key={`${act.at} ${act.action}`}>
          <b>{act.actor}</b>, {actWords(act.action).toLowerCase()}
          {act.action === "budget.changed" &&
            `: ${Object.entries(act.changes)
              .map(
                ([field, { from, to }]) =>
                  `${fieldWords(field).toLowerCase()} ${valueWords(field, from)} to ${valueWords(field, to)}`,
              )
              .join("; ")}`}{" "}
          <span className="muted">
            <Instant at={act.at} year />
          </span>
        </li>
      ))}
    </ul>
  );
}
