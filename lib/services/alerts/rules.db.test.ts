import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import type { Role } from "@/lib/domain/access";
import {
  by,
  emptyHouse,
  evaluateAt,
  HOT,
  MINUTE,
  machine,
  measure,
  NOON,
  onlyAlert,
  person,
  rule,
  run,
} from "@/lib/testing/alerting";
import { installDefaultRules } from "./evaluate";
import { readRule, readRuleForm, readRulePreview, readRules } from "./rule-reads";
import { changeRule, createRule, removeRule, switchRule } from "./rules";

beforeEach(emptyHouse);

const audit = (subjectId: string) =>
  prisma.auditEvent.findMany({
    where: { subjectId },
    orderBy: { seq: "asc" },
    select: { action: true, actor: true, changes: true },
  });

test("a rule says in which of the last 24 hours its alerts fired", async () => {
  const id = await rule();
  await run(await machine("gh-1"), NOON - 2 * 60 * MINUTE, [90, 90, 60]);
  await run(await machine("gh-2"), NOON - MINUTE, [90]);
  const { rules } = await readRules(by(await person("Vi", "viewer"), NOON));
  const [one] = rules.filter((row) => row.id === id);
  expect(one?.firedByHour).toEqual([...Array(22).fill(0), 1, 1]);
});

