import { describe, expect, test } from "vitest";
import { Machines, PARAMS, type Policy } from "@/lib/domain/policies/policy";
import { monthEndForecast } from "./forecast";
import { planOf as planned, plannersOf, returnsOf } from "./planned";

const HOUR = 3_600_000;
// A Wednesday.
const NOW = Date.parse("2026-11-18T10:00:00Z");
const END = Date.parse("2026-12-01T00:00:00Z");
const at = (text: string) => Date.parse(text);

const policy = <K extends "lease" | "schedule">(kind: K, params: object, over: object = {}) =>
  ({
    ...{ id: kind, kind, name: kind, mode: "armed", shadowSince: 0, armedAt: 0, zone: "UTC" },
    ...{
      selector: Machines.parse({ team: ["ml"] }),
      cooldownMs: 0,
      maxPerHour: 9,
      version: 1,
      createdAt: 0,
      updatedAt: 0,
    },
    params: PARAMS[kind].parse(params),
    ...over,
  }) as Policy;

const machine = (over: object = {}) => ({
  ...{ leaseUntil: null, isProtected: false },
  selected: { team: "ml", workload: "dev", type: "gpu_1x_gh200", instance: "a", region: "us-east-3" },
  ...over,
});

const planOf = (one: ReturnType<typeof machine>, policies: Policy[], now: number, until: number) =>
  planned(one, plannersOf(policies, now, until), now);

const forecast = (plan: ReturnType<typeof planOf>, from = NOW) =>
  monthEndForecast({
    ...{ at: from, monthEnd: END, monthToDateMicros: 0n, storageMicrosPerHour: 0n, churnMicrosPerDay: 0n },
    ...{ dailyResidualMicros: [], dailyMeanMicros: 0n },
    running: [{ ...plan, microsPerHour: 1n }],
  }).baseMicros;

describe("how long a machine is planned to run", () => {
  const leased = machine({ leaseUntil: NOW + 30 * HOUR });

  test("to the end of its lease, where a policy that is armed ends it then", () => {
    expect(forecast(planOf(leased, [policy("lease", {})], NOW, END))).toBe(30n);
    const whole = BigInt((END - NOW) / HOUR);
    for (const one of [
      planOf(leased, [policy("lease", {}, { mode: "shadow" })], NOW, END),
      planOf({ ...leased, isProtected: true }, [policy("lease", {})], NOW, END),
      planOf({ ...leased, selected: { ...leased.selected, team: "web" } }, [policy("lease", {})], NOW, END),
      // What outlived its lease runs on until somebody ends it.
      planOf(machine({ leaseUntil: NOW - HOUR }), [policy("lease", {})], NOW, END),
    ])
      expect(forecast(one)).toBe(whole);
  });

  const hours = { days: [1, 2, 3, 4, 5], from: "08:00", to: "19:00", holidays: ["2026-11-26"] };

  test("to the end of working hours, and again in the next ones where the same is launched again", () => {
    const once = planOf(machine(), [policy("schedule", hours)], NOW, END);
    expect(once).toEqual({ plannedEnd: at("2026-11-18T19:00:00Z") });
    expect(forecast(once)).toBe(9n);
    const again = { ...hours, templateId: "0190c0de-0000-7000-8000-000000000001" };
    // Nine hours of today, two whole days of this week, four of the next, a Monday: eleven hours each, no holiday.
    expect(forecast(planOf(machine(), [policy("schedule", again)], NOW, END))).toBe(9n + 7n * 11n);
  });

  test("after hours to the next evening, and never past the end of its lease", () => {
    const night = at("2026-11-18T22:00:00Z");
    expect(planOf(machine(), [policy("schedule", hours)], night, END)).toEqual({
      plannedEnd: at("2026-11-19T19:00:00Z"),
    });
    const both = [policy("schedule", hours), policy("lease", {})];
    expect(planOf(machine({ leaseUntil: NOW + 2 * HOUR }), both, NOW, END)).toEqual({ plannedEnd: NOW + 2 * HOUR });
  });
});

describe("machines that working hours bring back", () => {
  const hours = { days: [1, 2, 3, 4, 5], from: "08:00", to: "19:00", holidays: ["2026-11-26"] };
  const again = policy("schedule", { ...hours, templateId: "0190c0de-0000-7000-8000-000000000001" });
  const [evening, night, morning] = ["2026-11-18T19:00:00Z", "2026-11-18T22:00:00Z", "2026-11-19T08:00:00Z"].map(
    at,
  ) as [number, number, number];
  const ended = { target: "m1", slot: evening, decision: "acted", resourceId: "m1" };
  const relaunch = (decision: string) => ({ target: "launch:m1", slot: morning, decision, resourceId: null });
  const who = (acts: (typeof ended | ReturnType<typeof relaunch>)[], now = night, one = again) => [
    ...returnsOf(one, acts, now, END).keys(),
  ];

  test("are in the forecast from the next morning on, for these hours", () => {
    const plan = returnsOf(again, [ended], night, END).get("m1");
    expect(plan?.within?.[0]).toEqual({ from: morning, to: morning + 11 * HOUR });
    // Two days of this week, four of the next, a Monday.
    expect(forecast(plan ?? { plannedEnd: night }, night)).toBe(7n * 11n);
  });

  test("as long as they are to come: not those of another evening, spared, launched already or given up", () => {
    expect(who([ended])).toEqual(["m1"]);
    expect(who([ended, relaunch("planned")])).toEqual(["m1"]);
    expect(who([ended], morning + HOUR / 4)).toEqual(["m1"]);
    for (const acts of [
      [{ ...ended, slot: evening - 24 * HOUR }],
      [{ ...ended, decision: "skipped" }],
      [ended, relaunch("acted")],
      [ended, relaunch("cancelled")],
    ])
      expect(who(acts)).toEqual([]);
    expect(who([ended], at("2026-11-19T12:00:00Z"))).toEqual([]);
    expect(who([ended], night, policy("schedule", hours))).toEqual([]);
    expect(who([ended], night, { ...again, mode: "shadow" })).toEqual([]);
  });
});
