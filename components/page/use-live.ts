"use client";

import {
  type DefaultError,
  type QueryKey,
  type UseSuspenseQueryOptions,
  useSuspenseQuery,
} from "@tanstack/react-query";
import { useClockCorrection } from "@/components/ui/clock";

/** The newest answer to a question. It corrects the page's clock; when a later fetch fails, the last answer stays and `failure` says why. */
export function useLive<T extends { now: number }, K extends QueryKey>(
  options: UseSuspenseQueryOptions<T, DefaultError, T, K>,
) {
  const { data, isRefetchError, error } = useSuspenseQuery(options);
  useClockCorrection(data.now);
  return { data, failure: isRefetchError ? error : null };
}
