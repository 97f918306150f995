import { formatNumber } from "@/lib/domain/format";
import { type HeatMetric, liveEntry, type RosterGpu } from "@/lib/domain/telemetry/live";
import { type Cells, type Domain, histogramOf, isLow, STEPS, valueAt } from "./heat-model";

type Props = {
  metric: HeatMetric;
  cells: Cells;
  places: readonly number[];
  gpus: readonly RosterGpu[];
  firing: ReadonlySet<string>;
  domain: Domain;
};

const BINS = 27;

/** What the colours say, how many cells have which, and the three marks that are no colour of the ramp. */
export function HeatLegend({ metric, cells, places, gpus, firing, domain }: Props) {
  const { label, unit } = liveEntry(metric);
  const counts = histogramOf(cells, places, domain, BINS);
  // On the root of the count, or the few that stand apart would not be seen.
  const most = Math.sqrt(Math.max(1, ...counts));
  const silent = places.filter((place) => cells.isSilent(place)).length;
  const unknown = places.filter((place) => Number.isNaN(valueAt(cells, place))).length - silent;
  const low = places.filter((place) => isLow(metric, valueAt(cells, place))).length;
  const alarmed = places.filter((place) => firing.has(gpus[place]?.resourceId ?? "")).length;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => domain.min + share * (domain.max - domain.min));
  const hasLow = metric === "utilizationPct" || metric === "effectivePct";
  return (
    <div className="heat-legend">
      <figure className="heat-ramp" aria-label={`Colours of ${label}, from ${domain.min} to ${domain.max} ${unit}`}>
        <figcaption>
          {label}, {unit}
        </figcaption>
        <svg viewBox={`0 0 ${BINS} 10`} preserveAspectRatio="none" aria-hidden="true">
          {counts.map((count, bin) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: bars are their places
              key={bin}
              x={bin + 0.08}
              width={0.84}
              y={10 - (10 * Math.sqrt(count)) / most}
              height={(10 * Math.sqrt(count)) / most}
              fill={hasLow && bin === 0 ? "var(--warn-mark)" : `var(--seq-${Math.floor((bin * STEPS) / BINS) + 1})`}
            />
          ))}
        </svg>
        <span className="heat-steps" aria-hidden="true">
          {Array.from({ length: STEPS }, (_, step) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are their places
            <i key={step} style={{ background: `var(--seq-${step + 1})` }} />
          ))}
        </span>
        <span className="heat-ticks" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick}>{formatNumber(tick)}</span>
          ))}
        </span>
      </figure>
      <ul className="heat-marks">
        <Mark look="is-unknown" words="silent" count={silent} />
        {unknown > 0 && <Mark look="is-unknown" words="not reported" count={unknown} />}
        {hasLow && <Mark look="is-low" words="5 % or less" count={low} />}
        <Mark look="is-firing" words="firing" count={alarmed} />
      </ul>
    </div>
  );
}

function Mark({ look, words, count }: { look: string; words: string; count: number }) {
  return (
    <li>
      <i className={`heat-mark ${look}`} aria-hidden="true" />
      {words} <b>{formatNumber(count)}</b>
    </li>
  );
}
