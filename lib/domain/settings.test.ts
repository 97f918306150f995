import { expect, test } from "vitest";
import {
  AccountingChange,
  AnomalyChange,
  addressProblem,
  RetentionChange,
  SETTINGS,
  SessionChange,
  StoragePriceChange,
} from "./settings";

test("without a row every setting has its default", () => {
  expect(SETTINGS.session.parse(undefined)).toEqual({ idleMs: 12 * 3_600_000, absoluteMs: 7 * 24 * 3_600_000 });
  expect(SETTINGS.anomalies.parse(undefined)).toEqual({ minMicros: "5000000" });
  expect(SETTINGS.accounting.parse(undefined)).toEqual({ zone: "UTC", price: "current" });
  expect(SETTINGS.retention.parse(undefined)).toEqual({ samplesDays: 60, distributionsDays: 60, hoursDays: 730 });
});

test.each([
  ["12000", "12000000000"],
  ["$12,000", "12000000000"],
  [" 0.25 ", "250000"],
  ["0.000001", "1"],
  ["0", "0"],
])("an amount typed as %j is %j micro-dollars", (least, minMicros) => {
  expect(AnomalyChange.parse({ least })).toEqual({ minMicros });
});

test.each(["-1", "twelve", "1e3", "1,2", "0.0000001", "100000001", "NaN", "1.2.3", ""])(
  "%j is not an amount",
  (least) => {
    expect(AnomalyChange.safeParse({ least }).error?.issues[0]?.path).toEqual(["least"]);
  },
);

test("a storage price must be given", () => {
  expect(StoragePriceChange.parse({ gibMonth: "0.20" })).toEqual({ micros: 200_000n });
  expect(StoragePriceChange.safeParse({ gibMonth: "" }).error?.issues[0]?.path).toEqual(["gibMonth"]);
  expect(StoragePriceChange.safeParse({ gibMonth: "1000.01" }).success).toBe(false);
});

test("a session cannot be idle for longer than it lasts", () => {
  const hour = 3_600_000;
  expect(SessionChange.parse({ idleMs: String(hour / 2), absoluteMs: String(12 * hour) })).toEqual({
    idleMs: hour / 2,
    absoluteMs: 12 * hour,
  });
  expect(SessionChange.safeParse({ idleMs: 24 * hour, absoluteMs: 12 * hour }).success).toBe(false);
  expect(SessionChange.safeParse({ idleMs: 0, absoluteMs: 12 * hour }).success).toBe(false);
  expect(SessionChange.safeParse({ idleMs: 1e12, absoluteMs: 1e12 }).success).toBe(false);
});

test("retention has floors: samples may come two days late", () => {
  const kept = { samplesDays: "2", distributionsDays: "14", hoursDays: "30" };
  expect(RetentionChange.parse(kept)).toEqual({ samplesDays: 2, distributionsDays: 14, hoursDays: 30 });
  expect(RetentionChange.safeParse({ ...kept, samplesDays: "1" }).success).toBe(false);
  expect(RetentionChange.safeParse({ ...kept, hoursDays: "29" }).success).toBe(false);
  expect(RetentionChange.safeParse({ ...kept, samplesDays: "2.5" }).success).toBe(false);
});

test("an accounting zone is one that the runtime knows", () => {
  expect(AccountingChange.parse({ zone: " Asia/Kolkata " })).toEqual({ zone: "Asia/Kolkata", price: "current" });
  for (const zone of ["Mars/Olympus", "+05:30", ""]) expect(AccountingChange.safeParse({ zone }).success).toBe(false);
});

test("an address that machines cannot use says so", () => {
  expect(addressProblem("http://localhost:3000", true)).toMatch(/PUBLIC_URL/);
  expect(addressProblem("http://deck.example", false)).toMatch(/https/);
  expect(addressProblem("https://deck.example", false)).toBeNull();
});
