import type { CSSProperties, ReactNode } from "react";
import { placeEnds, placeFlags } from "./labels";
import type { Frame, Stretch } from "./types";

const percent = (share: number) => `${Number((share * 100).toFixed(3))}%`;
const fromTop = (share: number) => percent(1 - share);

type Props = {
  frame: Frame;
  heightPx: number;
  /** The lines or bars themselves, filling the plot. */
  children: ReactNode;
  /** At the right of the plot, below it on a phone. */
  beside?: ReactNode;
  /** On the time axis: where the crosshair stands. */
  flag?: ReactNode;
};

/**
 * All of a chart that does not follow the pointer: grid, axes, spans, gaps, pools, limits, labels. Plain HTML placed by
 * share, so it is on the page before any script, crisp at any width, and the same under the first sight and the live
 * lines. Everything in it is also in the figure's sentence or its table; hence hidden from assistive technology.
 */
export function PlotFrame({ frame, heightPx, children, beside, flag }: Props) {
  const style: CSSProperties & Record<`--${string}`, string> = {
    "--gutter": `${frame.gutterPx}px`,
    "--ends": `${frame.endsPx}px`,
    "--plot": `${heightPx}px`,
  };
  return (
    <div className="chart" style={style}>
      <div className="plot">
        <Under frame={frame} />
        {children}
        <Over frame={frame} heightPx={heightPx} />
      </div>
      <div
        className="time-axis"
        aria-hidden="true"
        data-days={frame.x.some((tick) => tick.label.length > 5) || undefined}
      >
        {frame.x.map((tick) => (
          <span key={tick.share} data-align={tick.align} style={{ left: percent(tick.share) }}>
            {tick.label}
          </span>
        ))}
        {flag}
      </div>
      {frame.ends.length > 0 && <Ends frame={frame} heightPx={heightPx} />}
      {beside}
    </div>
  );
}

function Under({ frame }: { frame: Frame }) {
  return (
    <div className="plot-layer" aria-hidden="true">
      {frame.pools.map((pool) => (
        <i
          key={pool.id}
          className="pool"
          style={{ bottom: percent(pool.bottom), top: fromTop(pool.top), color: pool.color }}
          data-open={pool.top >= 1 || undefined}
        />
      ))}
      {frame.y.ticks.map((tick) => (
        <i
          key={tick.share}
          className="grid-line"
          style={{ top: fromTop(tick.share) }}
          data-base={tick.share === 0 || undefined}
        />
      ))}
      {frame.nothingBehind && (
        <i
          className="nothing-behind"
          style={{ bottom: percent(frame.nothingBehind.bottom), top: fromTop(frame.nothingBehind.top) }}
        />
      )}
      {frame.spans.map((span) => (
        <i
          key={`${span.kind}${span.left}`}
          className="span"
          data-kind={span.kind}
          style={{ left: percent(span.left), width: percent(span.width) }}
        />
      ))}
    </div>
  );
}

function Over({ frame, heightPx }: { frame: Frame; heightPx: number }) {
  const flags = placeFlags(
    frame.limits.map((limit) => limit.share),
    heightPx,
  );
  return (
    <div className="plot-layer" aria-hidden="true">
      {frame.happenings.map(({ left, tone }) => (
        <i key={left} className="happening" data-tone={tone} style={{ left: percent(left) }} />
      ))}
      {frame.gaps.map((gap) => (
        <i
          key={gap.left}
          className="gap"
          style={{ left: percent(gap.left), width: percent(gap.width) }}
          data-align={edge(gap.left, gap.width)}
          data-at={gap.labelAt}
        >
          {gap.label && <b>{gap.label}</b>}
        </i>
      ))}
      {frame.limits.map((limit) => (
        <i
          key={limit.label}
          className="limit"
          data-tone={limit.tone}
          data-dashed={limit.isDashed || undefined}
          style={{ top: fromTop(limit.share) }}
        />
      ))}
      {frame.pools.map((pool) => (
        <span key={pool.id} className="pool-label" style={{ bottom: percent(pool.bottom) }}>
          <b>{pool.label}</b>
          {pool.verdict && <em>, {pool.verdict}</em>}
        </span>
      ))}
      {frame.limits.map((limit, index) => (
        <span
          key={limit.label}
          className="flag"
          data-tone={limit.tone}
          data-side={limit.side}
          data-place={flags[index]}
          style={{ top: fromTop(limit.share) }}
        >
          {limit.label}
        </span>
      ))}
      {frame.spans.map(
        (span, index) =>
          span.label && (
            <span
              key={`${span.kind}${span.left}`}
              className="span-label"
              data-kind={span.kind}
              data-lower={lowerBelow(frame.spans[index - 1], span)}
              data-align={isLate(span) ? "before" : "start"}
              style={{ left: percent(span.left) }}
            >
              {span.label}
            </span>
          ),
      )}
      {frame.marks.map((mark) => (
        <span
          key={`${mark.left}${mark.share}`}
          className="mark"
          data-tone={mark.tone}
          style={{ left: percent(mark.left), top: fromTop(mark.share) }}
        >
          {mark.label && <b>{mark.label}</b>}
        </span>
      ))}
      {frame.y.ticks.map((tick) => (
        <span key={tick.share} className="value-label" style={{ top: fromTop(tick.share) }}>
          {tick.label}
        </span>
      ))}
    </div>
  );
}

function Ends({ frame, heightPx }: { frame: Frame; heightPx: number }) {
  const places = placeEnds(
    frame.ends.map((end) => end.share),
    heightPx,
  );
  return (
    <div className="ends" aria-hidden="true">
      {frame.ends.map((end, index) => (
        <span key={end.id} className="end" data-total={end.isTotal || undefined} style={{ top: places[index] }}>
          <i style={{ background: end.color }} />
          <b>{end.label}</b>
          <em data-missing={end.isMissing || undefined}>{end.text}</em>
        </span>
      ))}
    </div>
  );
}

const WIDTHS = [300, 450, 600, 900];

/** The plot's width below which the words of the span before reach into this one, so that these go a line lower. */
function lowerBelow(before: Stretch | undefined, { left }: Stretch): number | undefined {
  if (!before?.label) return;
  const neededPx = (10 + 6.2 * before.label.length) / Math.max(left - before.left, 0.001);
  return WIDTHS.find((width) => width >= neededPx) ?? WIDTHS.at(-1);
}

/** Words of a narrow span near the right edge stand before it. */
function isLate({ left, width }: Stretch): boolean {
  return left > 0.6 && width < 0.2;
}

/** Which end of a gap its words hold on to, so that they stay within the plot. */
function edge(left: number, width: number): "start" | "middle" | "end" {
  const middle = left + width / 2;
  return middle < 0.15 ? "start" : middle > 0.85 ? "end" : "middle";
}
