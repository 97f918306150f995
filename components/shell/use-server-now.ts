"use client";

import { useClock } from "@/components/ui/clock";

/** The server's clock to the second, for handlers that need an instant. */
export function useServerNow(): () => number {
  const seconds = useClock((now) => Math.floor(now / 1_000));
  return () => seconds * 1_000;
}
