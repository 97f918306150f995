import { stripParts } from "@/lib/domain/alerts/timeline";
import type { AlertRow } from "@/lib/domain/alerts/view";

const DAY_MS = 24 * 3_600_000;

/** The last 24 hours of an alert on one axis; the words beside it say the same. */
export function AlertStrip({ row, now }: { row: AlertRow; now: number }) {
  return (
    <span className="strip" aria-hidden="true">
      {stripParts(row, now - DAY_MS, now).map((part) => (
        <i
          key={part.kind}
          data-kind={part.kind}
          style={{ left: `${part.left * 100}%`, width: `${part.width * 100}%` }}
        />
      ))}
    </span>
  );
}

const LEGEND = [
  ["pending", "pending"],
  ["firing", "firing"],
  ["acknowledged", "acknowledged"],
  ["unknown", "cannot be judged"],
] as const;

export function StripLegend() {
  return (
    <ul className="strip-legend">
      {LEGEND.map(([kind, word]) => (
        <li key={kind}>
          <i data-kind={kind} />
          {word}
        </li>
      ))}
    </ul>
  );
}
