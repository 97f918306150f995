"use client";

import { useRouter } from "next/navigation";
import { type ComponentType, lazy, memo, useCallback, useMemo, useState } from "react";
import { BarReadout, Forecast, StaticBars } from "./bar-layers";
import { type BarModel, summariseBars } from "./bar-model";
import { type BarHref, BarTable } from "./bar-table";
import { ChartFigure } from "./chart-figure";
import { WhenNear } from "./lazy";
import type { LiveBarsProps } from "./live-bars";
import { PlotFrame } from "./plot-frame";
import { TableSwitch } from "./table-switch";

// Where the library cannot be fetched, the still picture stays.
const LiveBars = lazy<ComponentType<LiveBarsProps>>(() =>
  import("./live-bars").then(
    (module) => ({ default: memo(module.LiveBars) }),
    () => ({ default: () => null }),
  ),
);

type Props = {
  title: string;
  model: BarModel;
  height?: number;
  /** A press on a bar, and its total, lead there. */
  hrefOf?: BarHref | undefined;
};

/** Stacked bars with the readout of one of them: the one under the cursor, or the newest that has an amount. */
export function StackedBarChart({ title, model, height = 220, hrefOf }: Props) {
  const router = useRouter();
  const [at, setAt] = useState<number | null>(null);
  const [isLive, setIsLive] = useState(false);
  const [isTable, setIsTable] = useState(false);
  const [isByKeys, setIsByKeys] = useState(false);
  const summary = useMemo(() => summariseBars(title, model), [title, model]);
  const onReady = useCallback(() => setIsLive(true), []);
  const onMove = useCallback((next: number | null) => {
    // The last reading stays: it is the legend.
    if (next !== null) setAt(next);
  }, []);

  const onPress = useMemo(
    () =>
      hrefOf &&
      ((pressed: number) => {
        const href = hrefOf(pressed, null);
        if (href) router.push(href);
      }),
    [hrefOf, router],
  );

  const newest = model.rows.findLastIndex((row) => row.amounts.some((amount) => amount > 0));
  const index = model.rows.findIndex((row) => row.at === at);
  return (
    <ChartFigure
      title={title}
      sub={model.sub}
      summary={summary}
      heightPx={height}
      state={
        model.isEmpty
          ? {
              kind: "empty",
              title: "Nothing was billed in this window",
              text: "Choose a longer one, or another group.",
            }
          : { kind: "ready" }
      }
      actions={
        !model.isEmpty && (
          <TableSwitch
            title={title}
            isTable={isTable}
            onSwitch={() => {
              setIsTable(!isTable);
              setIsLive(false);
            }}
          />
        )
      }
    >
      {isTable ? (
        <BarTable title={title} model={model} heightPx={height} hrefOf={hrefOf} />
      ) : (
        // Only to know whether the readout should be spoken: it is where the keyboard moves it.
        // biome-ignore lint/a11y/noStaticElementInteractions: nothing is operated here
        <div onFocus={(event) => setIsByKeys(event.target.matches(":focus-visible"))} onBlur={() => setIsByKeys(false)}>
          <PlotFrame
            frame={model.frame}
            heightPx={height}
            beside={
              <BarReadout
                model={model}
                index={index >= 0 ? index : Math.max(newest, 0)}
                isSpoken={isByKeys}
                hrefOf={hrefOf}
              />
            }
          >
            <Forecast model={model} />
            {!isLive && <StaticBars model={model} />}
            <WhenNear fallback={null}>
              <LiveBars title={title} model={model} onMove={onMove} onReady={onReady} onPress={onPress} />
            </WhenNear>
          </PlotFrame>
        </div>
      )}
    </ChartFigure>
  );
}
