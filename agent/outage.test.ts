import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT, minute, OFFLINE, SHELLS, testMachine, until } from "./test-machine";

const machine = testMachine();

describe("an outage", () => {
  test("loses nothing, doubles nothing, and each sample keeps its own time", async () => {
    for (const n of [1, 2, 3]) {
      const { status, log } = await machine.beat(minute(n), OFFLINE);
      expect(status).toBe(1);
      expect(log).toContain("the dashboard does not answer");
    }
    expect(machine.spooled()).toHaveLength(6);
    expect(await machine.beat(minute(4))).toEqual({ status: 0, log: "" });
    expect(machine.sampleTimes().sort()).toEqual([1, 2, 3, 4].map((n) => `2026-11-21T01:0${n}:00.000Z`));
    expect(machine.requests.flatMap(({ report }) => report.problems)).toEqual([]);
    expect(machine.spooled()).toEqual([]);
  });

  test("a long backlog goes in batches, newest first", async () => {
    mkdirSync(join(machine.home, "spool"));
    for (let i = 0; i < 300; i++) {
      const at = new Date(Date.UTC(2026, 10, 20) + i * 10_000).toISOString().replace(".000", "");
      writeFileSync(join(machine.home, "spool", `s-${at}-1-1`), `#gpu at=${at}\nindex, uuid\n0, GPU-a\n\n`);
    }
    await machine.beat("2026-11-21T01:02:03Z");
    expect(machine.requests.map(({ report }) => report.batches.length)).toEqual([119, 120, 62]);
    expect(new Set(machine.sampleTimes()).size).toBe(301);
    const newest = machine.requests.map(({ report }) => Math.max(...report.batches.map((batch) => batch.at)));
    expect(newest).toEqual([...newest].sort((a, b) => b - a));
  });

  test.each([
    [500, {}, 10],
    [503, { "retry-after": "47" }, 47],
    [429, { "Retry-After": "3" }, 10],
    [429, { "retry-after": "999999" }, 3600],
    [404, {}, 10],
    [302, { location: "http://127.0.0.1:9/" }, 10],
    [401, {}, 60],
    [403, {}, 60],
  ])("the answer %i %j keeps the sample and waits %i s", async (status, headers, pauseS) => {
    machine.answer = () => ({ status, headers });
    const run = await machine.beat(minute(1));
    expect(run).toMatchObject({ status: 1 });
    expect(run.log).toContain(`next try in ${pauseS} s`);
    expect(machine.spooled()).toHaveLength(2);
  });

  test("an answer that is lost makes the sample come again, with the same time", async () => {
    machine.answer = () => ({ status: 0 });
    await machine.beat(minute(1));
    machine.answer = () => ({ status: 200 });
    await machine.beat(minute(2));
    expect(machine.sampleTimes()).toEqual([1, 1, 2].map((n) => `2026-11-21T01:0${n}:00.000Z`));
    expect(machine.spooled()).toEqual([]);
  });

  test("each failure doubles the pause, up to a minute", async () => {
    const pauses = [];
    for (let n = 1; n <= 5; n++) {
      const { log } = await machine.beat(minute(n), OFFLINE);
      pauses.push(/next try in (\d+) s/.exec(log)?.[1]);
    }
    expect(pauses).toEqual(["10", "20", "40", "60", "60"]);
  });

  test.each([400, 413, 415, 422])("the answer %i drops that batch and says so", async (status) => {
    machine.answer = () => ({ status, body: '{"error":"no GPU in it"}' });
    const { log } = await machine.beat(minute(1));
    const words = `the dashboard refuses a report (${status}: {"error":"no GPU in it"}): 2 samples are thrown away`;
    expect(log).toContain(words);
    expect(machine.spooled()).toEqual([]);
    expect(readFileSync(join(machine.home, "spool/dropped"), "utf8")).toBe("2\n");
  });

  test("the spool keeps the newest within its bounds, and counts what it throws away", async () => {
    for (let n = 1; n <= 4; n++) await machine.beat(minute(n), { ...OFFLINE, HOPPERDECK_SPOOL_FILES: "3" });
    expect(machine.spooled()).toHaveLength(3);
    await machine.beat(minute(5), { HOPPERDECK_SPOOL_FILES: "3" });
    expect(machine.requests[0]?.report.agent?.dropped).toBe(7);
    expect(machine.sampleTimes()).toContain("2026-11-21T01:05:00.000Z");
    expect(machine.sampleTimes()).not.toContain("2026-11-21T01:01:00.000Z");
  });

  test("the spool keeps within its size", async () => {
    mkdirSync(join(machine.home, "spool"));
    for (let i = 10; i < 60; i++)
      writeFileSync(join(machine.home, "spool", `s-2026-11-20T00:00:${i}Z-1-1`), "x".repeat(20_000));
    await machine.beat(minute(1), { ...OFFLINE, HOPPERDECK_SPOOL_KIB: "500" });
    expect(machine.spooled().length).toBeLessThanOrEqual(25);
    expect(machine.spooled().length).toBeGreaterThan(15);
    expect(machine.spooled().at(-1)).toContain("2026-11-21T01:01:00Z");
  });
});

describe("the endless loop", () => {
  test.each(SHELLS.slice(0, 2).map((shell) => [shell.join(" "), shell] as const))(
    "under %s goes on sampling while the dashboard is away, delivers all, and ends at once",
    { timeout: 40_000 },
    async (_, shell) => {
      let isAway = true;
      machine.answer = () => ({ status: isAway ? 503 : 202 });
      const { child, done } = machine.start(shell, AGENT, [], { HOPPERDECK_INTERVAL: "1" });
      await until(() => machine.requests.length >= 1);
      await until(() => machine.spooled().length >= 3);
      expect(machine.requests.length).toBeLessThanOrEqual(3);
      isAway = false;
      await until(() => machine.requests.length > 1 && machine.spooled().length === 0);
      child.kill("SIGTERM");
      await done;
      const delivered = machine.requests.slice(1).flatMap(({ report }) => report.batches.map((batch) => batch.at));
      expect(new Set(delivered).size).toBeGreaterThanOrEqual(2);
      expect(readdirSync(join(machine.home, "spool")).filter((name) => name.startsWith("run."))).toEqual([]);
    },
  );
});
