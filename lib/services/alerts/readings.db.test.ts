import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { setPrice } from "@/lib/db/cost/prices";
import { NewChannel } from "@/lib/domain/alerts/channels";
import { DEFAULT_PACK } from "@/lib/domain/alerts/default-pack";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordListing } from "@/lib/services/fleet/poll";
import { recordLabelled } from "@/lib/services/workload/record";
import { rollUpWorkload } from "@/lib/services/workload/roll-up";
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
  SECOND,
  system,
} from "@/lib/testing/alerting";
import { instance } from "@/lib/testing/senders";
import { createChannel } from "./channels";
import { readCoverage } from "./coverage";
import { readAlert } from "./read";
import { previewRuleFile, takeRuleFile, writePrometheusFile, writeRuleFile } from "./rule-file";

beforeEach(emptyHouse);

const HOUR = 60 * MINUTE;

async function packed(packKey: string): Promise<string> {
  const found = DEFAULT_PACK.find((one) => one.packKey === packKey);
  if (!found) throw new Error(`no rule ${packKey}`);
  const { packKey: _, ...own } = found;
  return rule({ ...own, selector: {}, enabled: true });
}

const kinds = async () => (await onlyAlert()).history.map(({ kind }) => kind);

describe("what rules look at", () => {
  test("a machine that falls silent is one alert, which becomes critical five minutes later", async () => {
    await packed("telemetry-lost");
    const gh = await machine("gh-1");
    await measure(gh, NOON, { temperatureC: 60 });
    await evaluateAt(NOON + MINUTE);
    expect(await prisma.alert.count()).toBe(0);
    await evaluateAt(NOON + 2 * MINUTE);
    expect(await onlyAlert()).toMatchObject({ status: "firing", severity: "warning", targetName: "gh-1" });
    await evaluateAt(NOON + 6 * MINUTE + 30 * SECOND);
    expect(await onlyAlert()).toMatchObject({ status: "firing", severity: "critical" });
    expect(await kinds()).toEqual(["fired", "escalated"]);
  });

  test("a window is judged as a whole, and stops being judged when the machine is silent", async () => {
    await rule({ aggregate: "mean", windowMs: 2 * MINUTE, threshold: 80 });
    const gh = await machine("gh-1");
    for (const [i, temperatureC] of [70, 70, 70, 95].entries())
      await measure(gh, NOON + i * 30 * SECOND, { temperatureC });
    await evaluateAt(NOON + 90 * SECOND);
    expect(await prisma.alert.count()).toBe(0);
    await measure(gh, NOON + 2 * MINUTE, { temperatureC: 95 });
    await measure(gh, NOON + 150 * SECOND, { temperatureC: 95 });
    await evaluateAt(NOON + 150 * SECOND);
    expect(await onlyAlert()).toMatchObject({ status: "firing", lastValue: 88.75 });
    await evaluateAt(NOON + 5 * MINUTE);
    expect((await onlyAlert()).status).toBe("unknown");
  });

  test("a run past its plan fires with its machine; when it ends, so does the alert", async () => {
    await packed("run-over-plan");
    const gh = await machine("gh-1");
    const at = new Date(NOON);
    const run = await prisma.run.create({
      data: {
        externalId: randomUUID(),
        name: "atlas 1",
        resourceId: gh.resourceId,
        startedAt: new Date(NOON - 2 * HOUR),
        expectedMs: 2 * HOUR,
        createdAt: at,
        updatedAt: at,
      },
    });
    await evaluateAt(NOON);
    expect(await prisma.alert.count()).toBe(0);
    await evaluateAt(NOON + MINUTE);
    expect(await onlyAlert()).toMatchObject({ status: "firing", targetName: "atlas 1", resourceId: gh.resourceId });
    await prisma.run.update({ where: { id: run.id }, data: { endedAt: new Date(NOON + MINUTE) } });
    await evaluateAt(NOON + 2 * MINUTE);
    expect(await onlyAlert()).toMatchObject({ status: "resolved", resolveReason: "series_ended" });
  });

  test("an Xid of the hardware fires on its machine, one of the application does not", async () => {
    await packed("hardware-fault");
    const [gh, other] = [await machine("gh-1"), await machine("gh-2")];
    const event = (resourceId: string, code: number) =>
      prisma.event.create({
        data: {
          key: randomUUID(),
          kind: "xid",
          at: new Date(NOON - MINUTE),
          receivedAt: new Date(NOON),
          resourceId,
          code,
          text: `NVRM: Xid (PCI:0000:DD:00): ${code}`,
          detail: { seenBy: "kernel" },
        },
      });
    await event(gh.resourceId, 79);
    await event(other.resourceId, 13);
    await evaluateAt(NOON);
    expect(await onlyAlert()).toMatchObject({ targetName: "gh-1", status: "firing", severity: "critical" });
    await evaluateAt(NOON + 15 * MINUTE);
    expect((await onlyAlert()).status).toBe("resolved");
  });

  test("B14 no data at all: a rule that sees none for three slots is an alert of its own", async () => {
    await packed("rule-without-data");
    await rule();
    await machine("gh-1");
    for (let i = 0; i <= 6; i++) await evaluateAt(NOON + i * 30 * SECOND);
    expect(await onlyAlert()).toMatchObject({ targetName: "Hot", status: "firing" });
  });

  test("B48 a rule that takes more than half of its interval is an alert of its own; the others are judged on time", async () => {
    await packed("rule-slow");
    // Judged rarely, so that what it took last stands while the others are judged.
    const slow = await rule({ name: "Slow", intervalMs: 10 * MINUTE });
    const quick = await rule({ name: "Quick" });
    const gh = await machine("gh-1");
    for (let i = 0; i <= 12; i++) {
      const at = NOON + i * 30 * SECOND;
      await measure(gh, at, { temperatureC: 60 });
      await evaluateAt(at);
      await prisma.ruleEval.updateMany({ where: { ruleId: slow }, data: { durationMs: 400_000 } });
    }
    expect(await onlyAlert()).toMatchObject({ targetName: "Slow", status: "firing" });
    expect(await prisma.ruleEval.findUniqueOrThrow({ where: { ruleId: quick } })).toMatchObject({
      lastSlot: new Date(NOON + 12 * 30 * SECOND),
    });
  });

  test("a price that rose by more than 5 % is a warning for a day; a smaller rise and a fall are news alone", async () => {
    await packed("price-rise");
    await packed("price-change");
    const price = async (sku: string, usd: number, at: number) =>
      setPrice(
        prisma,
        { provider: "lambda", sku, region: "*", unit: "instance_hour", micros: BigInt(usd * 1e6) },
        new Date(at),
      );
    for (const sku of ["gpu_1x_gh200", "gpu_1x_a10", "gpu_1x_h100", "gpu_8x_h100"])
      await price(sku, 2, NOON - 5 * HOUR);
    await price("gpu_1x_gh200", 2.12, NOON - 2 * HOUR);
    await price("gpu_1x_a10", 2.1, NOON - 2 * HOUR);
    await price("gpu_1x_h100", 1.8, NOON - 2 * HOUR);
    // Two steps of one day are one rise, and enough of it is critical.
    await price("gpu_8x_h100", 2.08, NOON - 2 * HOUR);
    await price("gpu_8x_h100", 3.2, NOON - HOUR);
    await evaluateAt(NOON);
    const firing = async () =>
      (
        await prisma.alert.findMany({
          where: { resolvedAt: null },
          include: { rule: true },
          orderBy: { target: "asc" },
        })
      ).map((alert) => [alert.rule.metric, alert.targetName, alert.severity]);
    expect((await firing()).filter(([metric]) => metric === "priceRisePct")).toEqual([
      ["priceRisePct", "gpu_1x_gh200", "warning"],
      ["priceRisePct", "gpu_8x_h100", "critical"],
    ]);
    expect((await firing()).filter(([metric]) => metric === "priceChangePct")).toHaveLength(4);
    await evaluateAt(NOON + 23 * HOUR);
    expect(await firing()).toEqual([]);
  });

  test("a machine that was gone and is listed again is told for a day, with what it burns; one that was only missing is not", async () => {
    await packed("listed-again");
    const connection = await lambdaConnection(new Date(NOON));
    const [back, other, third] = [instance("gh-back"), instance("gh-other"), instance("gh-third")];
    const look = (seconds: number, listing: (typeof back)[]) =>
      recordListing(system(NOON + seconds * SECOND), connection, listing, 10);
    await look(0, [back, other, third]);
    await look(30, [other, third]);
    await look(60, [other, third]);
    await evaluateAt(NOON + 90 * SECOND);
    expect(await prisma.resource.count({ where: { goneAt: { not: null } } })).toBe(1);
    expect(await prisma.alert.count()).toBe(0);
    await look(120, [back, third]);
    await look(150, [back, other, third]);
    await evaluateAt(NOON + 150 * SECOND);
    const alert = await onlyAlert();
    expect(alert).toMatchObject({ targetName: "gh-back", status: "firing", severity: "critical" });
    const { row } = await readAlert(system(NOON + 150 * SECOND), { alertId: alert.id });
    expect(row).toMatchObject({ microsPerHour: "2290000", ruleName: "A machine that was gone is listed again" });
    await evaluateAt(NOON + 25 * HOUR);
    expect((await onlyAlert()).status).toBe("resolved");
  });

  test("an error budget that burns is seen within three minutes, while its hour still runs", async () => {
    await packed("slo-success");
    await packed("slo-latency");
    const { sourceId, resourceId } = await machine("gh-1", { workload: "inference" });
    const value = (metric: string, at: number, number: number, labels: Record<string, string>) => ({
      metric,
      at,
      value: number,
      labels,
      isCounter: true,
    });
    const counters = async (at: number, done: number, failed: number, slow: number) =>
      recordLabelled(
        { id: sourceId, resourceId },
        [
          value("tasks_total", at, done, { outcome: "success" }),
          value("tasks_total", at, failed, { outcome: "failure" }),
          value("task_latency_seconds_bucket", at, done - slow, { le: "0.5" }),
          value("task_latency_seconds_bucket", at, done, { le: "+Inf" }),
        ],
        () => null,
        new Date(at),
      );
    // From five past the hour on; nothing of it is over.
    for (let minute = 5; minute <= 20; minute++) await counters(NOON + minute * MINUTE, minute * 100, minute, 0);
    const turn = async (minute: number) => {
      await rollUpWorkload(system(NOON + minute * MINUTE));
      await evaluateAt(NOON + minute * MINUTE);
    };
    await turn(20);
    expect(await prisma.alert.count()).toBe(0);
    await counters(NOON + 21 * MINUTE, 2_600, 300, 400);
    await turn(21);
    await turn(22);
    await turn(23);
    await turn(24);
    const alerts = await prisma.alert.findMany({ orderBy: { targetName: "asc" } });
    expect(alerts.map(({ targetName, severity, firedAt }) => [targetName, severity, firedAt])).toEqual([
      ["SLO: latency", "critical", new Date(NOON + 22 * MINUTE)],
      ["SLO: task success", "critical", new Date(NOON + 22 * MINUTE)],
    ]);
  });

  test("drift: where nobody declared anything, every machine is as declared", async () => {
    await rule({ kind: "drift", metric: "findings", comparison: "at_least", threshold: 1 });
    await machine("gh-1");
    await evaluateAt(NOON);
    expect(await prisma.alert.count()).toBe(0);
    expect(await prisma.ruleEval.findFirst()).toMatchObject({ targets: 1, lastError: null });
  });
});

