"use client";

import { useEffect } from "react";
import { Area, ComposedChart, Line, Tooltip, useActiveTooltipLabel, useIsTooltipActive, XAxis, YAxis } from "recharts";
import { nearestIndex } from "./crosshair";
import { TooltipCard } from "./tooltip-card";
import type { ChartModel, ChartRow } from "./types";

export type LiveLinesProps = {
  title: string;
  model: ChartModel;
  syncId?: string | undefined;
  /** Whether the pointer or the focus is in this chart: there is one tooltip on a page. */
  hasPointer: boolean;
  onMove: (at: number | null) => void;
  onReady: () => void;
};

/** The lines, the crosshair and the tooltip. The only module of a line chart that needs the chart library. */
export function LiveLines({ title, model, syncId, hasPointer, onMove, onReady }: LiveLinesProps) {
  return (
    <ComposedChart
      className="plot-lines"
      responsive
      data={model.rows}
      style={{ width: "100%", height: "100%" }}
      margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
      aria-label={`${title}: left and right arrow keys read one instant after the other`}
      {...(syncId !== undefined && { syncId })}
      syncMethod={(ticks, { activeLabel }) =>
        nearestIndex(
          ticks.map((tick) => Number(tick.value)),
          Number(activeLabel),
        )
      }
    >
      <XAxis dataKey="at" type="number" domain={[model.from, model.to]} allowDataOverflow hide />
      <YAxis domain={[model.y.min, model.y.max]} allowDataOverflow hide />
      {model.lines.map(
        (line, index) =>
          line.hasRange && (
            <Area
              key={`${line.id} range`}
              dataKey={(row: ChartRow) => row.ranges[index]}
              type="linear"
              stroke="none"
              fill={line.color}
              fillOpacity={line.rangeOpacity}
              activeDot={false}
              connectNulls={false}
              isAnimationActive={false}
              tooltipType="none"
            />
          ),
      )}
      {model.lines.map(
        (line, index) =>
          line.hasArea && (
            <Area
              key={`${line.id} area`}
              dataKey={(row: ChartRow) => row.values[index]}
              type={line.isStepped ? "stepAfter" : "linear"}
              stroke="none"
              fill={line.color}
              fillOpacity={0.1}
              activeDot={false}
              connectNulls={false}
              isAnimationActive={false}
              tooltipType="none"
            />
          ),
      )}
      {model.lines.map((line, index) => (
        <Line
          key={line.id}
          dataKey={(row: ChartRow) => row.values[index]}
          name={line.label}
          type={line.isStepped ? "stepAfter" : "linear"}
          stroke={line.color}
          strokeWidth={line.width}
          strokeOpacity={line.opacity}
          {...(line.dash !== null && { strokeDasharray: line.dash })}
          strokeLinejoin="round"
          dot={false}
          activeDot={{ r: 3.5, fill: line.color, stroke: "var(--bg-surface)", strokeWidth: 2 }}
          connectNulls={false}
          isAnimationActive={false}
        />
      ))}
      <Tooltip
        cursor={{ stroke: "var(--text-2)", strokeWidth: 1, strokeOpacity: 0.7 }}
        content={({ active, activeIndex }) =>
          active && hasPointer ? <TooltipCard model={model} index={Number(activeIndex)} /> : null
        }
        position={{ y: 6 }}
        offset={12}
        allowEscapeViewBox={{ x: false, y: true }}
        isAnimationActive={false}
        filterNull={false}
        wrapperStyle={{ zIndex: 3, outline: "none" }}
      />
      <Reporter onMove={onMove} onReady={onReady} />
    </ComposedChart>
  );
}

/** Tells where the crosshair is, and that the chart has been drawn once. */
function Reporter({ onMove, onReady }: Pick<LiveLinesProps, "onMove" | "onReady">) {
  const label = useActiveTooltipLabel();
  const isActive = useIsTooltipActive();
  const at = isActive && label !== undefined ? Number(label) : null;
  useEffect(() => onReady(), [onReady]);
  useEffect(() => onMove(at), [at, onMove]);
  return null;
}
