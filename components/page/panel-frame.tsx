"use client";

import { QueryErrorResetBoundary } from "@tanstack/react-query";
import { Component, type ReactNode, Suspense } from "react";
import { cx } from "@/components/ui/cx";
import { type Span, spanClass } from "@/components/ui/panel";
import { ErrorState, Loading, NoPermission } from "@/components/ui/states";

type Props = {
  /** What it shows, for the sentence that says it is missing: "The utilisation". */
  label: string;
  span?: Span;
  /** Rows of the skeleton, of 32 px each. */
  rows?: number;
  children: ReactNode;
};

/** One panel's own waiting and failing: a sick query must not take the page. */
export function PanelFrame({ label, span, rows = 4, children }: Props) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <Boundary
          onRetry={reset}
          draw={(error, retry) => (
            <section className={cx("panel", spanClass(span))}>
              {isRefusal(error) ? (
                <NoPermission title={`${label}: not for your role`} text={error.message} />
              ) : (
                <ErrorState title={`${label} could not be loaded`} text={wordsOf(error)} onRetry={retry} />
              )}
            </section>
          )}
        >
          <Suspense
            fallback={
              <section className={cx("panel", spanClass(span))} aria-busy="true">
                <Loading rows={rows} />
              </section>
            }
          >
            {children}
          </Suspense>
        </Boundary>
      )}
    </QueryErrorResetBoundary>
  );
}

type BoundaryProps = {
  onRetry: () => void;
  draw: (error: Error, retry: () => void) => ReactNode;
  children: ReactNode;
};

class Boundary extends Component<BoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return this.props.draw(error, () => {
      this.props.onRetry();
      this.setState({ error: null });
    });
  }
}

function isRefusal(error: Error): boolean {
  return "status" in error && error.status === 403;
}

function wordsOf(error: Error): string {
  return "status" in error
    ? error.message
    : "The server did not answer. What you saw before is not lost; the fleet goes on as it was.";
}
