/** Lambda takes 1 MB; this much leaves room for the agent's part, and is more than a start-up script should be. */
export const OWN_DATA_MOST_BYTES = 64 * 1024;

const TYPES = [
  { mark: /^#!/, type: "text/x-shellscript", words: "a script" },
  { mark: /^#cloud-config\s*$/, type: "text/cloud-config", words: "a cloud-config" },
] as const;

/** How cloud-init would read it: by its first line. Null: not one of the forms that are taken. */
export function ownDataType(text: string): { type: string; words: string } | null {
  const [first = ""] = text.split(/\r?\n/, 1);
  const found = TYPES.find(({ mark }) => mark.test(first));
  return found ? { type: found.type, words: found.words } : null;
}

/** What is wrong with start-up data of one's own; null: nothing, and nothing given is nothing wrong. */
export function ownDataProblem(text: string): string | null {
  if (text.trim() === "") return null;
  if (new TextEncoder().encode(text).length > OWN_DATA_MOST_BYTES) return "Use at most 64 KiB";
  if (text.includes("\0")) return "It holds a character that is no text";
  return ownDataType(text) === null ? "Begin with #! for a script, or with #cloud-config" : null;
}
