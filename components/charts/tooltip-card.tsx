import { tooltipHead, tooltipRows } from "./reading";
import type { ChartModel } from "./types";

/** The one form a tooltip has. */
export function TooltipCard({ model, index }: { model: ChartModel; index: number }) {
  const row = model.rows[index];
  if (!row) return null;
  return (
    <div className="chart-tip">
      <p className="chart-tip-head">{tooltipHead(model, row.at)}</p>
      {tooltipRows(model, index).map((line) => (
        <p key={line.label} data-missing={line.isMissing || undefined}>
          {line.color && <i style={{ background: line.color }} />}
          {line.label}
          <b>{line.text}</b>
        </p>
      ))}
    </div>
  );
}
