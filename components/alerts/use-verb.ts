"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState, useTransition } from "react";
import type { Failure, Result } from "@/lib/errors";
import { ALERTS } from "@/lib/queries/alerts";

/** A verb of the server, as a page hands it over. */
export type Verb<I, T = { id: string }> = (input: I) => Promise<Result<T>>;

const UNREACHED: Failure = {
  code: "unavailable",
  message: "The server did not answer, so it is not known whether this was done. Look again before you repeat it.",
  fields: {},
  retryAfterMs: null,
};

/** Runs a verb. Whatever came of it, everything that shows alerts is asked again. */
export function useVerb<I, T>(verb: Verb<I, T>, onDone: (data: T) => void, onRefused?: (failure: Failure) => void) {
  const client = useQueryClient();
  const [isPending, start] = useTransition();
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = (input: I) =>
    start(async () => {
      const result = await verb(input).catch((): Result<T> => ({ ok: false, error: UNREACHED }));
      await Promise.all([
        client.invalidateQueries({ queryKey: [ALERTS] }),
        client.invalidateQueries({ queryKey: ["overview"] }),
      ]);
      if (result.ok) {
        setFailure(null);
        onDone(result.data);
      } else {
        setFailure(result.error);
        onRefused?.(result.error);
      }
    });
  return { run, isPending, failure, clear: () => setFailure(null) };
}
