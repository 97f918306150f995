"use client";

import type { Route } from "next";
import { useMemo } from "react";
import { StackedBarChart } from "@/components/charts/stacked-bar-chart";
import { SelectField } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { FilteredToNothing } from "@/components/ui/states";
import { SPEND_DIMENSIONS } from "@/lib/domain/cost/dimensions";
import {
  COST_TYPES,
  dayCount,
  type ExploreAnswer,
  type ExploreQuestion,
  possiblePer,
  withFilter,
} from "@/lib/domain/cost/explore";
import type { CostAnswer } from "@/lib/domain/cost/view";
import { FilterChips, FilterChoice } from "./filter-choice";
import { RangeChoice } from "./range-choice";
import { exploreModel } from "./spend-model";
import { SpendSum, whichOf } from "./spend-sum";
import { COST_WORDS, PER_WORDS, rowsHref, SPEND_WORDS } from "./spend-words";
import { useQuestion } from "./use-question";

type Props = { data: ExploreAnswer; question: ExploreQuestion; month: CostAnswer };

/** Spend as the address asks for it: which days, in which steps, by what, of whom. */
export function ExplorePanel({ data, question, month }: Props) {
  const { ask, isPending } = useQuestion();
  const isPlain = data.filter.length === 0 && data.cost === "billed";
  const model = useMemo(() => exploreModel(data, isPlain ? month : null), [data, month, isPlain]);
  const hrefOf = useMemo(() => barHref(data, question), [data, question]);
  const word = SPEND_WORDS[data.by].toLowerCase();
  const possible = possiblePer(dayCount(data.window.fromDay, data.window.lastDay));
  const hasLess = data.groups.some(({ micros }) => micros.startsWith("-"));
  const clear = Object.fromEntries(SPEND_DIMENSIONS.map((dimension) => [dimension, undefined]));
  return (
    <Panel span={8} isRefreshing={isPending} className="cost-spend">
      <div className="cost-controls">
        <RangeChoice question={question} window={data.window} months={month.months} ask={ask} />
        <Segmented
          label="A bar for each"
          options={possible.map((value) => ({ value, label: PER_WORDS[value] }))}
          value={data.per}
          onChange={(per) => ask({ per: per === "day" ? undefined : per })}
        />
        <SelectField
          label="Stack by"
          isLabelHidden
          value={data.by}
          onChange={({ target }) => ask({ by: target.value === "team" ? undefined : target.value })}
        >
          {SPEND_DIMENSIONS.map((one) => (
            <option key={one} value={one}>
              By {SPEND_WORDS[one].toLowerCase()}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Cost type"
          isLabelHidden
          value={data.cost}
          onChange={({ target }) => ask({ cost: target.value === "billed" ? undefined : target.value })}
        >
          {COST_TYPES.map((one) => (
            <option key={one} value={one}>
              {COST_WORDS[one]}
            </option>
          ))}
        </SelectField>
        <FilterChoice question={question} ask={ask} />
      </div>
      <FilterChips filters={data.filter} onRemove={(dimension) => ask({ [dimension]: undefined })} />
      <SpendSum data={data} question={question} />
      {data.groups.length === 0 && data.filter.length > 0 ? (
        <FilteredToNothing
          title="Nothing in these days is of that"
          filter={data.filter
            .map(({ dimension, values }) => `${dimension}:${values.map(({ label }) => label).join(",")}`)
            .join(" ")}
          onClear={() => ask(clear)}
        />
      ) : (
        <StackedBarChart title={`Spend per ${data.per} by ${word}`} model={model} height={262} hrefOf={hrefOf} />
      )}
      {hasLess && <p className="cost-small">Credits and corrections downwards are in every figure, not in the bars.</p>}
    </Panel>
  );
}

/** The rows of a bar, or of one of its parts. Within a month they are those that count in it. */
function barHref(data: ExploreAnswer, question: ExploreQuestion): (at: number, part: string | null) => Route | null {
  const bars = new Map(data.bars.map((bar) => [bar.from, bar]));
  return (at, part) => {
    const bar = bars.get(at);
    if (!bar || bar.micros.length === 0) return null;
    const { month: _month, days: _days, from: _from, to: _to, ...rest } = whichOf(question);
    const when = data.per === "hour" ? { hour: bar.from } : { from: bar.fromDay, to: bar.toDay };
    const within = data.window.month === null ? {} : { month: data.window.month };
    if (part === null || !part.startsWith("key "))
      return part === null ? rowsHref({ ...rest, ...within, ...when }) : null;
    return rowsHref(withFilter({ ...rest, ...within, ...when }, data.by, [part.slice("key ".length)]));
  };
}
