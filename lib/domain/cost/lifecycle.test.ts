import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { STATUSES, type Status } from "@/lib/domain/fleet/observe";
import { type LifeEvent, lifeOf, type Observed, type ObservedSpan, spansOf } from "./lifecycle";
import { billableMinutes, boundedLines } from "./meter";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Minutes from midnight of some day. */
const min = (minutes: number) => minutes * MINUTE;

/** Polls once a minute: [status, first seen, last seen], and the next poll after that. */
function seen(...runs: [Status, number, number][]): ObservedSpan[] {
  return runs.map(([status, first, last], i) => ({
    status,
    validFrom: min(first),
    prevPollAt: min(first - 1),
    lastSeenAt: min(last),
    validTo: i < runs.length - 1 ? min(last + 1) : null,
  }));
}

/** The newest span closed by a listing without it. */
function absentAfter(spans: ObservedSpan[]): ObservedSpan[] {
  return spans.map((span, i) =>
    i === spans.length - 1 ? { ...span, validTo: (span.lastSeenAt ?? 0) + MINUTE } : span,
  );
}

function look(spans: ObservedSpan[], now: number, over: Partial<Observed> = {}) {
  return lifeOf({ spans, events: [], isGone: false, lastPollAt: min(now), now: min(now), ...over });
}

const launch = (minute: number, by: LifeEvent["by"] = "provider"): LifeEvent => ({
  at: min(minute),
  means: "launch",
  by,
});
const terminate = (minute: number, by: LifeEvent["by"] = "provider"): LifeEvent => ({
  at: min(minute),
  means: "terminate",
  by,
});

describe("the start of a life", () => {
  test("booting is free: it starts between the last poll that saw it booting and the first that saw it active", () => {
    const life = look(seen(["booting", 10, 13], ["active", 14, 60]), 60);
    expect(life?.from).toEqual({ low: min(14), best: min(13.5), high: min(13) });
    expect(life?.evidence.from).toBe("between the last poll that saw it booting and the first that saw it active");
    expect(life).toMatchObject({ isRunning: true, isFlagged: false });
  });

  test("never seen active: nothing is billed; between the last look and the end it may have been, and a long time is looked at", () => {
    const life = look(seen(["booting", 10, 13], ["terminated", 14, 14]), 20);
    expect(life).toMatchObject({
      from: { low: min(13), best: min(13), high: min(13) },
      to: { low: min(13), best: min(13), high: min(14) },
      isRunning: false,
      isFlagged: true,
    });
    const tight = look(seen(["booting", 10, 13], ["terminated", 14, 14]), 20, { staleAfterMs: MINUTE });
    expect(tight).toMatchObject({ to: { best: min(13), high: min(14) }, isFlagged: false });
    const recorded = look(seen(["booting", 10, 13], ["terminated", 14, 14]), 20, { events: [terminate(13.25)] });
    expect(recorded).toMatchObject({ to: { high: min(13.25) }, isFlagged: false });
    expect(look(seen(["booting", 10, 13]), 20)).toBeNull();
    expect(look([], 20)).toBeNull();
  });

  test("first seen when it was ending: at most since the last look without it, or since its launch", () => {
    const spans = seen(["terminating", 100, 101]).map((span) => ({ ...span, prevPollAt: min(40) }));
    expect(look(spans, 110)).toMatchObject({ from: { high: min(40) }, to: { best: min(40), high: min(100) } });
    expect(look(spans, 110, { events: [launch(60), terminate(90)] })).toMatchObject({
      from: { high: min(60) },
      to: { best: min(60), high: min(90) },
    });
  });

  test("first seen active: it started since the last poll without it, and not before its launch", () => {
    const spans = seen(["active", 100, 110]).map((span) => ({ ...span, prevPollAt: min(40) }));
    expect(look(spans, 110)?.from).toEqual({ low: min(100), best: min(70), high: min(40) });
    const launched = look(spans, 110, { events: [launch(60)] });
    // Machines boot in minutes, so most of the time since the launch was paid for.
    expect(launched?.from).toEqual({ low: min(100), best: min(60) + 200_000, high: min(60) });
    expect(launched?.evidence.from).toContain("its launch");
  });

  test("first seen active on a new connection: the launch of the audit log bounds it, else it is flagged", () => {
    const spans = seen(["active", 100, 110]).map((span) => ({ ...span, prevPollAt: null }));
    expect(look(spans, 110, { events: [launch(10)] })).toMatchObject({
      from: { low: min(100), best: min(10) + 200_000, high: min(10) },
      isFlagged: false,
    });
    expect(look(spans, 110)).toMatchObject({
      from: { low: min(100), best: min(100), high: min(100) },
      isFlagged: true,
      evidence: { from: "it was active when we first looked, and what it cost before is not known" },
    });
  });

  test("a launch long before booting was seen changes nothing: booting was watched", () => {
    const spans = seen(["booting", 10, 13], ["active", 14, 60]);
    expect(look(spans, 60, { events: [launch(9)] })?.from).toEqual(look(spans, 60)?.from);
  });

  test("a word we do not know bills, and is flagged", () => {
    expect(look(seen(["booting", 10, 13], ["unknown", 14, 60]), 60)).toMatchObject({
      from: { low: min(14) },
      isFlagged: true,
    });
  });

  test("unhealthy and never active: perhaps nothing, at most from the first time it was seen so, always flagged", () => {
    const spans = seen(["booting", 10, 13], ["unhealthy", 14, 74]);
    const life = look(spans, 74);
    expect(life).toMatchObject({
      from: { low: min(74), best: min(14), high: min(14) },
      to: { low: min(74), best: min(74), high: min(74) },
      isFlagged: true,
    });
    expect(life && billableMinutes(life.from.low, life.to.low)).toBe(0);
    expect(life && billableMinutes(life.from.best, life.to.best)).toBe(60);
  });

  test("unhealthy before active: it starts when active, and may have from the first time it was unhealthy", () => {
    const life = look(seen(["unhealthy", 10, 13], ["active", 14, 60]), 60);
    expect(life).toMatchObject({ from: { low: min(14), best: min(13.5), high: min(10) }, isFlagged: true });
  });
});

