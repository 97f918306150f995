/** The longest pattern that is taken, and how many stars: what somebody types is matched against every name there is. */
export const GLOB_LENGTH = 64;
export const GLOB_STARS = 8;

/** Whether a text is like a pattern: * is anything, ? is one character, case does not count. Linear in the text per star. */
export function isLike(text: string, pattern: string): boolean {
  const name = [...text.toLowerCase()];
  const glob = [...pattern.toLowerCase()];
  let at = 0;
  let mark = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    if (mark < glob.length && glob[mark] === "*") {
      star = mark;
      mark += 1;
      resume = at;
    } else if (mark < glob.length && (glob[mark] === "?" || glob[mark] === name[at])) {
      at += 1;
      mark += 1;
    } else if (star >= 0) {
      mark = star + 1;
      resume += 1;
      at = resume;
    } else {
      return false;
    }
  }
  return glob.slice(mark).every((rest) => rest === "*");
}

/** What a name has in common with its like: "train-07" and "train-12" are both "train-*". */
export function stemOf(name: string): string {
  const stem = name
    .toLowerCase()
    .replace(/[0-9a-f]{8,}$|\d+$/u, "")
    .replace(/[-_. ]+$/u, "");
  const word = stem.split(/[-_. ]/u)[0] ?? "";
  return word.length >= 2 ? word : stem;
}
