/** What time it is in the cloud: the machine's own time, or one that stands still until it is moved. */
export type Clock = { readonly mode: "real" | "manual"; now(): number; moveTo(at: number): void };

export function realClock(): Clock {
  return {
    mode: "real",
    now: () => Date.now(),
    moveTo: () => {
      throw new RangeError("the clock is real and cannot be moved");
    },
  };
}

export function manualClock(start: number): Clock {
  let at = start;
  return {
    mode: "manual",
    now: () => at,
    moveTo: (to) => {
      if (!Number.isSafeInteger(to)) throw new RangeError("now must be whole epoch milliseconds");
      if (to < at) throw new RangeError(`the clock stands at ${at} and never goes back`);
      at = to;
    },
  };
}
