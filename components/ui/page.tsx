import type { ReactNode } from "react";

type TitleProps = { title: ReactNode; badges?: ReactNode; meta?: ReactNode; actions?: ReactNode };

/** The head of a page about one thing: name and state, what it is, what can be done with it (terminate last). */
export function PageTitle({ title, badges, meta, actions }: TitleProps) {
  return (
    <header className="page-title">
      <div>
        <h1>
          {title}
          {badges}
        </h1>
        {meta && <p className="page-meta">{meta}</p>}
      </div>
      {actions && <div className="page-actions">{actions}</div>}
    </header>
  );
}

/** The one sentence a page opens with; what matters most is bold. */
export function Lede({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="lede">
      <p>{children}</p>
      {aside && <span className="muted not-phone ml-auto whitespace-nowrap">{aside}</span>}
    </div>
  );
}

/** Names left, values right. */
export function Facts({ rows }: { rows: readonly (readonly [name: ReactNode, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {rows.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of one list keep their order
        <div key={index} className="contents">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
