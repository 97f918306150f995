"use client";

import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";

type ClockStore = {
  now: () => number;
  /** As it stood when the page was made: what is still to be hydrated was drawn with it. */
  start: number;
  set: (now: number, isStill: boolean) => void;
  subscribe: (listener: () => void) => () => void;
};

const TICK_MS = 1000;

/** Runs on from the server's instant; the browser's own date is never asked, because it may be wrong. */
function makeClock(start: number): ClockStore {
  let base = start;
  let setAt: number | null = null;
  let current = start;
  let isStill = false;
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | null = null;

  const tick = () => {
    setAt ??= performance.now();
    current = isStill ? base : base + (performance.now() - setAt);
    for (const listener of listeners) listener();
  };
  return {
    now: () => current,
    start,
    set: (now, still) => {
      // An answer that was on its way for long does not turn the clock back.
      if (!still && !isStill && setAt !== null && now < current) return;
      base = now;
      setAt = performance.now();
      isStill = still;
      tick();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      timer ??= setInterval(tick, TICK_MS);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
}

const ClockContext = createContext<{ clock: ClockStore; timeZone: string } | null>(null);

type Props = {
  /** The server's clock when it rendered or answered; a newer answer corrects it. */
  now: number;
  timeZone: string;
  /** The page shows a moment of the past (`?at=`): ages stand still. */
  isStill?: boolean;
  children: ReactNode;
};

/** One clock and one time zone for everything on the page. */
export function ClockProvider({ now, timeZone, isStill = false, children }: Props) {
  const [clock] = useState(() => makeClock(now));
  useEffect(() => clock.set(now, isStill), [clock, now, isStill]);
  return <ClockContext value={{ clock, timeZone }}>{children}</ClockContext>;
}

function useClockContext() {
  const context = useContext(ClockContext);
  if (!context) throw new Error("A ClockProvider must stand above everything that shows time");
  return context;
}

/** Corrects the page's clock by the server's, as each answer carries it. */
export function useClockCorrection(now: number | undefined): void {
  const { clock } = useClockContext();
  useEffect(() => {
    if (now !== undefined) clock.set(now, false);
  }, [clock, now]);
}

/** The zone in which the page shows time. */
export function useTimeZone(): string {
  return useClockContext().timeZone;
}

/** A text or number that depends on the time; renders again only when it has changed. */
export function useClock<T extends string | number | boolean | null>(read: (now: number) => T): T {
  const { clock } = useClockContext();
  return useSyncExternalStore(
    clock.subscribe,
    () => read(clock.now()),
    () => read(clock.start),
  );
}
