"use client";

import type { Route } from "next";
import { useMemo } from "react";
import { TimeSeriesChart } from "@/components/charts/time-series-chart";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import type { CostAnswer } from "@/lib/domain/cost/view";
import { runningModel } from "./model";
import { monthName } from "./words";

/** The month's total as it grows, against the budget and the month before. */
export function RunningPanel({ data }: { data: CostAnswer }) {
  const model = useMemo(() => runningModel(data), [data]);
  const { forecast, compared } = data;
  return (
    <Panel
      span={4}
      footer={
        <ul className="cost-legend">
          <li data-kind="spent">spent</li>
          {forecast && <li data-kind="forecast">forecast, shade holds 8 in 10</li>}
          {compared && <li data-kind="before">{monthName(compared.before.fromDay.slice(0, 7), false)}</li>}
          {data.isCurrent && (
            <li className="ml-auto">
              <Link className="link" href={"/cost/budgets" as Route}>
                {data.budget ? "Change the budget" : "Set a budget"}
              </Link>
            </li>
          )}
        </ul>
      }
    >
      <TimeSeriesChart title={data.isCurrent ? "Month to date" : "The month as it grew"} model={model} height={236} />
    </Panel>
  );
}
