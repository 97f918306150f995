import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUZZ_RUNS } from "@/lib/testing/mutate";
import { type Matcher, matcherText, matches, parseMatchers } from "./matchers";
import { hiddenMs, holdsAt, NewSilence, phaseOf, type Silence, silencedBy, silentSpans } from "./silence";
import { type Recurrence, windowAt, windowsIn } from "./windows";

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);
const iso = ({ from, to }: { from: number; to: number }) => [new Date(from).toISOString(), new Date(to).toISOString()];

describe("matchers", () => {
  const labels = { team: "ml", instance: "gh-train-02", severity: "critical" };
  const one = (label: string, op: Matcher["op"], value: string) => matches([{ label, op, value }], labels);

  test.each<[string, Matcher["op"], string, boolean]>([
    ["team", "=", "ml", true],
    ["team", "=", "ML", false],
    ["team", "!=", "ml", false],
    ["project", "=", "", true],
    ["project", "!=", "x", true],
    ["instance", "=~", "gh-train-*", true],
    ["instance", "=~", "gh-eval-*|gh-train-*", true],
    ["instance", "=~", "*-0*", true],
    ["instance", "=~", "gh-train", false],
    ["instance", "!~", "gh-eval-*", true],
    ["instance", "!~", "*", false],
    ["constructor", "=", "", true],
  ])("%s %s %s is %s", (label, op, value, expected) => expect(one(label, op, value)).toBe(expected));

  test("all must hold, and none holds for everything", () => {
    expect(matches([], labels)).toBe(true);
    const both: Matcher[] = [
      { label: "team", op: "=", value: "ml" },
      { label: "severity", op: "=", value: "info" },
    ];
    expect(matches(both, labels)).toBe(false);
  });

  test("what is written is read again", () => {
    const matcher = fc.record({
      label: fc.stringMatching(/^[a-z_][a-z0-9_]{0,10}$/),
      op: fc.constantFrom("=", "!=", "=~", "!~"),
      value: fc.stringMatching(/^[!-~]{0,20}$/),
    });
    fc.assert(
      fc.property(fc.array(matcher, { maxLength: 5 }), (given) => {
        expect(parseMatchers(matcherText(given))).toEqual(given);
      }),
      { numRuns: FUZZ_RUNS },
    );
    expect(parseMatchers("team=ml, severity != critical")).toEqual([
      { label: "team", op: "=", value: "ml" },
      { label: "severity", op: "!=", value: "critical" },
    ]);
  });

  test.each(["team", "=x", "team=ml severity=x", 'team="ml', "te am=1"])("%s is not understood", (text) =>
    expect(parseMatchers(text)).toBeNull(),
  );

  test("no pattern stalls", () => {
    const value = `${"*a".repeat(149)}b`;
    const began = performance.now();
    expect(matches([{ label: "x", op: "=~", value }], { x: "a".repeat(300) })).toBe(false);
    expect(performance.now() - began).toBeLessThan(250);
  });
});

describe("windows of the week", () => {
  const nights: Recurrence = { zone: "Europe/Berlin", days: [1, 2, 3, 4, 5], from: "22:00", to: "07:00" };

  test("a night belongs to the day on which it begins", () => {
    // Friday night runs into Saturday; Saturday night is none.
    expect(windowsIn(nights, at("2026-11-20T00:00Z"), at("2026-11-22T12:00Z")).map(iso)).toEqual([
      ["2026-11-19T21:00:00.000Z", "2026-11-20T06:00:00.000Z"],
      ["2026-11-20T21:00:00.000Z", "2026-11-21T06:00:00.000Z"],
    ]);
    expect(windowAt(nights, at("2026-11-21T05:59Z"))).not.toBeNull();
    expect(windowAt(nights, at("2026-11-21T06:00Z"))).toBeNull();
    expect(windowAt(nights, at("2026-11-21T21:30Z"))).toBeNull();
  });

  test.each<[string, Recurrence, string, string[]]>([
    [
      "the night when clocks go forward in Berlin",
      { ...nights, days: [6] },
      "2026-03-28T22:00Z",
      ["2026-03-28T21:00:00.000Z", "2026-03-29T05:00:00.000Z"],
    ],
    [
      "the night when they go back",
      { ...nights, days: [6] },
      "2026-10-24T22:00Z",
      ["2026-10-24T20:00:00.000Z", "2026-10-25T06:00:00.000Z"],
    ],
    [
      "a beginning that the change leaves out",
      { zone: "America/New_York", days: [7], from: "02:30", to: "04:00" },
      "2026-03-08T07:30Z",
      ["2026-03-08T07:00:00.000Z", "2026-03-08T08:00:00.000Z"],
    ],
    [
      "a beginning that comes twice",
      { zone: "America/New_York", days: [7], from: "01:30", to: "04:00" },
      "2026-11-01T07:00Z",
      ["2026-11-01T05:30:00.000Z", "2026-11-01T09:00:00.000Z"],
    ],
    [
      "an end that comes twice",
      { zone: "America/New_York", days: [7], from: "00:00", to: "01:30" },
      "2026-11-01T06:15Z",
      ["2026-11-01T04:00:00.000Z", "2026-11-01T06:30:00.000Z"],
    ],
    [
      "half an hour's change on Lord Howe",
      { zone: "Australia/Lord_Howe", days: [7], from: "01:00", to: "03:00" },
      "2026-10-03T15:00Z",
      ["2026-10-03T14:30:00.000Z", "2026-10-03T16:00:00.000Z"],
    ],
    [
      "a whole day of 25 hours",
      { zone: "Europe/Berlin", days: [7], from: "00:00", to: "00:00" },
      "2026-10-25T12:00Z",
      ["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
    ],
  ])("%s", (_what, recurrence, inside, expected) => {
    expect(windowAt(recurrence, at(inside)) && iso(windowAt(recurrence, at(inside)) ?? { from: 0, to: 0 })).toEqual(
      expected,
    );
  });

  test("windows lie in order, end after they begin, and an instant is in one exactly if they say so", () => {
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map(([h, m]) => `${String(h).padStart(2, "0")}:${String(m).padStart(2, "0")}`);
    const any = fc.record({
      zone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"),
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }).map((days) => days.sort()),
      from: time,
      to: time,
    });
    const start = at("2026-01-01T00:00Z");
    fc.assert(
      fc.property(any, fc.nat(365 * 24 * 60), (recurrence, minute) => {
        const now = start + minute * 60_000;
        const windows = windowsIn(recurrence, now - 24 * HOUR, now + 24 * HOUR);
        for (const { from, to } of windows) expect(to).toBeGreaterThan(from);
        expect(windowAt(recurrence, now) !== null).toBe(windows.some(({ from, to }) => from <= now && now < to));
      }),
      { numRuns: Math.min(FUZZ_RUNS, 500) },
    );
  });
});

