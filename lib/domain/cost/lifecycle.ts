import type { Status } from "@/lib/domain/fleet/observe";
import { STALE_AFTER_MS } from "@/lib/domain/fleet/poll";
import type { LifeBounds } from "./meter";
import type { Launch } from "./price-book";
import type { Bound } from "./rows";

/** What the provider said of a resource while it said the same: one row of `resource_span`. */
export type ObservedSpan = {
  status: Status;
  /** First poll that saw it. */
  validFrom: number;
  /** Last good poll before that; null: we had never looked before. */
  prevPollAt: number | null;
  /** Last good poll that saw it; null while it is the newest: then that is the connection's last good poll. */
  lastSeenAt: number | null;
  /** First poll that saw something else, or nothing; null: it is still so. */
  validTo: number | null;
};

/** An instant at which somebody asked for the life to begin or end: the provider's audit log, or our own request that was not refused. */
export type LifeEvent = { at: number; means: "launch" | "terminate"; by: "provider" | "us" };

export type Observed = {
  /** In any order; repeated ones count once. */
  spans: readonly ObservedSpan[];
  events: readonly LifeEvent[];
  /** Known to be gone: listed as ended, or absent from enough good listings. */
  isGone: boolean;
  /** Last good poll of the connection. */
  lastPollAt: number | null;
  now: number;
  /** After this long without a good poll nobody can say that it still runs. */
  staleAfterMs?: number;
};

/** The billable life with the bounds of both edges, and the evidence for each in words. */
export type Life = LifeBounds & {
  isRunning: boolean;
  /** It was seen doing what bills, not only unhealthy. */
  wasActive: boolean;
  /** Always in the review list: nobody knows whether this was billed. */
  isFlagged: boolean;
  /** Nobody was looking when it began or ended, and nothing else says when that was. */
  isDoubtful: { from: boolean; to: boolean };
  evidence: { from: string; to: string };
};

/** A request and what listings show of it may lie this far apart: listings lag, and clocks differ. */
const EDGE_TOLERANCE_MS = 120_000;
/** Median time from launch to active (reference: lambda-cloud-api 5). */
const TYPICAL_BOOT_MS = 200_000;

const ENDED: readonly Status[] = ["terminating", "terminated", "preempted"];
/** A word we do not know bills. */
const STARTS: readonly Status[] = ["active", "unknown"];

type Edge = Record<Bound, number> & { words: string };

/**
 * R1: from passing the health checks to the request to terminate. Null: nothing was ever billable.
 * Whatever it does between the two is billed, and so is what it does where nobody could look.
 */
export function lifeOf(observed: Observed): Life | null {
  const spans = inOrder(observed.spans);
  const firstActive = spans.findIndex(({ status }) => STARTS.includes(status));
  const firstUnhealthy = spans.findIndex(({ status }) => status === "unhealthy");
  const first = firstActive >= 0 ? firstActive : firstUnhealthy;
  const span = spans[first];
  if (!span) return unseenLife(spans, observed);

  const last = spans.findLastIndex(({ status }) => !ENDED.includes(status));
  const to = endEdge(spans, last, observed);
  const isRunning = to.closedAt === null;
  if (firstActive < 0) {
    return {
      from: { low: to.low, best: Math.min(span.validFrom, to.best), high: Math.min(span.validFrom, to.best) },
      to: { low: to.low, best: to.best, high: to.high },
      isRunning,
      wasActive: false,
      isFlagged: true,
      isDoubtful: { from: true, to: true },
      evidence: {
        from: "it was unhealthy and never active: perhaps it was never billed, at most from the first time it was seen so",
        to: to.words,
      },
    };
  }
  const from = startEdge(spans, first, observed.events);
  const unhealthy = firstUnhealthy >= 0 && firstUnhealthy < first ? spans[firstUnhealthy] : undefined;
  return {
    from: { low: from.low, best: from.best, high: Math.min(from.high, unhealthy?.validFrom ?? from.high) },
    to: { low: to.low, best: to.best, high: to.high },
    isRunning,
    wasActive: true,
    isDoubtful: {
      from: from.low - from.high > (observed.staleAfterMs ?? STALE_AFTER_MS),
      to: to.high - to.low > (observed.staleAfterMs ?? STALE_AFTER_MS),
    },
    isFlagged: from.isOpen || unhealthy !== undefined || span.status === "unknown",
    evidence: { from: unhealthy ? `${from.words}; unhealthy before that` : from.words, to: to.words },
  };
}

