"use client";

import { useEffect } from "react";
import { Bar, BarChart, Tooltip, useActiveTooltipLabel, useIsTooltipActive, XAxis, YAxis } from "recharts";
import { BAR_WIDTH } from "./bar-layers";
import type { BarModel, BarRow } from "./bar-model";

export type LiveBarsProps = {
  title: string;
  model: BarModel;
  onMove: (at: number | null) => void;
  onReady: () => void;
  onPress?: ((at: number) => void) | undefined;
};

/** The stacks and the cursor. The only module of a bar chart that needs the chart library. */
export function LiveBars({ title, model, onMove, onReady, onPress }: LiveBarsProps) {
  return (
    <BarChart
      className="plot-lines"
      responsive
      data={model.rows}
      style={{ width: "100%", height: "100%" }}
      margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
      barCategoryGap={`${((1 - BAR_WIDTH) / 2) * 100}%`}
      {...(onPress && {
        onClick: ({ activeLabel }: { activeLabel?: string | number | undefined }) => {
          if (activeLabel !== undefined) onPress(Number(activeLabel));
        },
        cursor: "pointer",
      })}
      aria-label={`${title}: left and right arrow keys read one bar after the other`}
    >
      <XAxis dataKey="at" hide />
      <YAxis domain={[0, model.frame.y.max]} allowDataOverflow hide />
      {model.parts.map((part, index) => (
        <Bar
          key={part.id}
          dataKey={(row: BarRow) => row.amounts[index]}
          name={part.label}
          stackId="all"
          fill={part.color}
          isAnimationActive={false}
        />
      ))}
      <Tooltip
        cursor={{ fill: "var(--text)", fillOpacity: 0.06 }}
        content={() => null}
        isAnimationActive={false}
        filterNull={false}
      />
      <Reporter onMove={onMove} onReady={onReady} />
    </BarChart>
  );
}

function Reporter({ onMove, onReady }: Pick<LiveBarsProps, "onMove" | "onReady">) {
  const label = useActiveTooltipLabel();
  const isActive = useIsTooltipActive();
  const at = isActive && label !== undefined ? Number(label) : null;
  useEffect(() => onReady(), [onReady]);
  useEffect(() => onMove(at), [at, onMove]);
  return null;
}
