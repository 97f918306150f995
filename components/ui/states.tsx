import { CircleAlert, Funnel, Inbox, Lock, type LucideIcon, RotateCw } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { Button } from "./button";

/** A grey block of the content's size; only where there is no earlier data. */
export function Skeleton({ height = 14, width = "100%" }: { height?: number; width?: CSSProperties["width"] }) {
  return <i className="skeleton" style={{ height, width }} />;
}

/** Grey lines in the shape of text or a table. Says "Loading" once, to those who listen. */
export function Loading({ rows = 3, rowHeight = 32 }: { rows?: number; rowHeight?: number }) {
  const widths = ["42%", "88%", "71%", "94%", "63%"];
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks without identity
        <div key={row} className="flex items-center" style={{ height: rowHeight }}>
          <Skeleton width={widths[row % widths.length] ?? "80%"} />
        </div>
      ))}
    </div>
  );
}

type BlankProps = { title: string; text: ReactNode; action?: ReactNode };

function Blank({ icon: Icon, title, text, action }: BlankProps & { icon: LucideIcon }) {
  return (
    <div className="blank">
      <Icon size={20} className="blank-icon" aria-hidden="true" />
      <p className="blank-title">{title}</p>
      <p className="blank-text">{text}</p>
      {action}
    </div>
  );
}

/** Nothing yet: one line, how to get data, one action. */
export function Empty({ icon = Inbox, ...rest }: BlankProps & { icon?: LucideIcon }) {
  return <Blank icon={icon} {...rest} />;
}

type FilteredProps = {
  /** "0 of 14 GPUs match" */
  title: string;
  /** The filter itself, as typed. */
  filter: string;
  onClear: () => void;
};

/** There is data, but the filter hides it all. */
export function FilteredToNothing({ title, filter, onClear }: FilteredProps) {
  return (
    <Blank
      icon={Funnel}
      title={title}
      text={
        <>
          The filter <span className="mono">{filter}</span> hides everything.
        </>
      }
      action={
        <Button size="small" onClick={onClear}>
          Clear the filter
        </Button>
      }
    />
  );
}

/** What they do see, and who can change it. */
export function NoPermission(props: BlankProps) {
  return <Blank icon={Lock} {...props} />;
}

type ErrorProps = {
  title: string;
  /** What happened, and what was not lost. */
  text: ReactNode;
  /** To quote when asking for help. */
  reference?: string | undefined;
  onRetry?: (() => void) | undefined;
};

export function ErrorState({ title, text, reference, onRetry }: ErrorProps) {
  return (
    <div className="blank is-left" role="alert">
      <CircleAlert size={20} className="blank-icon tone-crit" aria-hidden="true" />
      <p className="blank-title">{title}</p>
      <p className="blank-text">{text}</p>
      <p className="flex items-center gap-2">
        {onRetry && (
          <Button size="small" icon={RotateCw} onClick={onRetry}>
            Try again
          </Button>
        )}
        {reference !== undefined && <span className="mono muted">ref {reference}</span>}
      </p>
    </div>
  );
}