describe("the end of a life", () => {
  const active = seen(["active", 10, 99]);
  const ended = seen(["active", 10, 99], ["terminating", 100, 102]);

  test("while it runs it ends now, in every bound", () => {
    expect(look(seen(["active", 10, 100]), 100.5, { lastPollAt: min(100) })?.to).toEqual({
      low: min(100.5),
      best: min(100.5),
      high: min(100.5),
    });
  });

  test("unhealthy, restarting and unseen times in between are billed", () => {
    const life = look(seen(["active", 10, 20], ["unhealthy", 21, 30], ["booting", 31, 33], ["active", 400, 500]), 500);
    expect(life?.to.best).toBe(min(500));
    expect(life?.from.low).toBe(min(10));
  });

  test("nobody could look for a while: it is counted as running, and proven only until it was last seen", () => {
    expect(look(seen(["active", 10, 100]), 160, { lastPollAt: min(100) })).toMatchObject({
      to: { low: min(100), best: min(160), high: min(160) },
      isRunning: true,
    });
    const open = seen(["active", 10, 100]).map((span) => ({ ...span, lastSeenAt: null }));
    expect(look(open, 160, { lastPollAt: min(159) })?.to.low).toBe(min(159));
  });

  test("missing from one listing proves nothing: the high bound stays open until it is gone", () => {
    const missing = absentAfter(active);
    expect(look(missing, 101)).toMatchObject({
      to: { low: min(99), best: min(101), high: min(101) },
      isRunning: true,
    });
    expect(look(missing, 101, { isGone: true })).toMatchObject({
      to: { low: min(99), best: min(99.5), high: min(100) },
      isRunning: false,
    });
  });

  test("seen terminating: it ended between two polls, whenever it disappears", () => {
    const life = look(ended, 500);
    expect(life?.to).toEqual({ low: min(99), best: min(99.5), high: min(100) });
    expect(life?.evidence.to).toBe("between the last poll that saw it active and the first that saw it terminating");
    expect(life?.isRunning).toBe(false);
  });

  test("the provider's record of the request settles the end; ours does where there is none", () => {
    const exact = { low: min(99.2), best: min(99.2), high: min(99.2) };
    expect(look(ended, 500, { events: [terminate(99.2)] })?.to).toEqual(exact);
    expect(look(ended, 500, { events: [terminate(99.2, "us")] })?.to).toEqual(exact);
    const both = look(ended, 500, { events: [terminate(99.1, "us"), terminate(99.2)] });
    expect(both?.to).toEqual(exact);
    expect(both?.evidence.to).toBe("the provider's own record of the request to terminate it");
  });

  test("a listing that lags behind our request does not lengthen the life", () => {
    expect(look(ended, 500, { events: [terminate(98.5, "us")] })?.to.best).toBe(min(98.5));
  });

  test("a request repeated until it was seen ends the life at the first, at the latest at the last", () => {
    const events = [terminate(98.5, "us"), terminate(99, "us"), terminate(99.5, "us")];
    expect(look(ended, 500, { events })?.to).toEqual({ low: min(98.5), best: min(98.5), high: min(99.5) });
  });

  test("a request far from the edge is not what ended it", () => {
    expect(look(ended, 500, { events: [terminate(50), terminate(300)] })?.to.best).toBe(min(99.5));
  });

  test("a request does not end what is still listed as active", () => {
    expect(look(seen(["active", 10, 100]), 100, { events: [terminate(99, "us")] })).toMatchObject({
      to: { best: min(100) },
      isRunning: true,
    });
  });

  test("vanished in an outage: only a request known to the minute narrows six hours", () => {
    const spans = [{ ...absentAfter(active)[0], validTo: min(99) + 6 * HOUR }] as ObservedSpan[];
    const open = look(spans, 600, { isGone: true });
    expect(open?.to).toEqual({ low: min(99), best: min(99) + 3 * HOUR, high: min(99) + 6 * HOUR });
    const settled = look(spans, 600, { isGone: true, events: [terminate(180)] });
    expect(settled?.to).toEqual({ low: min(180), best: min(180), high: min(180) });
  });

  test("preempted ends it, and no request of ours did", () => {
    const spans = seen(["active", 10, 99], ["preempted", 100, 100]);
    expect(look(spans, 500, { events: [terminate(99.9, "us")] })?.to.best).toBe(min(99.5));
  });

  test("terminating and active again: it was not terminated", () => {
    const life = look(seen(["active", 10, 50], ["terminating", 51, 52], ["active", 53, 100]), 100);
    expect(life).toMatchObject({ to: { best: min(100) }, isRunning: true });
  });
});

