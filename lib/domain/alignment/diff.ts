export type DiffLine = { kind: "same" | "added" | "removed"; text: string; line: number };

const MOST_LINES = 2_000;

/** Which lines of a text were taken away and which were put in. Numbers are those of the new text, or of the old for what is gone. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  const middle = between(old.slice(start, old.length - end), now.slice(start, now.length - end), start);
  const same = (from: number, to: number): DiffLine[] =>
    now.slice(from, to).map((text, i) => ({ kind: "same", text, line: from + i + 1 }));
  return [...same(0, start), ...middle, ...same(now.length - end, now.length)];
}

function linesOf(text: string): string[] {
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "");
  return lines === "" ? [] : lines.split("\n");
}

function between(old: readonly string[], now: readonly string[], offset: number): DiffLine[] {
  const removed = (i: number): DiffLine => ({ kind: "removed", text: old[i] ?? "", line: offset + i + 1 });
  const added = (j: number): DiffLine => ({ kind: "added", text: now[j] ?? "", line: offset + j + 1 });
  // Longer stretches are shown whole: a table of them would hold up the page.
  if (old.length * now.length > MOST_LINES * MOST_LINES)
    return [...old.map((_, i) => removed(i)), ...now.map((_, j) => added(j))];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ kind: "same", text: now[j] ?? "", line: offset + j + 1 });
      i++;
      j++;
    } else if (
      j >= now.length ||
      (i < old.length && (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    )
      lines.push(removed(i++));
    else lines.push(added(j++));
  }
  return lines;
}