describe("writing a rule", () => {
  test("an operator's rule is there, on, and in the audit trail", async () => {
    const ada = await person("Ada", "operator");
    const { id } = await createRule(by(ada, NOON), HOT);
    const { rules } = await readRules(by(ada, NOON));
    expect(rules).toMatchObject([
      { id, name: "Hot", isDefault: false, enabled: true, version: 1, threshold: 80, judgedAt: null, isLate: false },
    ]);
    expect(await audit(id)).toMatchObject([{ action: "rule.created", actor: "Ada" }]);
  });

  test.each<Role>(["viewer", "finance", "on_call"])("a %s writes, changes, pauses and removes none", async (role) => {
    const id = await rule();
    const ctx = by(await person("Eve", role), NOON);
    const before = await prisma.auditEvent.count();
    for (const attempt of [
      () => createRule(ctx, { ...HOT, name: "Mine" }),
      () => changeRule(ctx, { ...HOT, threshold: 1, ruleId: id }),
      () => switchRule(ctx, { ruleId: id, enabled: false }),
      () => removeRule(ctx, { ruleId: id }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: "forbidden" });
    expect((await readRules(ctx)).rules).toMatchObject([{ id, name: "Hot", threshold: 80, enabled: true }]);
    expect(await prisma.auditEvent.count()).toBe(before);
  });

  test("a change raises the version and the audit names what changed; what it looks at cannot change", async () => {
    const ada = await person("Ada", "operator");
    const id = await rule();
    await changeRule(by(ada, NOON + MINUTE), { ...HOT, threshold: 85, ruleId: id });
    const { rule: changed, changes } = await readRule(by(ada, NOON + MINUTE), { ruleId: id });
    expect(changed).toMatchObject({ threshold: 85, version: 2 });
    expect(changes?.[0]).toMatchObject({ by: "Ada", action: "rule.changed" });
    expect(changes?.[0]?.fields).toContain("threshold");
    expect(changes?.[0]?.fields).not.toContain("name");
    await expect(
      changeRule(by(ada, NOON), { ...HOT, kind: "money", metric: "spendTodayUsd", ruleId: id }),
    ).rejects.toMatchObject({ code: "invalid", fields: { kind: expect.any(String) } });
  });

  test("a viewer reads the rule and not who changed it", async () => {
    const id = await rule();
    const answer = await readRule(by(await person("Vi", "viewer"), NOON), { ruleId: id });
    expect(answer.rule.name).toBe("Hot");
    expect(answer.changes).toBeNull();
  });
});

describe("ending a rule", () => {
  test("pausing closes what fires with its reason and forgets what is pending; twice is harmless", async () => {
    const ada = by(await person("Ada", "operator"), NOON + MINUTE);
    const id = await rule();
    const slow = await rule({ name: "Slow", forMs: 10 * MINUTE });
    await run(await machine("gh-1"), NOON, [90]);
    expect(await prisma.alert.count()).toBe(2);
    for (const ruleId of [id, slow]) await switchRule(ada, { ruleId, enabled: false });
    await switchRule(ada, { ruleId: id, enabled: false });
    expect(await onlyAlert()).toMatchObject({ ruleId: id, status: "resolved", resolveReason: "rule_paused" });
    expect((await onlyAlert()).history.filter(({ kind }) => kind === "resolved")).toHaveLength(1);
    expect((await readRule(ada, { ruleId: id })).rule.open.firing).toBe(0);
  });

  test("a paused rule is not judged until it is on again", async () => {
    const ada = by(await person("Ada", "operator"), NOON);
    const id = await rule();
    await switchRule(ada, { ruleId: id, enabled: false });
    const gh = await machine("gh-1");
    await run(gh, NOON, [90]);
    expect(await prisma.alert.count()).toBe(0);
    await switchRule(ada, { ruleId: id, enabled: true });
    await run(gh, NOON + MINUTE, [90]);
    expect((await onlyAlert()).status).toBe("firing");
  });

  test("removing closes its alerts, keeps their history, and cannot be done twice", async () => {
    const ada = by(await person("Ada", "operator"), NOON + MINUTE);
    const id = await rule();
    await run(await machine("gh-1"), NOON, [90]);
    await removeRule(ada, { ruleId: id });
    expect(await onlyAlert()).toMatchObject({ resolveReason: "rule_deleted" });
    expect((await readRules(ada)).rules).toEqual([]);
    await expect(readRule(ada, { ruleId: id })).rejects.toMatchObject({ code: "not-found" });
    await expect(removeRule(ada, { ruleId: id })).rejects.toMatchObject({ code: "not-found" });
    expect((await audit(id)).map(({ action }) => action)).toEqual(["rule.created", "rule.removed"]);
  });

  test("a default rule that was removed does not come back", async () => {
    const ada = by(await person("Ada", "operator"), NOON);
    await installDefaultRules(ada);
    const { rules } = await readRules(ada);
    expect(rules.every(({ isDefault }) => isDefault)).toBe(true);
    await removeRule(ada, { ruleId: rules[0]?.id ?? "" });
    await installDefaultRules(ada);
    expect((await readRules(ada)).rules).toHaveLength(rules.length - 1);
  });
});

describe("what the form is told", () => {
  test("the preview names the machines that match and draws their last day; others are left out", async () => {
    const ada = by(await person("Ada", "viewer"), NOON);
    const gh = await machine("gh-1");
    await machine("serve-1", { workload: "inference" });
    await measure(gh, NOON - MINUTE, { temperatureC: 71 });
    const preview = await readRulePreview(ada, { kind: "gpu_metric", metric: "temperatureC", workload: ["training"] });
    expect(preview.matching.map(({ name }) => name)).toEqual(["gh-1"]);
    expect(preview.series?.lines.map(({ mean }) => mean.filter((value) => value !== null))).toEqual([[71]]);
    expect(preview.series?.at).toHaveLength(preview.series?.lines[0]?.mean.length ?? 0);
    expect(await readRulePreview(ada, { kind: "money", metric: "spendTodayUsd" })).toMatchObject({ series: null });
    await expect(readRulePreview(ada, { kind: "money", metric: "temperatureC" })).rejects.toMatchObject({
      code: "invalid",
    });
    expect((await readRuleForm(ada)).known).toMatchObject({ team: ["research"], instance: ["gh-1", "serve-1"] });
  });

  test("a rule that nobody judges in time is called late", async () => {
    const ada = await person("Ada", "viewer");
    await rule();
    await evaluateAt(NOON);
    expect((await readRules(by(ada, NOON + 60_000))).evaluator).toMatchObject({ rules: 1, judgedAt: NOON, late: 0 });
    expect((await readRules(by(ada, NOON + 91_000))).evaluator).toMatchObject({ rules: 1, judgedAt: NOON, late: 1 });
  });
});
