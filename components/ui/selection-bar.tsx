import type { ReactNode } from "react";

type Props = {
  count: number;
  /** What they are together: "$0.570/min together". */
  sum?: ReactNode;
  children: ReactNode;
};

/** What can be done with the rows that are selected, and what they cost. */
export function SelectionBar({ count, sum, children }: Props) {
  return (
    <section className="selection-bar" aria-label="Selection">
      <b aria-live="polite">{count} selected</b>
      {sum && <span className="muted">{sum}</span>}
      {children}
    </section>
  );
}