/**
 * Never seen active, and ended: after the last look at it before that, it may have been. Nobody is charged for what nobody saw, so it cost
 * nothing at least and at best; at most it cost that time, and where that was long somebody should look. Null: no time was left.
 */
function unseenLife(spans: readonly ObservedSpan[], observed: Observed): Life | null {
  const { events, isGone, staleAfterMs = STALE_AFTER_MS } = observed;
  const ended = spans.findIndex(({ status }) => ENDED.includes(status));
  const ending = spans[ended];
  const before = ended < 0 ? spans.at(-1) : spans[ended - 1];
  const endsAt = ending?.validFrom ?? (isGone ? (before?.validTo ?? null) : null);
  if (endsAt === null) return null;
  const lastSeen = before ? (before.lastSeenAt ?? before.validFrom) : (ending?.prevPollAt ?? endsAt);
  const since = Math.max(lastSeen, latest(events, "launch", endsAt) ?? lastSeen);
  const recorded = events.filter(({ at, means, by }) => means === "terminate" && by === "provider" && at <= endsAt);
  const until = Math.min(endsAt, ...recorded.map(({ at }) => at));
  if (until <= since) return null;
  const isLong = until - since > staleAfterMs;
  return {
    from: { low: since, best: since, high: since },
    to: { low: since, best: since, high: until },
    isRunning: false,
    wasActive: false,
    isFlagged: isLong,
    isDoubtful: { from: isLong, to: isLong },
    evidence: {
      from: `it was never seen active: perhaps it was, after the last poll that ${before ? `saw it ${before.status}` : "did not list it"}`,
      to:
        recorded.length > 0
          ? "the provider's own record of the request to terminate it"
          : "the first poll that saw its end",
    },
  };
}

/** When it was launched: the provider's record of it, else between the last listing without it and the first with it. */
export function launchOf(observed: readonly ObservedSpan[], events: readonly LifeEvent[]): Launch | null {
  const [first] = inOrder(observed);
  if (!first) return null;
  const at = latest(events, "launch", first.validFrom);
  if (at !== null) return { earliest: at, latest: at, best: at };
  const earliest = first.prevPollAt;
  const best = earliest === null ? first.validFrom : midpoint(earliest, first.validFrom);
  return { earliest, latest: first.validFrom, best };
}

function startEdge(
  spans: readonly ObservedSpan[],
  first: number,
  events: readonly LifeEvent[],
): Edge & { isOpen: boolean } {
  const span = spans[first];
  if (!span) throw new RangeError("There is no such span");
  const low = span.validFrom;
  const before = spans[first - 1];
  const notYetAt = before ? (before.lastSeenAt ?? span.prevPollAt) : span.prevPollAt;
  // Booting is free, so it cannot have been billed before it was launched.
  const launchedAt = latest(events, "launch", low);
  const high = Math.max(notYetAt ?? Number.NEGATIVE_INFINITY, launchedAt ?? Number.NEGATIVE_INFINITY);
  if (high === Number.NEGATIVE_INFINITY) {
    const words = "it was active when we first looked, and what it cost before is not known";
    return { low, best: low, high: low, isOpen: true, words };
  }
  const bounded = Math.min(high, low);
  const middle = midpoint(bounded, low);
  if (launchedAt === null || launchedAt < (notYetAt ?? Number.NEGATIVE_INFINITY)) {
    const words = before
      ? `between the last poll that saw it ${before.status} and the first that saw it active`
      : "between the last poll without it and the first that saw it active";
    return { low, best: middle, high: bounded, isOpen: false, words };
  }
  // A long stretch that nobody watched after a known launch was mostly paid for: machines boot in minutes.
  const best = Math.min(middle, launchedAt + TYPICAL_BOOT_MS);
  const words = "between its launch, of which the instant is known, and the first poll that saw it active";
  return { low, best, high: bounded, isOpen: false, words };
}

