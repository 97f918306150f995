/** How much of an error budget is left, in per cent of it: 100 at the beginning, 0 when it is spent, less when it is overspent. */
export function budgetLeftPct(good: number, bad: number, targetPct: number): number | null {
  const all = good + bad;
  if (!(all > 0) || !(targetPct < 100)) return null;
  const allowed = (all * (100 - targetPct)) / 100;
  return (1 - bad / allowed) * 100;
}

/**
 * Requests that took no longer than a limit, from cumulative buckets. A limit between two bounds is judged by the lower one: what
 * may have been too slow counts as too slow.
 */
export function withinLimit(
  buckets: readonly { le: number; count: number }[],
  limitSeconds: number,
): { good: number; bad: number } {
  const sorted = [...buckets].sort((a, b) => a.le - b.le);
  const all = sorted.at(-1)?.count ?? 0;
  const good = sorted.filter(({ le }) => le <= limitSeconds).at(-1)?.count ?? 0;
  return { good, bad: Math.max(0, all - good) };
}
