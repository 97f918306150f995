"use client";

import { ErrorState } from "@/components/ui/states";

/** When a whole page fails; single panels fail by themselves. */
export function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div className="p-4">
      <ErrorState
        title="This page could not be shown"
        text="Something went wrong on our side, or the database is away. Nothing was changed, and the worker goes on watching the fleet."
        reference={error.digest}
        onRetry={reset}
      />
    </div>
  );
}
