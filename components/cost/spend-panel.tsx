"use client";

import type { Route } from "next";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useMemo, useTransition } from "react";
import { StackedBarChart } from "@/components/charts/stacked-bar-chart";
import { Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { DIMENSIONS } from "@/lib/domain/cost/dimensions";
import type { CostAnswer, CostQuestion } from "@/lib/domain/cost/view";
import { spendModel } from "./model";
import { DIMENSION_WORDS } from "./words";

/** Each day of the month, stacked by what the address says. */
export function SpendPanel({ data }: { data: CostAnswer }) {
  const model = useMemo(() => spendModel(data), [data]);
  const given = useSearchParams();
  const path = usePathname();
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const choose = (by: CostQuestion["by"]) => {
    const query = new URLSearchParams(given);
    if (by === "team") query.delete("by");
    else query.set("by", by);
    startTransition(() => router.replace((query.size > 0 ? `${path}?${query}` : path) as Route, { scroll: false }));
  };
  return (
    <Panel span={8} isRefreshing={isPending} className="cost-spend">
      <div className="cost-by">
        <Segmented
          label="Stack the days by"
          options={DIMENSIONS.map((value) => ({ value, label: DIMENSION_WORDS[value] }))}
          value={data.by}
          onChange={choose}
        />
      </div>
      <StackedBarChart
        title={`Spend per day by ${DIMENSION_WORDS[data.by].toLowerCase()}`}
        model={model}
        height={262}
      />
    </Panel>
  );
}