describe("properties of lives", () => {
  const instant = fc.integer({ min: 0, max: 1_000 }).map(min);
  const looks = fc.array(fc.record({ at: instant, status: fc.constantFrom(...STATUSES) }), { maxLength: 20 });
  const events: fc.Arbitrary<LifeEvent[]> = fc.array(
    fc.record({
      at: instant,
      means: fc.constantFrom("launch" as const, "terminate" as const),
      by: fc.constantFrom("provider" as const, "us" as const),
    }),
    { maxLength: 6 },
  );

  test("permutation of observations and events, and repeated ones, change nothing", () => {
    const shuffled = looks.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 })),
    );
    fc.assert(
      fc.property(shuffled, events, fc.boolean(), ([list, mixed], known, isGone) => {
        const rest = { isGone, lastPollAt: min(1_000), now: min(1_010) };
        const spans = spansOf(list);
        expect(spansOf(mixed)).toEqual(spans);
        expect(lifeOf({ ...rest, spans: [...spans, ...spans].reverse(), events: [...known].reverse() })).toEqual(
          lifeOf({ ...rest, spans, events: known }),
        );
      }),
    );
  });

  test("low ≤ best ≤ high in every edge and in dollars, whatever was seen", () => {
    fc.assert(
      fc.property(looks, events, fc.boolean(), fc.boolean(), (list, known, isGone, isClosed) => {
        const spans = spansOf(list).map((span, i, all) =>
          isClosed && i === all.length - 1 ? { ...span, validTo: (span.lastSeenAt ?? 0) + MINUTE } : span,
        );
        const life = lifeOf({ spans, events: known, isGone, lastPollAt: min(1_000), now: min(1_010) });
        if (!life) return;
        expect(life.from.low >= life.from.best && life.from.best >= life.from.high).toBe(true);
        expect(life.to.low <= life.to.best && life.to.best <= life.to.high).toBe(true);
        const lines = boundedLines({
          life,
          prices: [{ priceId: 1, from: null, to: null, micros: 2_290_000n }],
          owners: [],
          zone: "UTC",
        });
        for (const { lowMicros, micros, highMicros } of lines) {
          if (lowMicros === null || micros === null || highMicros === null) throw new Error("the price is known here");
          expect(lowMicros >= 0n && lowMicros <= micros && micros <= highMicros).toBe(true);
        }
      }),
    );
  });
});
