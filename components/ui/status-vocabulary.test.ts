import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { alertStatus, machineStatus, SEVERITY, STATUS, type StatusEntry } from "./status-vocabulary";

const entries: [string, StatusEntry][] = Object.entries(STATUS);

describe("the vocabulary of states", () => {
  test("has a word and a meaning for each, in sentence case", () => {
    for (const [, { word, means }] of entries) {
      expect(word).toMatch(/^[A-Z][a-z]/);
      expect(means.length).toBeGreaterThan(5);
    }
  });

  test("keeps hatching for what we do not know", () => {
    const hatched = entries.filter(([, { tone }]) => tone === "unknown").map(([key]) => key);
    expect(hatched).toEqual(["unknown", "stale", "notJudged"]);
  });

  test("tells critical from warning without colour", () => {
    const shapes = [STATUS.firingCritical, STATUS.firingWarning, STATUS.firingInfo].map(({ shape }) => shape);
    expect(new Set(shapes).size).toBe(3);
    expect(shapes).toEqual([SEVERITY.critical, SEVERITY.warning, SEVERITY.info].map(({ shape }) => shape));
  });

  test("never uses one word with two shapes among machines, or among alerts", () => {
    const machine = entries.filter(([, { bills }]) => bills !== null).map(([, { word }]) => word);
    const others = entries.filter(([, { bills }]) => bills === null).map(([, { word }]) => word);
    expect(new Set(machine).size).toBe(machine.length);
    expect(new Set(others).size).toBe(others.length);
  });

  test("says for each machine's state whether it bills, and counts the unknown as billing", () => {
    const bills = Object.fromEntries(entries.map(([key, { bills }]) => [key, bills]));
    expect(bills).toMatchObject({
      active: "yes",
      booting: "no",
      restarting: "yes",
      unhealthy: "yes",
      terminating: "stops at the request",
      terminated: "no",
      preempted: "no",
      unknown: "counted as yes",
      telemetryLost: "yes",
      idle: "yes",
    });
  });
});

test.each([
  ["active", "active"],
  ["booting", "booting"],
  ["restarting", "restarting"],
  ["hibernating", "unknown"],
  ["Active", "unknown"],
  ["constructor", "unknown"],
  ["", "unknown"],
])("a machine said to be %j is shown as %s", (word, key) => expect(machineStatus(word)).toBe(key));

test.each([
  ["firing", "critical", "firingCritical"],
  ["firing", "warning", "firingWarning"],
  ["firing", "info", "firingInfo"],
  ["pending", "critical", "pending"],
  ["recovering", "critical", "recovering"],
  ["unknown", "critical", "notJudged"],
  ["inactive", "warning", "resolved"],
  ["resolved", "warning", "resolved"],
] as const)("an alert that is %s with severity %s is shown as %s", (state, severity, key) =>
  expect(alertStatus(state, severity)).toBe(key),
);

const reference = path.join(process.env.SHARED_DIR ?? "../shared", "reference/lambda-openapi-1.10.0.json");

const skipped = existsSync(reference) ? "" : ` (skipped: ${reference} is absent)`;

test.skipIf(skipped)(`every state that Lambda's API lists has a word of its own${skipped}`, () => {
  const schema = z.object({
    components: z.object({ schemas: z.object({ InstanceStatus: z.object({ enum: z.array(z.string()).min(1) }) }) }),
  });
  const words = schema.parse(JSON.parse(readFileSync(reference, "utf8"))).components.schemas.InstanceStatus.enum;
  expect(words.filter((word) => machineStatus(word) === "unknown")).toEqual([]);
});
