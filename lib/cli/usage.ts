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
