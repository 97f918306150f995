import { z } from "zod";

/**
 * An exported audit trail: a head, one line per entry, a foot; each line a JSON object. `canonical` is the text that
 * the database hashed after the hash of the entry before it; the other fields say the same for readers and programs.
 */
export const TRAIL_FORMAT = "hopperdeck-audit-1";

/** An entry as the database hashed it. */
export type HashedEntry = { canonical: string; prevHash: string; hash: string };

/** The order of the values in the canonical text. */
const FIELDS = [
  "seq",
  "id",
  "at",
  "actorKind",
  "actorId",
  "actor",
  "action",
  "subjectKind",
  "subjectId",
  "subject",
  "changes",
  "reason",
  "ip",
] as const;

const MOST_CHARACTERS = 1_048_576;
const MOST_PROBLEMS = 20;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const Head = z.object({ format: z.literal(TRAIL_FORMAT) });
const Foot = z.object({ entries: z.number().int().min(0), head: hash.nullable() });
const Entry = z.looseObject({ seq: z.number().int().min(1), canonical: z.string(), prevHash: hash, hash });

export function trailHead(exportedAt: number): string {
  return `${JSON.stringify({ format: TRAIL_FORMAT, exportedAt: new Date(exportedAt).toISOString() })}\n`;
}

export function trailLine({ canonical, prevHash, hash }: HashedEntry): string {
  return `${JSON.stringify({ ...readable(JSON.parse(canonical)), prevHash, hash, canonical })}\n`;
}

export function trailFoot(entries: number, head: string | null): string {
  return `${JSON.stringify({ entries, head })}\n`;
}

export type TrailCheck = {
  entries: number;
  /** Hash of the last entry; null: there is none. */
  head: string | null;
  /** The first twenty, each with the line of the file and, where it has one, the entry's place in the chain. */
  problems: { line: number; seq: number | null; words: string }[];
};

/**
 * Recomputes the chain of an exported trail: what was changed, removed, added, moved or cut off is named with its place.
 * A file that was cut or forged at its end together with its foot differs only from a head that was kept elsewhere:
 * `knownHead` must then be the hash of one of its entries.
 */
export async function checkTrail(
  lines: AsyncIterable<string>,
  /** SHA-256 over the bytes of a hash in hex, if one is given, and the text in UTF-8; in hex. */
  sha256: (text: string, after?: string) => string,
  knownHead?: string,
): Promise<TrailCheck> {
  const problems: TrailCheck["problems"] = [];
  const tell = (line: number, seq: number | null, words: string) => {
    if (problems.length < MOST_PROBLEMS) problems.push({ line, seq, words });
  };
  const genesis = sha256("hopperdeck");
  let at = 0;
  let entries = 0;
  let head: string | null = null;
  let lastSeq = 0;
  let isHeaded = false;
  let isEnded = false;
  let isKnown = false;
  for await (const text of lines) {
    at++;
    if (text.trim() === "") continue;
    const value = text.length > MOST_CHARACTERS ? undefined : parsed(text);
    if (!isHeaded) {
      isHeaded = true;
      if (Head.safeParse(value).success) continue;
      tell(at, null, `this is no exported trail: the first line does not name the format ${TRAIL_FORMAT}`);
      if (!Entry.safeParse(value).success) break;
    }
    const foot = Foot.safeParse(value);
    if (foot.success) {
      isEnded = true;
      if (foot.data.entries !== entries)
        tell(at, null, `the foot counts ${foot.data.entries} entries and the file has ${entries}`);
      if (foot.data.head !== head) tell(at, null, "the foot names another last entry than the file has");
      continue;
    }
    if (isEnded) {
      tell(at, null, "there is something after the foot");
      break;
    }
    const entry = Entry.safeParse(value);
    if (!entry.success) {
      tell(at, null, "this line is no entry: it cannot be read");
      continue;
    }
    const { seq, canonical, prevHash } = entry.data;
    entries++;
    if (seq !== lastSeq + 1) tell(at, seq, placeWords(seq, lastSeq));
    else if (prevHash !== (head ?? genesis))
      tell(at, seq, `entry ${seq} does not follow the one before it: that one was changed`);
    const own = sha256(canonical, prevHash);
    if (own !== entry.data.hash) tell(at, seq, `entry ${seq} was changed: its content does not give its hash`);
    else if (!saysTheSame(entry.data, canonical))
      tell(at, seq, `entry ${seq} was changed: its fields are not what was hashed`);
    lastSeq = seq;
    head = entry.data.hash;
    isKnown ||= head === knownHead;
  }
  if (!isHeaded) tell(1, null, "the file is empty");
  else if (!isEnded && problems.length === 0) tell(at, null, "the file ends without its foot: entries may be missing");
  if (knownHead !== undefined && !isKnown)
    tell(at, null, "no entry has the head that was given: the trail was cut or written anew since");
  return { entries, head, problems };
}

function placeWords(seq: number, lastSeq: number): string {
  if (seq <= lastSeq) return `entry ${seq} stands after entry ${lastSeq}: it was moved or is there twice`;
  const first = lastSeq + 1;
  return seq - 1 === first ? `entry ${first} is missing` : `entries ${first} to ${seq - 1} are missing`;
}

function saysTheSame(entry: Record<string, unknown>, canonical: string): boolean {
  const values = parsed(canonical);
  if (!Array.isArray(values) || values.length !== FIELDS.length) return false;
  const said = readable(values);
  return FIELDS.every((field) => JSON.stringify(entry[field]) === JSON.stringify(said[field]));
}

function readable(values: unknown): Record<string, unknown> {
  const list = Array.isArray(values) ? values : [];
  const entry: Record<string, unknown> = {};
  for (const [i, field] of FIELDS.entries()) entry[field] = list[i];
  const at = entry.at;
  if (typeof at === "number" && Number.isFinite(at) && Math.abs(at) <= 8.64e15) entry.at = new Date(at).toISOString();
  return entry;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
