import type { Route } from "next";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { Link } from "./link";
import { type Span, spanClass } from "./panel";

type Props = {
  label: string;
  value: ReactNode;
  /** Grey, after the value: "%", "/h", "on 7 instances". */
  unit?: ReactNode;
  note?: ReactNode;
  /** The rows behind the number. */
  href?: Route;
  /** Why there is no value, or why it is old. */
  isStale?: boolean;
  span?: Span;
};

/** One number of a page, with its label above and what belongs to it below. */
export function KeyFigure({ label, value, unit, note, href, isStale, span }: Props) {
  const className = cx("figure", spanClass(span));
  const content = (
    <>
      <span className="figure-label">{label}</span>
      <span className="figure-value">
        <span className={isStale ? "stale" : undefined}>{value}</span>
        {unit !== undefined && <small className="figure-unit">{unit}</small>}
      </span>
      <span className="figure-note">{note}</span>
    </>
  );
  return href === undefined ? (
    <div className={className}>{content}</div>
  ) : (
    <Link href={href} className={className}>
      {content}
    </Link>
  );
}
