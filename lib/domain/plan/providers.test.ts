import { describe, expect, test } from "vitest";
import { BUNDLED_QUOTES } from "./catalogue";
import { evaluated } from "./formula.testing";
import { answeredFigure, availabilityFigure, downtimeLeftFigure, type ProviderFacts, providerViews } from "./providers";
import { bookOn } from "./quotes";

const DAY = "2026-08-21";
const MONTH_MINUTES = 30 * 24 * 60;
const FACTS: ProviderFacts = {
  days: 30,
  bootMs: 190_000,
  boots: 7,
  polls: 172_800,
  failedPolls: 34,
  billedMinutes: MONTH_MINUTES,
  unhealthyMinutes: 0,
};
const plain = (text: string | undefined) => text?.replaceAll(/\s/g, " ");

test("S1-24: cost, set-up, interface, spot and reliability stand beside each other, measured where machines of ours run", () => {
  const views = providerViews(bookOn(BUNDLED_QUOTES, DAY), FACTS, DAY);
  const [first, ...others] = views;
  expect(first).toMatchObject({ provider: "lambda", hasSpot: false, measured: { boots: 7, polls: 172_800 } });
  expect(others.length).toBeGreaterThan(10);
  expect(others.every(({ measured }) => measured === null)).toBe(true);
  expect(views.find(({ provider }) => provider === "aws")).toMatchObject({ hasSpot: true, hasReserved: true });
  for (const { a100, newest } of views) {
    if (a100 !== null) expect(a100).toMatchObject({ model: "A100", perGpuMicros: expect.stringMatching(/^[1-9]\d*$/) });
    if (newest !== null) expect(newest).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  }
});

test("a rejected price makes nobody cheaper", () => {
  const book = bookOn(BUNDLED_QUOTES, DAY);
  const view = (quotes: typeof book) => providerViews(quotes, FACTS, DAY).find(({ provider }) => provider === "aws");
  const before = view(book)?.a100?.perGpuMicros;
  const worse = book.map((quote) => ({ ...quote, micros: 1n, status: "rejected" as const }));
  expect(view([...book, ...worse])?.a100?.perGpuMicros).toBe(before);
});

describe("availability", () => {
  const left = (facts: Partial<ProviderFacts>) => downtimeLeftFigure({ ...FACTS, ...facts });

  test("S2-15: of 99.9 % one machine has 43.2 min in 30 days, two have twice as many, and what was lost is taken off", () => {
    expect(left({})?.amount).toBeCloseTo(43.2, 6);
    expect(left({ billedMinutes: 2 * MONTH_MINUTES })?.amount).toBeCloseTo(86.4, 6);
    expect(left({ unhealthyMinutes: 40 })?.amount).toBeCloseTo(3.2, 6);
    expect(plain(left({ unhealthyMinutes: 60 })?.value)).toBe("−16.8 min");
    expect(left({})?.notes[0]).toContain("43.2 min");
  });

  test("is of billed minutes, nothing where nothing ran, and near the whole it has two digits", () => {
    expect(plain(availabilityFigure({ ...FACTS, unhealthyMinutes: 30 })?.value)).toBe("99.93 %");
    expect(availabilityFigure({ ...FACTS, billedMinutes: 0 })).toBeNull();
    expect(downtimeLeftFigure({ ...FACTS, billedMinutes: 0 })).toBeNull();
    expect(answeredFigure({ ...FACTS, polls: 0 })).toBeNull();
  });

  test("each figure is what its formula says", () => {
    const facts = { ...FACTS, unhealthyMinutes: 17 };
    for (const figure of [availabilityFigure(facts), downtimeLeftFigure(facts), answeredFigure(facts)]) {
      if (!figure) throw new Error("no figure");
      expect(evaluated(figure)).toBeCloseTo(figure.amount ?? Number.NaN, 6);
    }
  });
});
