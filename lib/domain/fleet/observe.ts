export const STATUSES = [
  "booting",
  "active",
  "unhealthy",
  "terminating",
  "terminated",
  "preempted",
  "unknown",
] as const;
export type Status = (typeof STATUSES)[number];

/** What the provider says of one resource in one listing. */
export type Seen = {
  externalId: string;
  status: Status;
  name: string | null;
  region: string;
  typeName: string | null;
  /** Per hour, whole instance. Null: not said. */
  priceMicros: bigint | null;
  ip: string | null;
  privateIp: string | null;
  hostname: string | null;
  tags: Record<string, string>;
  bytesUsed: bigint | null;
  isAttached: boolean | null;
  /** The rest, as far as people look at it. */
  attrs: Record<string, unknown>;
};

/** What we knew of one resource before the listing. */
export type Known = {
  id: string;
  externalId: string;
  /** The last thing said of it. */
  seen: Seen;
  missing: Missing | null;
  isGone: boolean;
};

/** Listings that lacked a resource: since when, when last counted, how many, and whether one of them was suspect. */
export type Missing = { since: number; countedAt: number; polls: number; isSuspect: boolean };

export type GoneReason = "preempted" | "terminated" | "vanished";

export type Observation = {
  /** The listing is odd (empty, or more than half lost at once): it proves less. */
  isSuspect: boolean;
  appeared: Seen[];
  changed: { known: Known; seen: Seen }[];
  /** Still listed, after having been missing or gone. */
  returned: { known: Known; seen: Seen }[];
  missing: { known: Known; missing: Missing }[];
  gone: { known: Known; reason: GoneReason }[];
};

/** Absences count only when at least this far apart (decisions: Gone). */
const APART_MS = 30_000;
const LEAVING: readonly Status[] = ["terminating", "terminated", "preempted"];

/**
 * What one good listing says against what was known. A resource is gone when it is listed as terminated or preempted, or is
 * absent from two unsuspicious listings at least 30 s apart, or from three when one of them is suspect (alerts B17).
 */
export function observe(known: Known[], listing: Seen[], at: number): Observation {
  const listed = new Map(listing.map((seen) => [seen.externalId, seen]));
  const knownIds = new Set(known.map((one) => one.externalId));
  const isSuspect = isSuspectListing(known, listed);
  const result: Observation = {
    isSuspect,
    appeared: listing.filter(
      (seen, i) => !knownIds.has(seen.externalId) && listing.findIndex((s) => s.externalId === seen.externalId) === i,
    ),
    changed: [],
    returned: [],
    missing: [],
    gone: [],
  };
  for (const one of known) {
    const seen = listed.get(one.externalId);
    if (seen) judgeListed(result, one, seen);
    else if (!one.isGone) judgeAbsent(result, one, at, isSuspect);
  }
  return result;
}

function judgeListed(result: Observation, known: Known, seen: Seen): void {
  const hasEnded = seen.status === "terminated" || seen.status === "preempted";
  if (known.isGone && hasEnded) return;
  if (known.isGone || known.missing) result.returned.push({ known, seen });
  if (!isSame(known.seen, seen)) result.changed.push({ known, seen });
  if (hasEnded) result.gone.push({ known, reason: seen.status === "preempted" ? "preempted" : "terminated" });
}

function judgeAbsent(result: Observation, known: Known, at: number, isSuspect: boolean): void {
  const before = known.missing;
  if (before && at - before.countedAt < APART_MS) return;
  const missing = before
    ? { ...before, countedAt: at, polls: before.polls + 1, isSuspect: before.isSuspect || isSuspect }
    : { since: at, countedAt: at, polls: 1, isSuspect };
  if (missing.polls >= (missing.isSuspect ? 3 : 2)) {
    result.gone.push({ known, reason: LEAVING.includes(known.seen.status) ? "terminated" : "vanished" });
  } else {
    result.missing.push({ known, missing });
  }
}

/** Empty although something should be there, or more than half lost at once. What was already leaving may leave. */
function isSuspectListing(known: Known[], listed: Map<string, Seen>): boolean {
  const expected = known.filter((one) => !one.isGone && !one.missing && !LEAVING.includes(one.seen.status));
  const lost = expected.filter((one) => !listed.has(one.externalId)).length;
  return lost > 0 && (listed.size === 0 || lost > expected.length / 2);
}

/** Whether the provider says the same as before. */
export function isSame(a: Seen, b: Seen): boolean {
  return fingerprint(a) === fingerprint(b);
}

function fingerprint(seen: Seen): string {
  return JSON.stringify(seen, (_key, value: unknown) => {
    if (typeof value === "bigint") return `${value}n`;
    if (value && typeof value === "object" && !Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)));
    }
    return value;
  });
}
