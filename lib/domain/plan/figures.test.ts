import { describe, expect, test } from "vitest";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { BUNDLED_QUOTES } from "./catalogue";
import { CompareQuestion, lambdaStorageFigure, offerView } from "./compare-view";
import { compareNeed, type Need } from "./comparison";
import { moveFleet } from "./elsewhere";
import { fleetChange, movedView } from "./fleet-view";
import type { Figure } from "./formula";
import { evaluated } from "./formula.testing";
import { bookOn } from "./quotes";
import { type SpotWork, spotAdvice } from "./spot";
import { onDemandFigure, SpotQuestion, savedFigure, spotFigure } from "./spot-view";

const DAY = "2026-11-20";
const d = parseDecimal;

/** A figure must be what its formula says; people see its numbers rounded to the cent. */
function holds(figure: Figure | null, within = 0.011): void {
  if (figure === null || figure.amount === undefined) return;
  expect(Math.abs((evaluated(figure) ?? Number.NaN) - figure.amount), figure.name).toBeLessThan(within);
}

describe("every figure of a comparison is what its formula says", () => {
  const need: Need = {
    model: "A100",
    memoryGb: 40,
    board: null,
    gpus: 3,
    hours: d("12.5"),
    firmness: "firm",
    storageGib: d("50"),
    egressGb: d("7"),
    storageMicrosPerGibMonth: 120_000n,
    egressMicrosPerGb: 90_000n,
    lambdaStorageMicros: 200_000n,
  };

  test.each([
    ["with storage and data out", need],
    ["without", { ...need, storageMicrosPerGibMonth: null, egressMicrosPerGb: null }],
  ])("%s", (_, asked) => {
    const comparison = compareNeed(bookOn(BUNDLED_QUOTES, DAY), asked, DAY);
    const views = comparison.offers.map((offer) => offerView(offer, comparison, asked, DAY));
    expect(views.length).toBeGreaterThan(10);
    for (const { total, against, perGb, whole } of views) {
      for (const figure of [total, perGb, whole]) holds(figure);
      holds(against, against?.name === "Price alone" ? 0.06 : 0.011);
    }
    holds(lambdaStorageFigure(comparison, asked));
  });

  test("S0-10: a per cent says what it is of", () => {
    const comparison = compareNeed(bookOn(BUNDLED_QUOTES, DAY), need, DAY);
    const figures = comparison.offers.flatMap((offer) => offerView(offer, comparison, need, DAY).against ?? []);
    expect(figures.length).toBeGreaterThan(5);
    for (const { name, notes, formula } of figures) {
      if (name === "Against Lambda") expect(notes[0]).toMatch(/% of what Lambda costs\.$/);
      else expect(formula).toContain("÷ {here} × 100");
    }
  });

  test("a difference is only shown as one where the offer is like", () => {
    const comparison = compareNeed(bookOn(BUNDLED_QUOTES, DAY), need, DAY);
    for (const offer of comparison.offers) {
      const { against, likeness, isBase } = offerView(offer, comparison, need, DAY);
      if (likeness === "like" && !isBase) expect(against?.name).toBe("Against Lambda");
      if (likeness !== "like" && against)
        expect(against).toMatchObject({ name: "Price alone", notes: [expect.stringMatching(/^Not like with like/)] });
    }
  });

  test("of a fleet elsewhere, too", () => {
    const use = { typeName: "gpu_1x_gh200", gpu: "GH200", gpus: 1, memoryGb: 96, minutes: 1_441, micros: 54_998_167n };
    const moved = moveFleet(
      [use, { ...use, gpu: "H100 SXM", gpus: 8, memoryGb: 80 }],
      bookOn(BUNDLED_QUOTES, DAY),
      null,
    );
    for (const row of moved.rows) {
      const { elsewhere, change } = movedView(row, DAY);
      expect(elsewhere).not.toBeNull();
      holds(elsewhere);
      holds(change);
    }
    holds(fleetChange(moved));
  });
});

test("every figure of the decision for spot is what its formula says", () => {
  const work: SpotWork = {
    runs: 4,
    hoursPerRun: 12,
    gpus: 2,
    onDemandMicros: 1_290_000n,
    spotMicros: 690_000n,
    interruptionsPerDay: 2,
    checkpointMinutes: 45,
    restartMinutes: 10,
    transferMicros: 3_500_000n,
    isGuaranteed: false,
    turnaroundHours: null,
  };
  const advice = spotAdvice(work);
  holds(onDemandFigure(work, advice.onDemand, null));
  if (!advice.spot) throw new Error("no spot");
  holds(spotFigure(work, advice.spot, null));
  holds(savedFigure(advice));
  expect(savedFigure(spotAdvice({ ...work, spotMicros: null }))).toBeNull();
});

describe("a question in the address that makes no sense asks what is asked at first", () => {
  test.each([
    [{}, {}],
    [{ hours: "-1", gpus: "many", what: "dream", on: "yesterday", board: "wood" }, {}],
    [{ hours: "99999999999" }, {}],
    [
      { hours: "1.5", gpus: "8", board: "SXM" },
      { hours: "1.5", gpus: 8, board: "SXM" },
    ],
  ])("%j", (given, expected) => {
    expect(CompareQuestion.parse(given)).toMatchObject({ what: "job", hours: "12", gpus: 1, ...expected });
  });

  test("of spot, too", () => {
    expect(SpotQuestion.parse({ runs: "0", hours: "x", checkpoint: "often", interruptions: "-3" })).toMatchObject({
      runs: 4,
      hours: 12,
      checkpoint: "",
      interruptions: 1,
    });
  });
});
