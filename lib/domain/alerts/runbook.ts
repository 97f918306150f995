/** What a runbook may name; null: not known of this target, and the words stay as they are written. */
export type RunbookFacts = {
  instance: string | null;
  /** The address by which one signs in. */
  address: string | null;
  /** The place of the GPU on its machine, as nvidia-smi counts. */
  gpu: string | null;
  uuid: string | null;
  team: string | null;
};

/** A runbook with the names of one alert in it: `{instance}`, `{address}`, `{gpu}`, `{uuid}`, `{team}`. */
export function filledRunbook(runbook: string, facts: RunbookFacts): string {
  return runbook.replace(
    /\{(instance|address|gpu|uuid|team)\}/g,
    (word, name: keyof RunbookFacts) => facts[name] || word,
  );
}
