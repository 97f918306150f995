import { cx } from "./cx";

type Props = {
  value: number;
  max: number;
  /** In words, with its unit: "89 % of VRAM". The number also stands beside the meter. */
  label: string;
  /** A width in px, or the whole of its place. */
  widthPx?: number;
  tone?: "neutral" | "warn" | "crit" | "unknown";
  /** A category instead of a state. */
  slot?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  /** A tick at this value: a limit. */
  limit?: number;
};

/** A bar beside a number, never instead of one. Amber from the alert threshold on. */
export function Meter({ value, max, label, widthPx, tone = "neutral", slot, limit }: Props) {
  const share = (amount: number) => `${Math.min(Math.max(max > 0 ? amount / max : 0, 0), 1) * 100}%`;
  return (
    <span className={cx("meter", `tone-${tone}`)} role="img" aria-label={label} style={{ width: widthPx ?? "100%" }}>
      <i style={{ width: share(value), ...(slot && { background: `var(--chart-${slot})` }) }} />
      {limit !== undefined && <u style={{ left: share(limit) }} />}
    </span>
  );
}
