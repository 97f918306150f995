import { bandPath, linePath, type Place, runs } from "./path";
import type { Column } from "./types";

type Props = {
  /** Evenly spaced; null where nothing was measured. */
  values: Column;
  /** What it shows and over which time, for those who do not see it. */
  label: string;
  width?: number;
  height?: number;
  /** One scale for a whole column of sparklines. */
  min?: number;
  max?: number;
  /** Amber only where the machine is idle. */
  tone?: "neutral" | "warn" | "accent";
  /** As wide as its place, whatever that is; `width` is then only the drawing's own measure. */
  isFluid?: boolean;
};

const strokes = { neutral: "var(--text-2)", warn: "var(--warn-mark)", accent: "var(--chart-1)" };

/** Drawn by hand as one SVG path: a table has one per row, and it must be there before any script runs. */
export function Sparkline({
  values,
  label,
  width = 96,
  height = 20,
  min = 0,
  max = 100,
  tone = "neutral",
  isFluid = false,
}: Props) {
  const last = Math.max(values.length - 1, 1);
  const place: Place = (index, value) => [
    (index / last) * width,
    height - 1.5 - ((Math.min(Math.max(value, min), max) - min) / (max - min || 1)) * (height - 3),
  ];
  const floor = values.map((value) => (value === null ? null : min));
  const isSilent = values.map((value) => (value === null ? 1 : null));
  const stroke = strokes[tone];

  return (
    <span className="spark" style={{ width: isFluid ? "100%" : width, height }} role="img" aria-label={label}>
      {runs(isSilent).map(([from, to]) => {
        const left = Math.max(from - 1, 0) / last;
        const right = Math.min(to + 1, last) / last;
        return (
          <i key={from} className="hatched" style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }} />
        );
      })}
      <svg
        width={isFluid ? "100%" : width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={bandPath(floor, values, place)} fill={stroke} opacity={0.12} />
        <path
          d={linePath(values, place)}
          fill="none"
          stroke={stroke}
          strokeWidth={1.25}
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </span>
  );
}
