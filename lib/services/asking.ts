/**
 * A question that many ask at once is put one at a time: whoever comes while it is on its way gets its answer, and no answer
 * is remembered beyond that.
 */
export function askingTogether<Args extends readonly unknown[], A>(
  ask: (...args: Args) => Promise<A>,
  keyOf: (...args: Args) => string,
): (...args: Args) => Promise<A> {
  const open = new Map<string, Promise<A>>();
  return (...args) => {
    const key = keyOf(...args);
    const before = open.get(key);
    if (before) return before;
    const answer = ask(...args).finally(() => open.delete(key));
    open.set(key, answer);
    return answer;
  };
}