describe("a silence", () => {
  const silence: Silence = {
    kind: "silence",
    matchers: [{ label: "team", op: "=", value: "ml" }],
    startsAt: at("2026-11-20T10:00Z"),
    endsAt: at("2026-11-20T12:00Z"),
    endedAt: null,
    recurrence: null,
  };

  test("holds from its start up to its end, or up to when somebody ended it", () => {
    expect(holdsAt(silence, silence.startsAt - 1)).toBe(false);
    expect(holdsAt(silence, silence.startsAt)).toBe(true);
    expect(holdsAt(silence, silence.endsAt)).toBe(false);
    const ended = { ...silence, endedAt: silence.startsAt + HOUR };
    expect(holdsAt(ended, silence.startsAt + HOUR)).toBe(false);
    expect(phaseOf(ended, silence.startsAt + HOUR)).toBe("over");
    expect(phaseOf(silence, silence.startsAt - 1)).toBe("planned");
  });

  test("keeps back what fits, as long as both last", () => {
    expect(silencedBy([silence], { team: "ml" }, silence.startsAt)).toBe(silence);
    expect(silencedBy([silence], { team: "infra" }, silence.startsAt)).toBeNull();
    expect(hiddenMs(silence, silence.startsAt - HOUR, silence.startsAt + HOUR)).toBe(HOUR);
    expect(hiddenMs(silence, silence.endsAt, silence.endsAt + HOUR)).toBe(0);
  });

  test("that comes again holds in its windows, and pauses between them", () => {
    const nights: Silence = {
      ...silence,
      kind: "quiet_hours",
      endsAt: at("2026-12-20T10:00Z"),
      recurrence: { zone: "UTC", days: [1, 2, 3, 4, 5, 6, 7], from: "22:00", to: "06:00" },
    };
    expect(phaseOf(nights, at("2026-11-20T12:00Z"))).toBe("paused");
    expect(phaseOf(nights, at("2026-11-20T23:00Z"))).toBe("active");
    expect(silentSpans(nights, at("2026-11-20T00:00Z"), at("2026-11-22T00:00Z")).map(iso)).toEqual([
      ["2026-11-20T22:00:00.000Z", "2026-11-21T06:00:00.000Z"],
      ["2026-11-21T22:00:00.000Z", "2026-11-22T00:00:00.000Z"],
    ]);
  });

  test.each<[object, string]>([
    [{ matchers: [] }, "Say which alerts"],
    [{ reason: " " }, "Say why"],
    [{ endsAt: silence.startsAt }, "after its start"],
    [{ endsAt: silence.startsAt + 31 * 24 * HOUR }, "everything ends"],
    [{ kind: "quiet_hours" }, "days and times"],
    [{ ticketUrl: "javascript:alert(1)" }, "URL"],
    [{ recurrence: { zone: "Mars/Base", days: [1], from: "01:00", to: "02:00" } }, "time zone"],
  ])("%o is refused", (change, words) => {
    const { kind, matchers, startsAt, endsAt } = silence;
    const result = NewSilence.safeParse({ kind, matchers, startsAt, endsAt, reason: "a test", ...change });
    expect(JSON.stringify(result.error?.issues ?? [])).toContain(words);
  });
});
