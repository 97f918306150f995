/** A failure said in one sentence for the terminal, without a stack. */
export class StartError extends Error {
  readonly isForPeople = true;
}

// A terminal that was closed, or a reader that went away, must not take the launcher down before it has stopped the rest.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const isTerminal = process.stdout.isTTY === true;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One line per step: what is done, then how long it took. Steps under a second do not say so. */
export async function step<T>(title: string, work: () => Promise<T>, note?: (result: T) => string): Promise<T> {
  const began = Date.now();
  if (isTerminal) process.stdout.write(`  … ${title}`);
  try {
    const result = await work();
    const seconds = (Date.now() - began) / 1000;
    const time = seconds >= 1 ? `, ${seconds.toFixed(0)} s` : "";
    const said = note?.(result) ?? "";
    process.stdout.write(`${isTerminal ? "\r\u001b[K" : ""}  ✓ ${title}${said ? `: ${said}` : ""}${time}\n`);
    return result;
  } catch (error) {
    // Being asked to stop is no failure of the step.
    const isAsked = (error as Error).name === "AbortError";
    process.stdout.write(`${isTerminal ? "\r\u001b[K" : ""}${isAsked ? "" : `  ✗ ${title}\n`}`);
    throw sentenceOf(error);
  }
}

/** Known causes become a sentence that says what to do; anything else stays as it is. */
export function sentenceOf(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "53100" || /No space left on device/.test(message ?? "")) {
    return new StartError(
      "The disk is full. Free some space (1 GB is comfortable) and start again; nothing that was stored is lost.",
    );
  }
  if (error instanceof Error && /^(EnvError|MigrationError|PostgresError)$/.test(error.constructor.name)) {
    return new StartError(error.message);
  }
  return error;
}
