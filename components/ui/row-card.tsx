import type { ReactNode } from "react";
import { cx } from "./cx";

type Props = {
  name: ReactNode;
  /** Lines under the name. */
  about?: ReactNode;
  /** What it comes to; stands to the right and stays in sight. */
  value: ReactNode;
  /** Lines under the value. */
  more?: ReactNode;
  /** Marks what the others are held against. */
  isMarked?: boolean;
  children?: ReactNode;
};

/** A row of a table on a phone, where the table would have to be dragged before its figures are seen. */
export function RowCard({ name, about, value, more, isMarked, children }: Props) {
  return (
    <li className={cx("row-card", isMarked && "is-marked")}>
      <div className="row-card-name">
        {name}
        {about && <div className="row-card-lines">{about}</div>}
        {children && <div className="row-card-rest">{children}</div>}
      </div>
      <div className="row-card-value num">
        <b>{value}</b>
        {more && <div className="row-card-lines">{more}</div>}
      </div>
    </li>
  );
}
