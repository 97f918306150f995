import type { ZodType } from "zod";

/** The words of a command line are off; the usage is shown with it. */
export class UsageError extends Error {}

/** Words and options of a command line: `--name value`, `--name=value`, and bare `--flag` where the name is in `flags`. */
export function readArguments(
  given: string[],
  flags: readonly string[] = [],
): { words: string[]; options: Record<string, string> } {
  const words: string[] = [];
  const options: Record<string, string> = {};
  for (let i = 0; i < given.length; i++) {
    const word = given[i] ?? "";
    if (!word.startsWith("--")) {
      words.push(word);
      continue;
    }
    const [name = "", ...value] = word.slice(2).split("=");
    if (value.length > 0) options[name] = value.join("=");
    else if (flags.includes(name)) options[name] = "yes";
    else {
      const next = given[++i];
      if (next === undefined) throw new UsageError(`--${name} wants a value.`);
      options[name] = next;
    }
  }
  return { words, options };
}

/** A word of the command line as the product means it; refused in a sentence. */
export function understand<T>(schema: ZodType<T>, word: string): T {
  const result = schema.safeParse(word);
  if (result.success) return result.data;
  const why = result.error.issues[0]?.message ?? "is not understood";
  // "is not a role" wants its subject; a whole sentence does not, and may be about a password.
  throw new UsageError(`${/^[a-z]/.test(why) ? `${JSON.stringify(word)} ` : ""}${why}.`);
}
