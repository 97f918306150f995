import type { Route } from "next";
import { Link } from "@/components/ui/link";
import { type BridgeModel, summariseBridge } from "./bridge-model";
import { ChartFigure } from "./chart-figure";
import { PlotFrame } from "./plot-frame";

const percent = (share: number) => `${Number((share * 100).toFixed(3))}%`;
/** Share of its place that a bar fills. */
const WIDTH = 0.72;

type Props = { title: string; model: BridgeModel; height?: number; hrefOf?: (id: string) => Route | null };

/**
 * A bridge from one total to another. A dozen bars that nobody reads with a cursor, each of which may lead to what it is made of:
 * plain HTML, without the chart library.
 */
export function BridgeChart({ title, model, height = 180, hrefOf }: Props) {
  const count = model.bars.length;
  return (
    <ChartFigure title={title} sub={model.sub} summary={summariseBridge(title, model)} heightPx={height}>
      <div className="bridge" data-many={count > 7 || undefined}>
        <PlotFrame frame={model.frame} heightPx={height}>
          <div className="plot-layer">
            {model.bars.map((bar, index) => {
              const href = hrefOf?.(bar.id) ?? null;
              const left = percent((index + (1 - WIDTH) / 2) / count);
              const content = (
                <>
                  <i
                    className="bridge-bar"
                    data-kind={bar.kind}
                    style={{ top: percent(1 - bar.top), bottom: percent(bar.bottom) }}
                  />
                  <b className="bridge-text" style={{ bottom: percent(bar.top) }}>
                    {bar.text}
                  </b>
                </>
              );
              const place = { left, width: percent(WIDTH / count) };
              return (
                <span key={bar.id}>
                  {href ? (
                    <Link
                      className="bridge-place"
                      style={place}
                      href={href}
                      aria-label={`${bar.label} ${bar.text}: its rows`}
                    >
                      {content}
                    </Link>
                  ) : (
                    <span className="bridge-place" style={place}>
                      {content}
                    </span>
                  )}
                  {index < count - 1 && (
                    <i
                      className="bridge-level"
                      style={{
                        left: percent((index + (1 + WIDTH) / 2) / count),
                        width: percent((1 - WIDTH) / count),
                        bottom: percent(bar.level),
                      }}
                    />
                  )}
                </span>
              );
            })}
          </div>
        </PlotFrame>
      </div>
    </ChartFigure>
  );
}
