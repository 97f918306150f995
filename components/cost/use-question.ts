"use client";

import type { Route } from "next";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTransition } from "react";

/** The question in the address: some of its words changed, the others kept; what is undefined goes. */
export function useQuestion(): {
  isPending: boolean;
  /** `meanwhile` sets optimistic state, which stands until the answer is there. */
  ask: (changes: Record<string, string | undefined>, meanwhile?: () => void) => void;
  hrefOf: (changes: Record<string, string | undefined>) => Route;
} {
  const given = useSearchParams();
  const path = usePathname();
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const hrefOf = (changes: Record<string, string | undefined>) => {
    const query = new URLSearchParams(given);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) query.delete(name);
      else query.set(name, value);
    }
    return (query.size > 0 ? `${path}?${query}` : path) as Route;
  };
  return {
    isPending,
    hrefOf,
    ask: (changes, meanwhile) =>
      startTransition(() => {
        meanwhile?.();
        router.replace(hrefOf(changes), { scroll: false });
      }),
  };
}
