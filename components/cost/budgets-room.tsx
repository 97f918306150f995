"use client";

import { Check, Gauge, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { useTimeZone } from "@/components/ui/clock";
import { PageTitle } from "@/components/ui/page";
import { Deck, DeckColumn, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import type { BudgetView } from "@/lib/domain/cost/budgets-view";
import { formatCount, formatPercent, formatUsd, formatUsdRate, formatUsdWhole } from "@/lib/domain/format";
import { formatPeriod } from "@/lib/domain/format-time";
import { budgetsQuery } from "@/lib/queries/cost-outlook";
import { BudgetBar } from "./budget-bar";
import { BudgetActions, type BudgetVerbs, NewBudgetButton } from "./budget-form";
import { BudgetHistory } from "./budget-history";
import { bandWords, crossingWords, EVERY_WORDS, ON_SHORT, standingOf } from "./budget-words";
import { ForecastScores } from "./forecast-scores";

type Props = {
  /** Null: this role sees budgets and sets none. */
  verbs: BudgetVerbs | null;
  locked: string | null;
  canExport: boolean;
};

/** Every budget with what is spent, where it is heading and when it is gone. */
export function BudgetsRoom({ verbs, locked, canExport }: Props) {
  const { data } = useLive(budgetsQuery());
  const [asked, setAsked] = useState<string | null>(null);
  const { budgets, known, now } = data;
  const shown = budgets.find(({ id }) => id === asked) ?? budgets[0];
  const passed = budgets.filter((budget) => standingOf({ ...budget, now }).tone !== "ok").length;
  return (
    <>
      <PageTitle
        title="Budgets"
        meta={
          <>
            <span>
              {formatCount(budgets.length, "budget")}
              {passed > 0 && `, ${passed} of them passed or heading past the limit`}
            </span>
            <span>accounting days in {data.zone}</span>
            {locked !== null && <span>{locked}</span>}
          </>
        }
        actions={
          <>
            {canExport && <TableLinks href="/api/v1/cost/budgets" what="Budgets" />}
            {verbs && <NewBudgetButton create={verbs.create} known={known} />}
          </>
        }
      />
      <Deck className="cost">
        {shown === undefined ? (
          <Panel span={12}>
            <Empty
              icon={Gauge}
              title="No budget is set"
              text="A budget is a limit for what the fleet, a team, a project, a type or a region spends in a day, week, month, quarter or year."
            />
          </Panel>
        ) : (
          <>
            <Panel span={12} isFlush className="budget-wide">
              <BudgetsTable
                budgets={budgets}
                now={now}
                shown={shown.id}
                onShow={setAsked}
                verbs={verbs}
                known={known}
              />
            </Panel>
            <section className="budget-cards s12" aria-label="Budgets">
              {budgets.map((budget) => (
                <BudgetCard key={budget.id} budget={budget} now={now}>
                  {verbs && <BudgetActions budget={budget} known={known} verbs={verbs} />}
                </BudgetCard>
              ))}
            </section>
          </>
        )}
        {shown && <BudgetHistory key={shown.id} budget={shown} canExport={canExport} />}
        <DeckColumn span={shown ? 5 : 12}>
          <ForecastScores scores={data.scores} canExport={canExport} />
        </DeckColumn>
      </Deck>
      <p className="page-remark">
        A forecast is what is spent, what runs now until the end of the period or of its lease, storage, and as much as
        lately came and went. Its band is meant to hold 8 of 10 outcomes.
      </p>
    </>
  );
}

type TableProps = {
  budgets: readonly BudgetView[];
  now: number;
  shown: string;
  onShow: (id: string) => void;
  verbs: BudgetVerbs | null;
  known: Parameters<typeof BudgetActions>[0]["known"];
};

function BudgetsTable({ budgets, now, shown, onShow, verbs, known }: TableProps) {
  const timeZone = useTimeZone();
  return (
    <Table label="Budgets">
      <thead>
        <tr>
          <th scope="col">Budget</th>
          <th scope="col" style={{ width: "26%" }}>
            Spent and forecast
          </th>
          <th scope="col" className="num">
            Spent
          </th>
          <th scope="col" className="num">
            Forecast
          </th>
          <th scope="col" className="num">
            Limit
          </th>
          <th scope="col">Passed at today’s rate</th>
          <th scope="col">Thresholds</th>
          {verbs && (
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {budgets.map((budget) => (
          <tr key={budget.id} aria-current={budget.id === shown ? "true" : undefined}>
            <th scope="row">
              <button type="button" className="budget-name" onClick={() => onShow(budget.id)}>
                {budget.name}
              </button>
              <small className="run-sub">
                {budget.name === budget.scope ? "" : `${budget.scope}, `}
                {EVERY_WORDS[budget.every]}
              </small>
            </th>
            <td>
              <BudgetBar budget={budget} />
              <small className="run-sub">{formatPeriod(budget.from, budget.to, timeZone)}</small>
            </td>
            <td className="num">
              <b>{formatUsd(budget.spentMicros)}</b>
              <small className="run-sub">
                {formatPercent(budget.actualPct)}
                {budget.unknownRows > 0 && " + unknown"}
              </small>
            </td>
            <td className="num">
              {formatUsdWhole(budget.forecast.micros)}
              <small className="run-sub">{bandWords(budget)}</small>
            </td>
            <td className="num">
              {formatUsdWhole(budget.limitMicros)}
              <small className="run-sub">at {formatUsdRate(budget.microsPerHour)}</small>
            </td>
            <td>
              <Standing budget={budget} now={now} />
            </td>
            <td>
              <ThresholdBadges budget={budget} />
            </td>
            {verbs && (
              <td>
                <BudgetActions budget={budget} known={known} verbs={verbs} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Standing({ budget, now }: { budget: BudgetView; now: number }) {
  const timeZone = useTimeZone();
  const { tone, word } = standingOf({ ...budget, now });
  const crossing = crossingWords(budget, timeZone);
  return (
    <>
      <Badge tone={tone} icon={tone === "ok" ? Check : TriangleAlert}>
        {word}
      </Badge>
      <small className="run-sub">{crossing ?? "not within the period"}</small>
    </>
  );
}

/** Each threshold, and whether it is reached; what stands at the limit says by which measure. */
function ThresholdBadges({ budget }: { budget: BudgetView }) {
  if (budget.thresholds.length === 0) return <Missing reason="it has no thresholds" />;
  return (
    <span className="budget-rules">
      {budget.thresholds.map(({ on, pct, isReached }) => (
        <Badge key={`${on} ${pct}`} tone={isReached ? "warn" : "plain"} {...(isReached && { icon: TriangleAlert })}>
          {ON_SHORT[on]} {formatPercent(pct)}
          {isReached && <span className="sr-only"> reached</span>}
        </Badge>
      ))}
    </span>
  );
}

function BudgetCard({ budget, now, children }: { budget: BudgetView; now: number; children: React.ReactNode }) {
  return (
    <article className="budget-card">
      <div className="flex items-start justify-between gap-2">
        <p>
          <b>{budget.name}</b>
          <small className="run-sub">
            {budget.name === budget.scope ? "" : `${budget.scope}, `}
            {EVERY_WORDS[budget.every]}
          </small>
        </p>
        {children}
      </div>
      <BudgetBar budget={budget} />
      <p className="cost-line">
        <span>
          <b>{formatUsd(budget.spentMicros)}</b> of {formatUsdWhole(budget.limitMicros)}
        </span>
        <span className="num">{formatPercent(budget.actualPct)}</span>
      </p>
      <p className="cost-line muted text-12">
        <span>forecast {formatUsdWhole(budget.forecast.micros)}</span>
        <span>{bandWords(budget)}</span>
      </p>
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div>
          <Standing budget={budget} now={now} />
        </div>
        <ThresholdBadges budget={budget} />
      </div>
    </article>
  );
}