function endEdge(spans: readonly ObservedSpan[], last: number, observed: Observed): Edge & { closedAt: number | null } {
  const span = spans[last];
  if (!span) throw new RangeError("There is no such span");
  const { now, lastPollAt, events, isGone, staleAfterMs = STALE_AFTER_MS } = observed;
  const ending = spans[last + 1];
  const lastSeen = Math.min(now, Math.max(span.validFrom, span.lastSeenAt ?? lastPollAt ?? span.validFrom));
  const closedAt = ending ? ending.validFrom : isGone ? span.validTo : null;
  if (closedAt === null) {
    if (span.validTo !== null) {
      const words = "missing from the last listing, which proves nothing yet: counted as running";
      return { low: lastSeen, best: now, high: now, closedAt, words };
    }
    if (now - lastSeen > staleAfterMs) {
      const words = "running when it was last seen; nobody has been able to look since: counted as running";
      return { low: lastSeen, best: now, high: now, closedAt, words };
    }
    return { low: now, best: now, high: now, closedAt, words: "it is running" };
  }

  const seenAs = ending ? `saw it ${ending.status}` : "no longer listed it";
  const requests = events.filter(
    ({ at, means }) =>
      means === "terminate" && at >= lastSeen - EDGE_TOLERANCE_MS && at <= closedAt + EDGE_TOLERANCE_MS,
  );
  if (requests.length > 0 && ending?.status !== "preempted") {
    const exact = requests.filter(({ by }) => by === "provider");
    const instants = (exact.length > 0 ? exact : requests).map(({ at }) => Math.min(at, closedAt));
    const low = Math.min(...instants);
    const words =
      exact.length > 0 ? "the provider's own record of the request to terminate it" : "our own request to terminate it";
    return { low, best: low, high: exact.length > 0 ? low : Math.max(...instants), closedAt, words };
  }
  const words = `between the last poll that saw it ${span.status} and the first that ${seenAs}`;
  const low = Math.min(lastSeen, closedAt);
  return { low, best: midpoint(low, closedAt), high: closedAt, closedAt, words };
}

/** Sorted by time, each once; of two at the same instant the same one is kept, whatever the order they came in. */
function inOrder(spans: readonly ObservedSpan[]): ObservedSpan[] {
  const rank = ({ status, lastSeenAt, validTo }: ObservedSpan) => `${status}/${lastSeenAt}/${validTo}`;
  const sorted = [...spans].sort((a, b) => a.validFrom - b.validFrom || compare(rank(a), rank(b)));
  return sorted.filter((span, i) => i === 0 || span.validFrom !== sorted[i - 1]?.validFrom);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function latest(events: readonly LifeEvent[], means: LifeEvent["means"], until: number): number | null {
  const instants = events.filter((event) => event.means === means && event.at <= until).map(({ at }) => at);
  return instants.length === 0 ? null : Math.max(...instants);
}

function midpoint(a: number, b: number): number {
  return Math.floor((a + b) / 2);
}

/** Runs of equal status from single looks in any order, each edge as exact as the looks are. */
export function spansOf(looks: readonly { at: number; status: Status }[]): ObservedSpan[] {
  const sorted = [...looks].sort((a, b) => a.at - b.at || compare(a.status, b.status));
  const spans: ObservedSpan[] = [];
  let lastAt: number | null = null;
  for (const { at, status } of sorted) {
    const open = spans.at(-1);
    if (open && open.status === status) {
      open.lastSeenAt = at;
    } else if (!open || at !== lastAt) {
      if (open) open.validTo = at;
      spans.push({ status, validFrom: at, prevPollAt: lastAt, lastSeenAt: at, validTo: null });
    }
    lastAt = at;
  }
  return spans;
}
