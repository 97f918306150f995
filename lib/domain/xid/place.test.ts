import { expect, test } from "vitest";
import type { GpuPlace } from "@/lib/domain/telemetry/report";
import { busPlace, findPlace, samePlace } from "./place";

const place = (said: Partial<GpuPlace>): GpuPlace => ({ uuid: null, mig: "", busId: null, index: null, ...said });

test.each([
  ["PCI:0000:19:00", "0000:19:00"],
  ["00000000:19:00.0", "0000:19:00"],
  ["0000:C6:00", "0000:c6:00"],
  ["00000009:01:00.0", "0009:01:00"],
  ["00010000:01:00.0", "10000:01:00"],
  ["19:00.0", "0000:19:00"],
  ["0", null],
  ["", null],
  [null, null],
  ["GPU-1234", null],
])("the place of %s is %s", (text, expected) => {
  expect(busPlace(text)).toBe(expected);
});

test("one card: the UUID decides where both know it, then the bus, then the number", () => {
  expect(samePlace(place({ uuid: "GPU-A" }), place({ uuid: "gpu-a", busId: "1:1:0" }))).toBe(true);
  expect(samePlace(place({ uuid: "GPU-A", index: 0 }), place({ uuid: "GPU-B", index: 0 }))).toBe(false);
  expect(samePlace(place({ busId: "PCI:0000:19:00" }), place({ uuid: "GPU-A", busId: "00000000:19:00.0" }))).toBe(true);
  expect(samePlace(place({ busId: "PCI:0000:19:00" }), place({ busId: "00000000:1A:00.0" }))).toBe(false);
  expect(samePlace(place({ index: 3 }), place({ index: 3, busId: "1:1:0" }))).toBe(true);
  expect(samePlace(place({}), place({}))).toBe(false);
});

test("a slice of a card is found by its instance, else the whole card stands for it", () => {
  const whole = place({ busId: "0000:01:00" });
  const slices = ["3", "5/1", "5/2"].map((mig) => place({ busId: "0000:01:00", mig }));
  const [three, five] = slices;
  const asked = (mig: string) => place({ busId: "PCI:0000:01:00", mig });
  expect(findPlace(asked("3"), [whole, ...slices])).toBe(three);
  expect(findPlace(asked("5"), [whole, ...slices])).toBe(five);
  expect(findPlace(asked("9"), [three ?? whole, whole])).toBe(whole);
  expect(findPlace(asked(""), slices)).toBe(three);
  expect(findPlace(place({ busId: "0000:02:00" }), [whole])).toBeNull();
});
