import { ArrowDown, ArrowUp } from "lucide-react";
import type { Route } from "next";
import type { CSSProperties, ReactNode } from "react";
import { cx } from "./cx";
import { Link } from "./link";

type ScrollProps = { label: string; heightPx?: number; className?: string; children: ReactNode };

/** A region that scrolls by itself. It takes the focus, or the keyboard could not reach what it hides. */
export function ScrollRegion({ label, heightPx, className, children }: ScrollProps) {
  const style: CSSProperties = heightPx === undefined ? {} : { height: heightPx };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable
    <section className={cx("table-scroll", className)} style={style} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

type TableProps = {
  /** Names the table for those who do not see its panel. */
  label: string;
  /** Rows of 28 px instead of 32. */
  isDense?: boolean;
  /** Less room between columns. */
  isTight?: boolean;
  /** No padding at the ends, for a table in a padded panel. */
  isBare?: boolean;
  className?: string;
  children: ReactNode;
};

export function Table({ label, isDense, isTight, isBare, className, children }: TableProps) {
  return (
    <ScrollRegion label={label}>
      <table
        aria-label={label}
        className={cx("table", isDense && "is-dense", isTight && "is-tight", isBare && "is-bare", className)}
      >
        {children}
      </table>
    </ScrollRegion>
  );
}

/** By which column a table is sorted. */
export type Sort = { by: string; isDescending: boolean };

type SortHeadProps = {
  column: string;
  sort: Sort;
  isNumeric?: boolean;
  className?: string;
  children: ReactNode;
} & (
  | { onSort: (next: Sort) => void }
  | {
      /** Where the sorted table is; for tables whose order lives in the address. */
      href: (next: Sort) => Route;
    }
);

/** A column's head that sorts: first numbers from the largest and words from A, then the other way. */
export function SortHead({ column, sort, isNumeric = false, className, children, ...how }: SortHeadProps) {
  const isCurrent = sort.by === column;
  const next: Sort = { by: column, isDescending: isCurrent ? !sort.isDescending : isNumeric };
  const Arrow = (isCurrent ? sort.isDescending : next.isDescending) ? ArrowDown : ArrowUp;
  const content = (
    <>
      {children}
      <Arrow size={12} aria-hidden="true" />
    </>
  );
  return (
    <th
      scope="col"
      className={cx(isNumeric && "num", className)}
      aria-sort={isCurrent ? (sort.isDescending ? "descending" : "ascending") : "none"}
    >
      {"href" in how ? (
        <Link href={how.href(next)} className="sort" scroll={false}>
          {content}
        </Link>
      ) : (
        <button type="button" className="sort" onClick={() => how.onSort(next)}>
          {content}
        </button>
      )}
    </th>
  );
}

type GroupRowProps = {
  title: ReactNode;
  count?: ReactNode;
  /** Columns that the title takes. */
  columns: number;
  /** The cells after it: sums, each in its own `td`. */
  children?: ReactNode;
};

/** The head of a group of rows, with its sums. */
export function GroupRow({ title, count, columns, children }: GroupRowProps) {
  return (
    <tr className="is-group">
      <th scope="rowgroup" colSpan={columns}>
        <b>{title}</b> {count}
      </th>
      {children}
    </tr>
  );
}
