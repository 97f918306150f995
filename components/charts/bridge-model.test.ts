import { expect, test } from "vitest";
import { bridgeModel, summariseBridge } from "./bridge-model";

const total = (label: string, amount: number) => ({ label, amount, text: `$${amount / 1_000_000}` });
const step = (id: string, change: number) => ({ id, label: id, change, text: String(change / 1_000_000) });

test("each step begins where the one before ended, and the last ends at the total", () => {
  const { bars } = bridgeModel({
    unit: "usdMicros",
    before: total("October", 100e6),
    steps: [step("volume", 60e6), step("mix", 0), step("price", -20e6)],
    own: total("November", 140e6),
  });
  expect(bars.map(({ kind }) => kind)).toEqual(["total", "more", "same", "less", "total"]);
  const [october, volume, mix, price, november] = bars;
  expect(volume?.bottom).toBe(october?.top);
  expect([mix?.bottom, mix?.top]).toEqual([volume?.top, volume?.top]);
  expect(price?.top).toBe(volume?.top);
  expect(price?.bottom).toBeCloseTo(november?.top ?? -1, 12);
  expect(october?.bottom).toBe(0);
});

test("a bridge that goes below nothing keeps its zero in sight", () => {
  const { bars, frame } = bridgeModel({
    unit: "usdMicros",
    before: total("October", 10e6),
    steps: [step("credit", -30e6)],
    own: total("November", -20e6),
  });
  expect(frame.y.min).toBeLessThan(0);
  for (const { bottom, top } of bars) expect(0 <= bottom && bottom <= top && top <= 1).toBe(true);
});

test("is one sentence for those who do not see it", () => {
  const model = bridgeModel({
    unit: "usdMicros",
    before: total("October", 1e6),
    steps: [step("mix", 2e6)],
    own: total("November", 3e6),
  });
  expect(summariseBridge("Why", model)).toBe("Why: October $1, mix 2, November $3");
});
