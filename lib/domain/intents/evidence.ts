import { z } from "zod";
import { formatUsdRate } from "@/lib/domain/format";

const text = z.string().max(300);

/** What a person was shown of a machine, as far as a decision depends on it; sent back with the decision. */
export const SeenEvidence = z.object({
  name: text,
  typeName: text.nullable(),
  region: text,
  status: text,
  /** "key=value", sorted. */
  tags: z.array(text).max(200),
  priceMicros: z
    .string()
    .regex(/^\d{1,15}$/)
    .nullable(),
  /** Keys of the concerns. */
  concerns: z.array(z.string().max(40)).max(20),
  /** Who holds memory of its GPUs: "train.py of ada". */
  holders: z.array(text).max(200),
  filesystems: z.array(text).max(200),
  /** Why it is protected; null: it is not. */
  protection: z.string().max(600).nullable(),
});
export type SeenEvidence = z.output<typeof SeenEvidence>;

/** Memory below this is held by nobody in particular: a look at a GPU costs a little by itself. */
const HOLDS_MIB = 1024;

type Process = { name: string | null; usedMib: number | null; user: string | null };

/** The processes worth naming, each kind once, in a settled order. */
export function holdersOf(processes: readonly Process[] | null): string[] {
  const names = (processes ?? [])
    .filter(({ usedMib }) => usedMib === null || usedMib >= HOLDS_MIB)
    .map(({ name, user }) => `${name ?? "a process"}${user === null ? "" : ` of ${user}`}`.slice(0, 300));
  return [...new Set(names)].sort().slice(0, 200);
}

/**
 * What is otherwise than it was shown, in words; nothing where nothing a decision depends on changed. A concern that was
 * confirmed without having been shown counts as read; one that went away is no reason to ask again.
 */
export function whatChanged(
  seen: SeenEvidence,
  now: SeenEvidence,
  concerns: readonly { key: string; title: string }[],
  accepted: readonly string[],
): string[] {
  const words: string[] = [];
  const differs = (what: string, before: string | null, after: string | null) => {
    if (before !== after) words.push(`${what} is ${after ?? "unknown"} now, not ${before ?? "unknown"}`);
  };
  differs("its name", seen.name, now.name);
  differs("its type", seen.typeName, now.typeName);
  differs("its region", seen.region, now.region);
  differs("its state", seen.status, now.status);
  if (seen.tags.join("\n") !== now.tags.join("\n")) words.push(`its tags are ${listed(now.tags, "none")} now`);
  if (seen.priceMicros !== now.priceMicros)
    words.push(`it costs ${formatUsdRate(now.priceMicros)} now, not ${formatUsdRate(seen.priceMicros)}`);
  for (const { key, title } of concerns)
    if (!seen.concerns.includes(key) && !accepted.includes(key)) words.push(lower(title));
  const begun = now.holders.filter((one) => !seen.holders.includes(one));
  if (begun.length > 0) words.push(`${listed(begun, "")} ${begun.length === 1 ? "runs" : "run"} on it now`);
  const gained = now.filesystems.filter((one) => !seen.filesystems.includes(one));
  const lost = seen.filesystems.filter((one) => !now.filesystems.includes(one));
  if (gained.length > 0) words.push(`file system ${listed(gained, "")} is attached now`);
  if (lost.length > 0) words.push(`file system ${listed(lost, "")} is no longer attached`);
  if (now.protection !== null && seen.protection !== null && now.protection !== seen.protection)
    words.push(`it is protected for another reason: ${now.protection}`);
  return words;
}

function listed(words: readonly string[], none: string): string {
  if (words.length === 0) return none;
  const shown = words.slice(0, 5).join(", ");
  return words.length > 5 ? `${shown} and ${words.length - 5} more` : shown;
}

function lower(title: string): string {
  return `${title.charAt(0).toLowerCase()}${title.slice(1).replace(/\.$/, "")}`;
}