describe("rules as a file", () => {
  test("out and in again changes nothing; a change is shown, then taken and audited; one bad rule stops all", async () => {
    const ctx = by(await person("Olga", "operator"), NOON);
    await rule();
    const text = await writeRuleFile(ctx);
    expect((await previewRuleFile(ctx, { text })).changes).toEqual([
      { of: "rule", name: "Hot", kind: "same", details: [] },
    ]);
    const changed = text.replace("threshold: 80", "threshold: 85");
    expect((await previewRuleFile(ctx, { text: changed })).changes[0]?.details).toEqual(["threshold: 80 → 85"]);
    expect((await prisma.alertRule.findFirstOrThrow()).threshold).toBe(80);
    await expect(takeRuleFile(ctx, { text: changed.replace("temperatureC", "warmth") })).rejects.toThrow(
      "nothing was changed",
    );
    expect(await takeRuleFile(ctx, { text: changed })).toEqual({ created: 0, changed: 1 });
    expect(await prisma.alertRule.findFirstOrThrow()).toMatchObject({ threshold: 85, version: 2 });
    expect(await prisma.auditEvent.count({ where: { action: "rule.changed" } })).toBe(1);
    expect(await writePrometheusFile(ctx)).toContain("hopperdeck_gpu_temperature_celsius > 85");
  });

  test("rules, routes, silences and budgets come in together, or not at all", async () => {
    const admin = by(await person("Ada", "admin"), NOON);
    await createChannel(
      admin,
      NewChannel.parse({ kind: "webhook", name: "pager", url: "https://example.com/pager", minSeverity: "info" }),
    );
    const text = `
version: 1
rules: [{name: Burn, kind: money, metric: budgetSpentPct, severity: warning, comparison: above, threshold: 90, budget: Research}]
budgets: [{name: Research, scope: {team: research}, every: month, usd: 12000}]
routes: [{name: Night, match: severity=critical, channel: pager}]
silences: [{match: 'instance="gh-1"', reason: a new driver, from: ${new Date(NOON).toISOString()}, to: ${new Date(NOON + HOUR).toISOString()}}]`;
    const operator = by(await person("Olga", "operator"), NOON);
    expect((await previewRuleFile(operator, { text })).changes.map(({ of, kind }) => `${of} ${kind}`)).toEqual([
      "budget new",
      "rule new",
      "route new",
      "silence new",
    ]);
    await expect(takeRuleFile(operator, { text: text.replace("budget: Research", "forMinutes: 1") })).rejects.toThrow(
      "Set budgets".toLowerCase(),
    );
    expect(await prisma.alertRule.count()).toBe(0);
    expect(await takeRuleFile(admin, { text })).toEqual({ created: 4, changed: 0 });
    const budget = await prisma.budget.findFirstOrThrow();
    expect(await prisma.alertRule.findFirstOrThrow()).toMatchObject({ name: "Burn", budgetId: budget.id });
    const kept = await writeRuleFile(admin);
    expect((await previewRuleFile(admin, { text: kept })).changes.map(({ kind }) => kind)).toEqual(
      Array(4).fill("same"),
    );
  });

  test("a rule file of Prometheus is taken as far as it can be, the rest is named", async () => {
    const ctx = by(await person("Olga", "operator"), NOON);
    const text = `groups: [{name: g, rules: [{alert: Queue, expr: 'queue{job="a"} > 5', for: 2m}, {alert: Sum, expr: sum(m) > 1}]}]`;
    expect((await previewRuleFile(ctx, { text })).changes.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "Queue new",
      "Sum left_out",
    ]);
    await takeRuleFile(ctx, { text });
    expect(await prisma.alertRule.findFirstOrThrow()).toMatchObject({
      name: "Queue",
      kind: "workload_metric",
      params: { name: "queue", labels: "job=a" },
      forMs: 2 * MINUTE,
    });
  });

  test("a viewer takes no file in", async () => {
    const ctx = by(await person("Vera", "viewer"), NOON);
    await expect(takeRuleFile(ctx, { text: "version: 1\nrules: []" })).rejects.toThrow();
  });
});

test("coverage names what has no rule and what nobody would hear", async () => {
  const ctx = by(await person("Vera", "viewer"), NOON);
  await rule(HOT);
  await machine("gh-1");
  const { rows, unheard } = await readCoverage(ctx);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.rules.heat).toEqual(["Hot"]);
  expect(rows[0]?.rules.silent).toEqual([]);
  expect(unheard).toMatchObject([{ name: "Hot", of: "all of its alerts" }]);
});
