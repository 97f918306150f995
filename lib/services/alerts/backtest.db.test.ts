import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { BacktestQuestion } from "@/lib/domain/alerts/backtest";
import {
  by,
  emptyHouse,
  evaluateAt,
  HOT,
  MINUTE,
  machine,
  measure,
  NOON,
  person,
  rule,
  SECOND,
  system,
} from "@/lib/testing/alerting";
import { backtestRule, changeTestedRule, createTestedRule } from "./backtest";
import { readRule } from "./rule-reads";
import { changeRule } from "./rules";

beforeEach(emptyHouse);

const SLOT = 10 * SECOND;

const asked = (over: Record<string, unknown> = {}) =>
  BacktestQuestion.parse({
    ...HOT,
    forMinutes: 0.5,
    keepFiringMinutes: 0,
    intervalSeconds: 10,
    windowMinutes: 0,
    days: 1,
    ...over,
  });

/** Fires, comes back, is silent while it fires, is hot again after it, and at last cools. */
const SERIES = [
  ...[70, 85, 86, 70, 90, 91, 92, 93, 94, 79, 78],
  ...[95, 95, 95, 95, 95, ...Array<null>(14).fill(null), 95, 95, 75, 75],
  ...[81, 81, 81, 60, 85.1, 85.1, 85.1, 85.1, 85.1],
];

describe("a rule held against history", () => {
  test("fires and resolves at the slots at which it did live", async () => {
    await rule({ forMs: 30 * SECOND });
    const [hot, cool] = [await machine("gh-hot"), await machine("gh-cool")];
    for (const [i, temperatureC] of SERIES.entries()) {
      const at = NOON + i * SLOT;
      if (temperatureC !== null) await measure(hot, at, { temperatureC });
      await measure(cool, at, { temperatureC: 50 });
      await evaluateAt(at);
    }
    const to = NOON + SERIES.length * SLOT;
    const live = await prisma.alert.findMany({
      where: { firedAt: { not: null } },
      orderBy: { activeAt: "asc" },
      select: { targetName: true, firedAt: true, resolvedAt: true },
    });
    expect(live.length).toBeGreaterThan(2);
    const { result } = await backtestRule(system(to), asked());
    expect(result?.noisiest.map(({ name }) => name)).toEqual(["gh-hot"]);
    expect(result?.noisiest[0]?.firing).toEqual(
      live.map(({ firedAt, resolvedAt }) => [firedAt?.getTime(), resolvedAt?.getTime() ?? to]),
    );
    expect(result).toMatchObject({ fired: live.length, firedTargets: 1, targets: 2, quiet: 1, isCut: false });
    const firingMs = live.reduce(
      (sum, one) => sum + (one.resolvedAt?.getTime() ?? to) - (one.firedAt?.getTime() ?? 0),
      0,
    );
    expect(result?.micros).toBe(String((2_290_000n * BigInt(firingMs)) / 3_600_000n));
  });

  test("says what it would have missed of an alert, and how much later it would have told", async () => {
    await rule();
    const gh = await machine("gh-1");
    for (let i = 0; i < 30; i++) {
      await measure(gh, NOON + i * SLOT, { temperatureC: i < 20 ? 84 : 60 });
      await evaluateAt(NOON + i * SLOT);
    }
    const { id } = await prisma.alert.findFirstOrThrow();
    const ctx = system(NOON + 10 * MINUTE);
    const late = await backtestRule(ctx, asked({ forMinutes: 2, alertId: id }));
    expect(late.result?.incident).toMatchObject({ isCaught: true, leadMs: -2 * MINUTE, closest: 84 });
    const missed = await backtestRule(ctx, asked({ threshold: 88, alertId: id }));
    expect(missed.result?.incident).toMatchObject({ isCaught: false, leadMs: null, closest: 84 });
    expect(missed.incidents).toMatchObject([{ id, ruleName: "Hot", targetName: "gh-1" }]);
  });

  test("judges nothing older than the samples that are kept, and says what it cannot judge at all", async () => {
    const gh = await machine("gh-1");
    await measure(gh, NOON, { temperatureC: 90 });
    const { result } = await backtestRule(system(NOON + MINUTE), asked({ days: 90 }));
    expect(result?.isCut).toBe(true);
    expect(result?.from).toBeGreaterThan(result?.asked.from ?? 0);
    const other = await backtestRule(system(NOON), asked({ kind: "inventory", metric: "unhealthy", threshold: 0 }));
    expect(other.result).toBeNull();
    expect(other.why).toContain("Instance unhealthy");
  });

  test("what history says of a saved text is kept with its version, and goes with the next text", async () => {
    const gh = await machine("gh-1");
    for (let i = 0; i < 20; i++) await measure(gh, NOON + i * SLOT, { temperatureC: i < 10 ? 84 : 60 });
    const ctx = by(await person("Otto", "operator"), NOON + 10 * MINUTE);
    const { id: ruleId } = await createTestedRule(ctx, HOT);
    expect((await readRule(ctx, { ruleId })).backtest).toMatchObject({
      version: 1,
      fired: 1,
      firingMs: 10 * SLOT,
      noisiest: [{ name: "gh-1", fired: 1 }],
    });
    await changeTestedRule(ctx, { ...HOT, threshold: 90, ruleId });
    const changed = await readRule(ctx, { ruleId });
    expect(changed.backtest).toMatchObject({ version: changed.rule.version, fired: 0 });
    await changeRule(ctx, { ...HOT, threshold: 95, ruleId });
    expect((await readRule(ctx, { ruleId })).backtest).toBeNull();
  });

  test("is for those who write rules", async () => {
    const viewer = await person("Vera", "viewer");
    await expect(backtestRule(by(viewer, NOON), asked())).rejects.toMatchObject({ code: "forbidden" });
  });
});
