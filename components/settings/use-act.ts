"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState, useTransition } from "react";
import type { Failure, Result } from "@/lib/errors";

export type Act<I, T> = (input: I) => Promise<Result<T>>;

const LOST: Failure = {
  code: "unavailable",
  message: "The server did not answer. Look whether the change is there before you try again.",
  fields: {},
  retryAfterMs: null,
};

/** Runs an act of a person; afterwards everything on the page is asked again. A refusal stays until the next try. */
export function useAct<I, T>(act: Act<I, T>) {
  const queries = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isPending, start] = useTransition();

  const run = (input: I, onDone?: (data: T) => void) =>
    start(async () => {
      setFailure(null);
      const result = await act(input).catch(() => ({ ok: false as const, error: LOST }));
      if (result.ok) {
        onDone?.(result.data);
        await queries.invalidateQueries();
      } else setFailure(result.error);
    });

  return { run, failure, isPending, clear: () => setFailure(null) };
}
