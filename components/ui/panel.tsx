import type { ReactNode } from "react";
import { cx } from "./cx";

/** Columns of twelve. Below 1181 px five to seven take the whole width; on a phone all do, figures two to a row. */
export type Span = 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 12;

const spans: Record<Span, string> = {
  2: "s2",
  3: "s3",
  4: "s4",
  5: "s5",
  6: "s6",
  7: "s7",
  8: "s8",
  9: "s9",
  12: "s12",
};

export function spanClass(span: Span | undefined): string | undefined {
  return span === undefined ? undefined : spans[span];
}

/** The surface of a page, cut by hairlines into panels and figures. */
export function Deck({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx("deck", className)}>{children}</div>;
}

/** Panels on top of each other in one cell of the deck. */
export function DeckColumn({ span, children }: { span: Span; children: ReactNode }) {
  return <div className={cx("deck-column", spanClass(span))}>{children}</div>;
}

/** Panels two to a row within a cell of the deck; one marked `is-wide` takes the row. */
export function DeckPair({ span, children }: { span?: Span; children: ReactNode }) {
  return <div className={cx("deck-pair", spanClass(span))}>{children}</div>;
}

type Props = {
  /** Left out where the content has a head of its own, as a chart does. */
  title?: ReactNode;
  /** Grey words after the title; gone on a phone. */
  sub?: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  span?: Span;
  /** Content reaches the edges, as a table does. */
  isFlush?: boolean;
  /** Old content stays while new is fetched; a line says so after 400 ms. */
  isRefreshing?: boolean;
  className?: string;
  children?: ReactNode;
};

export function Panel({ title, sub, actions, footer, span, isFlush, isRefreshing, className, children }: Props) {
  return (
    <section
      className={cx("panel", spanClass(span), isFlush && "is-flush", isRefreshing && "is-refreshing", className)}
      aria-busy={isRefreshing || undefined}
    >
      {title !== undefined && (
        <header className="panel-head">
          <h2 className="panel-title">{title}</h2>
          <span className="panel-sub">{sub}</span>
          {actions && <span className="panel-actions">{actions}</span>}
        </header>
      )}
      {children}
      {footer && <footer className="panel-foot">{footer}</footer>}
    </section>
  );
}
