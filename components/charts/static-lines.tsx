import { bandPath, linePath, type Place } from "./path";
import type { ChartModel } from "./types";

/** A chart's first sight: the same lines without a library, in the HTML of the page, until the live ones take over. */
export function StaticLines({ model }: { model: ChartModel }) {
  const { min, max } = model.y;
  const place: Place = (index, value) => [
    (((model.rows[index]?.at ?? model.from) - model.from) / (model.to - model.from)) * 1000,
    100 - ((value - min) / (max - min)) * 100,
  ];
  return (
    <svg className="plot-lines" viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
      {model.lines.map((line, index) => {
        const low = model.rows.map((row) => row.ranges[index]?.[0] ?? null);
        const high = model.rows.map((row) => row.ranges[index]?.[1] ?? null);
        return (
          line.hasRange && (
            <path key={line.id} d={bandPath(low, high, place)} fill={line.color} opacity={line.rangeOpacity} />
          )
        );
      })}
      {model.lines.map((line, index) => {
        const values = model.rows.map((row) => row.values[index] ?? null);
        const floor = values.map((value) => (value === null ? null : min));
        return (
          <g key={line.id} opacity={line.opacity}>
            {line.hasArea && <path d={bandPath(floor, values, place)} fill={line.color} opacity={0.1} />}
            <path
              d={linePath(values, place, line.isStepped)}
              fill="none"
              stroke={line.color}
              strokeWidth={line.width}
              strokeDasharray={line.dash ?? undefined}
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
          </g>
        );
      })}
    </svg>
  );
}
