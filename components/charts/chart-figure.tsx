import type { ReactNode } from "react";
import { Empty, ErrorState, NoPermission, Skeleton } from "@/components/ui/states";

/** A chart that is not there yet, or not at all. Each keeps the height of the plot, so nothing moves. */
export type FigureState =
  | { kind: "ready" }
  | { kind: "loading" }
  | { kind: "empty"; title: string; text: string; action?: ReactNode }
  | { kind: "error"; text: string; reference?: string; onRetry?: () => void }
  | { kind: "denied"; text: string; action?: ReactNode };

type Props = {
  title: string;
  sub?: string | null | undefined;
  /** The chart in one sentence; the title where there is none yet. */
  summary?: string | undefined;
  /** At the right of the title: the readout, a badge, a switch. */
  actions?: ReactNode;
  heightPx: number;
  state?: FigureState;
  children?: ReactNode;
};

const TIME_AXIS_PX = 18;

/** Head, body and states of every chart; stands directly in a panel. */
export function ChartFigure({ title, sub, summary, actions, heightPx, state = { kind: "ready" }, children }: Props) {
  return (
    <figure className="chart-figure" aria-label={summary ?? title} aria-busy={state.kind === "loading"}>
      <figcaption className="panel-head">
        <h2 className="panel-title">{title}</h2>
        <span className="panel-sub">{sub}</span>
        {actions && <span className="panel-actions">{actions}</span>}
      </figcaption>
      <div className="chart-body" style={{ minHeight: heightPx + TIME_AXIS_PX }}>
        {state.kind === "ready" ? children : <StandIn state={state} heightPx={heightPx} />}
      </div>
    </figure>
  );
}

function StandIn({ state, heightPx }: { state: Exclude<FigureState, { kind: "ready" }>; heightPx: number }) {
  switch (state.kind) {
    case "loading":
      return (
        <div role="status">
          <span className="sr-only">Loading</span>
          <Skeleton height={heightPx} />
        </div>
      );
    case "empty":
      return <Empty title={state.title} text={state.text} action={state.action} />;
    case "error":
      return (
        <ErrorState
          title="The chart could not be loaded"
          text={state.text}
          reference={state.reference}
          onRetry={state.onRetry}
        />
      );
    case "denied":
      return <NoPermission title="Not shown to you" text={state.text} action={state.action} />;
  }
}
