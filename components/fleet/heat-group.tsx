"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { useThemeColors } from "@/components/charts/theme-colors";
import { Link } from "@/components/ui/link";
import { Age } from "@/components/ui/time";
import { formatCelsius, formatCount, formatGibOf, formatNumber, formatPercent, formatWatts } from "@/lib/domain/format";
import { type HeatMetric, type LiveView, liveEntry, type RosterGpu } from "@/lib/domain/telemetry/live";
import { type Cells, cellAfter, cellAt, columnsIn, type Domain, type HeatGroup, summaryOf } from "./heat-model";
import { HEAT_COLOURS, type HeatColours, paint } from "./heat-paint";

type Props = {
  group: HeatGroup;
  gpus: readonly RosterGpu[];
  view: LiveView;
  cells: Cells;
  metric: HeatMetric;
  firing: ReadonlySet<string>;
  domain: Domain;
  pitch: number;
};

/**
 * One group as a picture of squares. Drawn on a canvas: ten thousand elements would neither scroll nor repaint smoothly. The
 * whole picture is one stop of the Tab key; arrows walk its cells, Enter opens the machine.
 */
export function HeatGroupFigure(props: Props) {
  const { group, gpus, cells, metric, firing, domain, pitch } = props;
  const { places } = group;
  const router = useRouter();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  const [at, setAt] = useState<number | null>(null);
  const [isTouched, setTouched] = useState(false);
  const colours: HeatColours | null = useThemeColors(HEAT_COLOURS);
  const columns = columnsIn(widthPx, pitch);
  const heightPx = Math.ceil(places.length / columns) * pitch;

  useEffect(() => {
    const box = canvas.current?.parentElement;
    if (!box) return;
    const observer = new ResizeObserver(([entry]) => setWidthPx(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!canvas.current || !colours || widthPx === 0) return;
    const isFiring = (place: number) => firing.has(gpus[place]?.resourceId ?? "");
    paint(canvas.current, { places, cells, metric, domain, pitch, columns, isFiring, widthPx, heightPx, colours });
  }, [colours, widthPx, heightPx, places, cells, metric, domain, pitch, columns, firing, gpus]);

  const gpu = at === null ? undefined : gpus[places[at] ?? -1];
  const open = () => gpu && router.push(addressOf(gpu));

  const point = (event: PointerEvent<HTMLButtonElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return cellAt(event.clientX - box.left, event.clientY - box.top, pitch, columns, places.length);
  };
  const move = (event: PointerEvent<HTMLButtonElement>) => event.pointerType !== "touch" && setAt(point(event));
  const press = (event: PointerEvent<HTMLButtonElement>) => {
    setTouched(event.pointerType === "touch");
    if (event.pointerType === "touch") setAt(point(event));
  };
  const walk = (event: KeyboardEvent) => {
    if (event.key === "Escape") return setAt(null);
    const next = cellAfter(event.key, at ?? 0, columns, places.length);
    if (next === null) return;
    event.preventDefault();
    setAt(at === null ? 0 : next);
  };

  const summary = summaryOf(cells, places, metric);
  const words = [
    formatCount(summary.gpus, "GPU"),
    summary.known === 0 ? "no data" : `mean ${readingOf(metric, summary.mean ?? Number.NaN)}`,
    ...(summary.low > 0 ? [`${formatNumber(summary.low)} at 5 % or less`] : []),
    ...(summary.known < summary.gpus && summary.known > 0
      ? [`${formatNumber(summary.gpus - summary.known)} without data`]
      : []),
  ].join(", ");

  return (
    <section className="heat-group">
      <h3>
        <span className="ellipsis">{group.label}</span>
        <span className="muted">{words}</span>
      </h3>
      <div className="heat-picture">
        <button
          type="button"
          className="heat-cells"
          style={{ height: heightPx }}
          aria-label={`${group.label}: ${words}. Arrow keys walk the GPUs, Enter opens the machine.`}
          onPointerMove={move}
          onPointerDown={press}
          onPointerLeave={(event) => event.pointerType !== "touch" && setAt(null)}
          onFocus={(event) => event.currentTarget.matches(":focus-visible") && setAt(at ?? 0)}
          onBlur={() => setAt(null)}
          onKeyDown={walk}
          // A finger cannot hover: it first looks, and follows the link in the note.
          onClick={() => !isTouched && open()}
        >
          <canvas ref={canvas} />
          {at !== null && (
            <i
              className="heat-here"
              style={{
                left: (at % columns) * pitch,
                top: Math.floor(at / columns) * pitch,
                width: pitch - 1,
                height: pitch - 1,
              }}
            />
          )}
        </button>
        {at !== null && gpu && (
          <Tip
            {...props}
            gpu={gpu}
            place={places[at] ?? 0}
            isLinked={isTouched}
            style={tipPlace(at, columns, pitch, widthPx)}
          />
        )}
      </div>
    </section>
  );
}

const TIP_PX = 232;

/** Beside the cell, on the side where there is room. */
function tipPlace(at: number, columns: number, pitch: number, widthPx: number) {
  const [x, y] = [(at % columns) * pitch, Math.floor(at / columns) * pitch];
  const left = x + pitch + 6 + TIP_PX <= widthPx ? x + pitch + 6 : Math.max(0, x - TIP_PX - 6);
  const isUnder = left < x + pitch && left + TIP_PX > x;
  return { left, top: isUnder ? y + pitch + 6 : y, width: Math.min(TIP_PX, widthPx) };
}

type TipProps = Props & {
  gpu: RosterGpu;
  place: number;
  isLinked: boolean;
  style: { left: number; top: number; width: number };
};

function Tip({ gpu, place, view, cells, metric, firing, isLinked, style }: TipProps) {
  const { at, isSilent, effectiveBy } = view.gpu(place);
  const value = cells.values[place] ?? Number.NaN;
  const memoryPct = view.values("memoryUsedPct")[place] ?? Number.NaN;
  const used = Number.isNaN(memoryPct) || gpu.memoryMib === null ? null : (memoryPct / 100) * gpu.memoryMib;
  return (
    <div className="heat-tip" style={style} role="status">
      <p className="muted">
        {gpu.name}, GPU {gpu.position}
        {gpu.mig && `, MIG ${gpu.mig}`}
      </p>
      <dl>
        <dt>{isSilent ? `${liveEntry(metric).label}, last` : liveEntry(metric).label}</dt>
        <dd>
          {Number.isNaN(value) ? (
            "not reported"
          ) : (
            <span className={isSilent ? "stale" : undefined}>{readingOf(metric, value)}</span>
          )}
        </dd>
        {metric === "effectivePct" && effectiveBy !== null && (
          <>
            <dt>Read from</dt>
            <dd>{EFFECTIVE_WORDS[effectiveBy] ?? effectiveBy}</dd>
          </>
        )}
        <dt>VRAM</dt>
        <dd className={isSilent ? "stale" : undefined}>{formatGibOf(used, gpu.memoryMib)}</dd>
        <dt>{isSilent ? "Silent, last sample" : "Sample"}</dt>
        <dd>{at === null ? "none yet" : <Age at={at} />}</dd>
        {firing.has(gpu.resourceId) && (
          <>
            <dt>Alert</dt>
            <dd className="text-crit">firing</dd>
          </>
        )}
      </dl>
      {isLinked && (
        <Link
          href={addressOf(gpu)}
          className="link"
          // Before the picture loses the focus, and the note with it.
          onPointerDown={(event) => event.preventDefault()}
        >
          Open {gpu.name}
        </Link>
      )}
    </div>
  );
}

const EFFECTIVE_WORDS: Partial<Record<string, string>> = {
  utilizationPct: "GPU utilisation",
  smActivePct: "SM activity",
  tensorActivePct: "tensor cores",
  dramActivePct: "memory bandwidth",
};

function addressOf(gpu: RosterGpu): Route {
  return `/fleet/${gpu.resourceId}` as Route;
}

function readingOf(metric: HeatMetric, value: number): string {
  if (metric === "temperatureC") return formatCelsius(value);
  return metric === "powerW" ? formatWatts(value) : formatPercent(value);
}
