import { axisLabel } from "./reading";
import { valueTicks } from "./scale";
import type { Frame, Unit } from "./types";

/** From one total to another: each step with its change; the totals stand at the ends. */
export type BridgeInput = {
  unit: Unit;
  before: { label: string; amount: number; text: string };
  steps: readonly { id: string; label: string; change: number; text: string }[];
  own: { label: string; amount: number; text: string };
  sub?: string;
};

export type BridgeBar = {
  id: string;
  label: string;
  text: string;
  /** Shares of the plot. */
  bottom: number;
  top: number;
  kind: "total" | "more" | "less" | "same";
  /** The level at which the next one begins. */
  level: number;
};

export type BridgeModel = { sub: string | null; bars: BridgeBar[]; frame: Frame };

/** Every decision of a bridge. The axis begins at nothing unless a step goes below it. */
export function bridgeModel({ unit, before, steps, own, sub }: BridgeInput): BridgeModel {
  let reached = before.amount;
  const levels = steps.map(({ change }) => {
    const from = reached;
    reached += change;
    return { from, to: reached };
  });
  const all = [0, before.amount, own.amount, ...levels.flatMap(({ from, to }) => [from, to])];
  const ticks = valueTicks(Math.min(...all), Math.max(...all) || 1, unit, 4);
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const share = (value: number) => (value - low) / (high - low);
  const total = (id: string, { label, amount, text }: BridgeInput["own"]): BridgeBar => ({
    id,
    label,
    text,
    bottom: Math.min(share(0), share(amount)),
    top: Math.max(share(0), share(amount)),
    kind: "total",
    level: share(amount),
  });
  const bars: BridgeBar[] = [
    total("before", before),
    ...steps.map(({ id, label, change, text }, index): BridgeBar => {
      const { from, to } = levels[index] ?? { from: 0, to: 0 };
      return {
        id,
        label,
        text,
        bottom: share(Math.min(from, to)),
        top: share(Math.max(from, to)),
        kind: change > 0 ? "more" : change < 0 ? "less" : "same",
        level: share(to),
      };
    }),
    total("own", own),
  ];
  return {
    sub: sub ?? null,
    bars,
    frame: {
      y: {
        min: low,
        max: high,
        ticks: ticks.map((value) => ({ share: share(value), label: axisLabel(unit, value, ticks) })),
      },
      x: bars.map((bar, index) => ({ share: (index + 0.5) / bars.length, label: bar.label, align: "middle" as const })),
      limits: [],
      spans: [],
      gaps: [],
      pools: [],
      nothingBehind: null,
      happenings: [],
      marks: [],
      ends: [],
      gutterPx: 44,
      endsPx: 0,
    },
  };
}

/** The bridge in one sentence. */
export function summariseBridge(title: string, { bars }: BridgeModel): string {
  return `${title}: ${bars.map(({ label, text }) => `${label} ${text}`).join(", ")}`;
}
