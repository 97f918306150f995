import { Link } from "@/components/ui/link";
import type { BarModel } from "./bar-model";
import type { BarHref } from "./bar-table";

const percent = (share: number) => `${Number((share * 100).toFixed(3))}%`;

/** Share of its place that a bar fills. */
export const BAR_WIDTH = 0.72;

/** Forecast bars: dashed outline, faint tint, a whisker for the band, no team colours. Today has both. */
export function Forecast({ model }: { model: BarModel }) {
  const count = model.rows.length;
  return (
    <div className="plot-layer" aria-hidden="true">
      {model.rows.map((row, index) => {
        if (!row.expected) return null;
        const left = percent((index + (1 - BAR_WIDTH) / 2) / count);
        return (
          <span key={row.at}>
            <i
              className="ghost"
              style={{
                left,
                width: percent(BAR_WIDTH / count),
                bottom: percent(row.top),
                top: percent(1 - row.expected.top),
              }}
            />
            <i
              className="whisker"
              style={{
                left: percent((index + 0.5) / count),
                bottom: percent(row.expected.low),
                top: percent(1 - row.expected.high),
              }}
            />
          </span>
        );
      })}
    </div>
  );
}

/** The bars' first sight, until the live ones take over. */
export function StaticBars({ model }: { model: BarModel }) {
  const width = 1000 / model.rows.length;
  return (
    <svg className="plot-lines" viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
      {model.rows.map((row, index) => {
        let below = 0;
        return model.parts.map((part, position) => {
          const size = ((row.amounts[position] ?? 0) / model.frame.y.max) * 100;
          below += size;
          return (
            <rect
              key={`${row.at} ${part.id}`}
              x={(index + (1 - BAR_WIDTH) / 2) * width}
              width={width * BAR_WIDTH}
              y={100 - below}
              height={size}
              fill={part.color}
            />
          );
        });
      })}
    </svg>
  );
}

type ReadoutProps = { model: BarModel; index: number; isSpoken: boolean; hrefOf?: BarHref | undefined };

/** All parts of the bar under the cursor, in stacking order from the top, with the total. It is the legend, too. */
export function BarReadout({ model, index, isSpoken, hrefOf }: ReadoutProps) {
  const row = model.rows[index];
  if (!row) return null;
  const href = hrefOf?.(row.at, null);
  return (
    <div className="bar-readout" aria-live={isSpoken ? "polite" : "off"}>
      <p className="bar-readout-head">
        {row.label}, {model.each}
      </p>
      {model.parts
        .map((part, position) => (
          <p key={part.id}>
            <i style={{ background: part.color }} />
            <span>{part.label}</span>
            <b className="bar-readout-value">{row.texts[position]}</b>
          </p>
        ))
        .reverse()}
      <p className="bar-readout-total">
        <span>{row.expected ? "So far" : "Total"}</span>
        <b className="bar-readout-value">
          {href ? (
            <Link className="name-link" href={href}>
              {row.total}
            </Link>
          ) : (
            row.total
          )}
        </b>
      </p>
      {row.expected ? (
        <p className="bar-readout-forecast">
          <i />
          <span>forecast</span>
          <b className="bar-readout-value">{row.expected.text}</b>
        </p>
      ) : (
        model.hasForecast && (
          <p className="bar-readout-forecast">
            <i />
            <span>forecast</span>
            <b className="bar-readout-value">8 in 10</b>
          </p>
        )
      )}
    </div>
  );
}
