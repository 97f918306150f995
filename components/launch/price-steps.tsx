import { formatUsd } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";

type Props = { prices: readonly { micros: string; from: number }[]; now: number; zone: string };

const WIDTH = 240;
const HEIGHT = 28;
const PAD = 3;

/** What a type has cost, as steps, with the steps in words. One price that never moved is one line of words. */
export function PriceSteps({ prices, now, zone }: Props) {
  const [first] = prices;
  const last = prices.at(-1);
  if (!first || !last) return null;
  if (prices.length === 1)
    return <p className="muted pb-2 text-12">The same since {formatDay(first.from, zone, true)}, as far as known.</p>;
  const values = prices.map(({ micros }) => Number(micros));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (at: number) => ((at - first.from) / Math.max(1, now - first.from)) * WIDTH;
  const y = (micros: string) => PAD + (1 - (Number(micros) - low) / Math.max(1, high - low)) * (HEIGHT - 2 * PAD);
  const path = prices
    .map(
      ({ micros, from }, index) =>
        `${index === 0 ? `M0 ${y(micros)}` : `H${x(from).toFixed(1)}V${y(micros).toFixed(1)}`}`,
    )
    .join("");
  return (
    <div className="pb-2">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="price-steps" preserveAspectRatio="none" aria-hidden="true">
        <path d={`${path}H${WIDTH}`} />
      </svg>
      <p className="muted text-12">
        {prices
          .slice(-3)
          .map(({ micros, from }) => `${formatUsd(micros)} since ${formatDay(from, zone, true)}`)
          .join(", then ")}
      </p>
    </div>
  );
}
