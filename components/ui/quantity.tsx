import { NBSP, NONE, splitUnit, THIN } from "@/lib/domain/format";
import { cx } from "./cx";

type Props = {
  /** As `lib/domain/format` writes it. */
  text: string;
  /** Why there is none, where there is none. */
  reason?: string;
  /** Older than three intervals: it stays, grey and dotted. */
  isStale?: boolean;
  className?: string;
};

/** A number with its unit in grey; a dash says why. */
export function Quantity({ text, reason, isStale = false, className }: Props) {
  if (text === NONE) return <Missing {...(reason !== undefined && { reason })} />;
  const { value, unit } = splitUnit(text);
  return (
    <span className={cx("whitespace-nowrap", isStale && "stale", className)} title={isStale ? reason : undefined}>
      {value}
      {unit !== null && (
        <span className={isStale ? undefined : "unit"}>
          {unit.startsWith("/") ? "" : unit === "%" ? THIN : NBSP}
          {unit}
        </span>
      )}
    </span>
  );
}

/** Not available. Never 0, and never without a reason where one is known. */
export function Missing({ reason }: { reason?: string }) {
  return (
    <span className="muted" title={reason}>
      <span aria-hidden="true">{NONE}</span>
      <span className="sr-only">{reason === undefined ? "not available" : `not available: ${reason}`}</span>
    </span>
  );
}
