import { stripParts } from "@/lib/domain/alerts/timeline";
import type { AlertRow } from "@/lib/domain/alerts/view";
import { formatCount } from "@/lib/domain/format";

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

/** The last 24 hours of a rule, an hour a block: how noisy it is. */
export function RuleStrip({ firedByHour }: { firedByHour: readonly number[] }) {
  const hours = firedByHour.filter((fired) => fired > 0).length;
  const most = Math.max(...firedByHour);
  if (hours === 0) return <span className="muted">quiet</span>;
  const words = `fired in ${hours} of the last ${firedByHour.length} hours, at most ${formatCount(most, "alert")} at once`;
  return (
    <span className="rule-strip" role="img" aria-label={words} title={words}>
      {firedByHour.map((fired, hour) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the hours are what they are by their place
        <i key={hour} data-level={fired === 0 ? 0 : fired === 1 ? 1 : fired < 5 ? 2 : 3} />
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
