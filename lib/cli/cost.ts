import { UsageError } from "./usage";

/** Each loads its own code: a check needs no database. */
const VERBS: Record<string, (given: string[]) => Promise<number>> = {
  check: async (given) => (await import("./cost-check")).costCheck(given),
  recompute: async (given) => (await import("./cost-ledger")).costRecompute(given),
  close: async (given) => (await import("./cost-close")).costClose(given),
};

export async function cost([verb = "", ...given]: string[]): Promise<number> {
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!run) throw new UsageError(`cost wants one of: ${Object.keys(VERBS).join(", ")}.`);
  return run(given);
}
