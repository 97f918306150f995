import { describe, expect, test } from "vitest";
import { budgetEntry, planBudgets } from "@/lib/domain/cost/budget-file";
import type { Budget } from "@/lib/domain/cost/budgets";
import { type FiledRoute, planRoutes, routeEntry } from "@/lib/domain/notify/route-file";
import { NewSilence } from "@/lib/domain/silences/silence";
import { planSilences, silenceEntry } from "@/lib/domain/silences/silence-file";
import { DEFAULT_PACK } from "./default-pack";
import { planRules, ruleEntry } from "./rule-file";

const CHANNELS = [
  { id: "0190d2a4-0000-7000-8000-000000000001", name: "#gpu-alerts" },
  { id: "0190d2a4-0000-7000-8000-000000000002", name: "pager" },
];
const [slack, pager] = CHANNELS.map(({ id }) => id) as [string, string];

const BUDGET: Budget = {
  id: "b1",
  name: "Research",
  selector: { team: "research" },
  every: "month",
  micros: 12_000_500_000n,
  thresholds: [{ on: "actual", pct: 90 }],
  fromDay: "2026-11-01",
  version: 3,
};

const ROUTE: FiledRoute & { id: string } = {
  id: "r1",
  name: "Night",
  matchers: [{ label: "severity", op: "=", value: "critical" }],
  channelId: pager,
  groupBy: ["team"],
  groupWaitMs: 30_000,
  groupIntervalMs: 300_000,
  repeatMs: 3_600_000,
  escalation: [
    { channelId: slack, afterMs: 600_000 },
    { channelId: slack, afterMicros: 250_000_000n },
  ],
  goesOn: true,
  enabled: true,
};

const NOW = Date.UTC(2026, 10, 20, 12);
const SILENCE = {
  id: "s1",
  ...NewSilence.parse({
    matchers: [{ label: "instance", op: "=", value: "gh-1" }],
    reason: "a new driver",
    startsAt: NOW,
    endsAt: NOW + 7_200_000,
  }),
};

describe("budgets in the file", () => {
  const plan = (...entries: Record<string, unknown>[]) => planBudgets(entries, [BUDGET]);

  test("what was written is taken back as it was", () => {
    expect(budgetEntry(BUDGET)).toMatchObject({ usd: "12000.5", scope: { team: "research" } });
    expect(plan(budgetEntry(BUDGET))).toMatchObject({ planned: [], diff: { changes: [{ kind: "same" }] } });
  });

  test("a change, a new one, one for a scope that has one, and one that is none", () => {
    const { diff } = plan(
      { ...budgetEntry(BUDGET), usd: 13_000 },
      { name: "All", every: "month", usd: 50_000 },
      { name: "Twin", every: "month", usd: 1, scope: { team: "research" } },
      { name: "Odd", every: "month", usd: -4 },
    );
    expect(diff.changes.map(({ kind, details }) => [kind, ...details].join(" "))).toEqual([
      'changed usd: "12000.5" → "13000"',
      "new",
      "refused scope: Research is a budget for the same scope and period",
      "refused usd: is not an amount of dollars such as 12000 or 0.20",
    ]);
  });

  test("a rule names its budget", () => {
    const rule = DEFAULT_PACK.find(({ kind }) => kind === "money");
    if (!rule) throw new Error("the default pack has no rule about money");
    const { packKey, selector: _, ...rest } = rule;
    const uuid = "0190d2a4-0000-7000-8000-00000000000b";
    const entry = ruleEntry({ ...rest, selector: {}, enabled: true, budgetId: uuid }, "Research");
    expect(entry.budget).toBe("Research");
    const { planned } = planRules([entry], [], new Map([["Research", uuid]]));
    expect(planned[0]?.input.budgetId).toBe(uuid);
    expect(planRules([entry], []).diff.changes[0]).toMatchObject({
      kind: "refused",
      details: ["budget: there is none called Research"],
    });
    expect(packKey).not.toBe("");
  });
});

describe("routes in the file", () => {
  const plan = (...entries: Record<string, unknown>[]) => planRoutes(entries, [ROUTE], CHANNELS);

  test("what was written is taken back as it was, channels by name", () => {
    const entry = routeEntry(ROUTE, CHANNELS);
    expect(entry).toMatchObject({ channel: "pager", match: 'severity="critical"', repeatMinutes: 60 });
    expect(entry.escalation).toEqual([
      { channel: "#gpu-alerts", afterMinutes: 10 },
      { channel: "#gpu-alerts", afterUsd: "250" },
    ]);
    expect(plan(entry)).toMatchObject({ planned: [], diff: { changes: [{ kind: "same" }] } });
  });

  test("a change names its field; a channel that is not there, a condition that is none and a wrong field are refused", () => {
    const entry = routeEntry(ROUTE, CHANNELS);
    const { diff } = plan(
      { ...entry, repeatMinutes: 120 },
      { ...entry, name: "A", channel: "mail" },
      { ...entry, name: "B", match: "severity" },
      { ...entry, name: "C", chanel: "pager" },
    );
    expect(diff.changes.map(({ kind, details }) => `${kind} ${details[0]}`)).toEqual([
      "changed repeatMinutes: 60 → 120",
      "refused channel: there is no channel called mail; make it first",
      'refused match: is not like team="ml", severity=critical',
      expect.stringContaining("chanel"),
    ]);
  });
});

describe("silences in the file", () => {
  const plan = (...entries: Record<string, unknown>[]) => planSilences(entries, [SILENCE], NOW + 60_000);

  test("one that stands is as it is, one that is over is refused, a new one is placed", () => {
    const entry = silenceEntry(SILENCE);
    expect(entry).toMatchObject({ match: 'instance="gh-1"', to: "2026-11-20T14:00:00.000Z" });
    const { diff, planned } = plan(
      entry,
      { ...entry, to: "2026-11-20T12:00:30Z", reason: "too late" },
      { ...entry, reason: "another" },
      { ...entry, match: "" },
    );
    expect(diff.changes.map(({ kind }) => kind)).toEqual(["same", "refused", "new", "refused"]);
    expect(planned.map(({ id, input }) => [id, input.reason])).toEqual([[null, "another"]]);
  });
});
