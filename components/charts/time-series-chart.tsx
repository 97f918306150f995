"use client";

import { type ComponentType, lazy, memo, useCallback, useMemo, useRef, useState } from "react";
import { StaleBadge } from "@/components/ui/stale-badge";
import { ChartFigure } from "./chart-figure";
import { ChartTable } from "./chart-table";
import { moveCrosshair, nearestIndex } from "./crosshair";
import { WhenNear } from "./lazy";
import type { LiveLinesProps } from "./live-lines";
import { PlotFrame } from "./plot-frame";
import { flagText, latestOf, readout, summarise, unitInHeader } from "./reading";
import { StaticLines } from "./static-lines";
import { TableSwitch } from "./table-switch";
import type { ChartModel } from "./types";

// Where the library cannot be fetched, the still picture stays.
const LiveLines = lazy<ComponentType<LiveLinesProps>>(() =>
  import("./live-lines").then(
    (module) => ({ default: memo(module.LiveLines) }),
    () => ({ default: () => null }),
  ),
);

type Props = { title: string; model: ChartModel; height?: number; syncId?: string };

/** Draws a model. Everything that could be decided has been: no fetching, formatting or colouring here. */
export function TimeSeriesChart({ title, model, height = 128, syncId }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const [isLive, setIsLive] = useState(false);
  const [isTable, setIsTable] = useState(false);
  const [pointer, setPointer] = useState<"mouse" | "keys" | null>(null);
  const hasPointer = useRef(false);
  const summary = useMemo(() => summarise(title, model), [title, model]);

  const enter = (how: "mouse" | "keys" | null) => {
    hasPointer.current = how !== null;
    setPointer(how);
  };
  const switchForm = () => {
    setIsTable(!isTable);
    setIsLive(false);
  };
  const onReady = useCallback(() => setIsLive(true), []);
  const onMove = useCallback(
    (next: number | null) => {
      setAt(next);
      if (syncId !== undefined && (hasPointer.current || next === null)) moveCrosshair(syncId, next);
    },
    [syncId],
  );

  const index =
    at === null || model.rows.length === 0
      ? null
      : nearestIndex(
          model.rows.map((row) => row.at),
          at,
        );
  return (
    <ChartFigure
      title={title}
      sub={[unitInHeader(model.unit), model.sub].filter(Boolean).join(", ") || null}
      summary={summary}
      heightPx={height}
      state={
        model.isEmpty
          ? {
              kind: "empty",
              title: "No readings in this window",
              text: "Nothing was measured. Choose a longer range, or check the agent.",
            }
          : { kind: "ready" }
      }
      actions={
        <>
          {model.staleSince !== null && <StaleBadge at={model.staleSince} />}
          {!model.isEmpty && <TableSwitch title={title} isTable={isTable} onSwitch={switchForm} />}
          <Readout model={model} index={index} isSpoken={pointer === "keys"} />
        </>
      }
    >
      {isTable ? (
        <ChartTable title={title} model={model} heightPx={height} />
      ) : (
        // The pointer is only watched, to know which of several synchronised charts shows the tooltip.
        // biome-ignore lint/a11y/noStaticElementInteractions: nothing is operated here
        <div
          onPointerEnter={() => enter("mouse")}
          onPointerLeave={() => enter(null)}
          onFocus={(event) => enter(event.target.matches(":focus-visible") ? "keys" : "mouse")}
          onBlur={() => enter(null)}
        >
          <PlotFrame
            frame={model}
            heightPx={height}
            flag={
              pointer !== null &&
              at !== null && (
                <b className="time-flag" style={{ left: `${((at - model.from) / (model.to - model.from)) * 100}%` }}>
                  {flagText(model, at)}
                </b>
              )
            }
          >
            {!isLive && <StaticLines model={model} />}
            <WhenNear fallback={null}>
              <LiveLines
                title={title}
                model={model}
                syncId={syncId}
                hasPointer={pointer !== null}
                onMove={onMove}
                onReady={onReady}
              />
            </WhenNear>
          </PlotFrame>
          {model.hiddenLines > 0 && <p className="chart-more">{model.hiddenLines} more, not drawn</p>}
        </div>
      )}
    </ChartFigure>
  );
}

/** The value under the crosshair, or the newest; a line that has gone silent keeps its last value, dotted. */
function Readout({ model, index, isSpoken }: { model: ChartModel; index: number | null; isSpoken: boolean }) {
  if (model.subject === null || model.isEmpty) return null;
  const value = index === null ? latestOf(model, model.subject) : (model.rows[index]?.values[model.subject] ?? null);
  const text = value === null ? { value: "no data", unit: null } : readout(model, value);
  const gap = model.gaps.at(-1);
  const isStale = index === null && (model.staleSince !== null || (gap !== undefined && gap.left + gap.width > 0.999));
  return (
    <output className="readout" aria-live={isSpoken ? "polite" : "off"}>
      <span className={isStale ? "stale" : undefined}>{text.value}</span>
      {text.unit && <small>{text.unit}</small>}
    </output>
  );
}
