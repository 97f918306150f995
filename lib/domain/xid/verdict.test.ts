import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BURST_GAP_MS, burstsOf, codesOf, fromSightings, type XidEvent } from "./bursts";
import { APP_CODES } from "./codes";
import { parseKernelLog } from "./kernel-log";
import { readRecovery } from "./recovery";
import { judge } from "./verdict";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
let made = 0;

function event(code: number, said: Partial<XidEvent> = {}): XidEvent {
  made += 1;
  return {
    id: String(made).padStart(6, "0"),
    machine: "gh-1",
    at: NOON + made,
    atIs: "written",
    code,
    seenBy: "kernel",
    isSinceBefore: false,
    gpuId: 1,
    busId: null,
    mig: "",
    text: `NVRM: Xid (PCI:0000:01:00): ${code}, line ${made}`,
    pid: null,
    processName: null,
    sourceId: "agent",
    ...said,
  };
}

const recovery = (name: string, said: Partial<XidEvent> = {}) =>
  event(154, {
    text: `NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from 0x0 (None) to ${name}`,
    ...said,
  });

function verdictOf(events: XidEvent[], earlier: XidEvent[] = []) {
  const [burst, ...others] = burstsOf(events);
  if (!burst || others.length > 0) throw new Error("one burst expected");
  return judge(burst, earlier);
}

describe("what an incident asks for", () => {
  test.each<[string, XidEvent[], object]>([
    [
      "79",
      [event(79)],
      { code: 79, severity: "critical", owner: "platform", action: "restart_instance", mayPage: true },
    ],
    ["48 alone", [event(48)], { severity: "critical", owner: "memory", action: "reset", mayPage: true }],
    ["48 with 63", [event(48), event(63)], { code: 48, action: "drain_reset", mayPage: true }],
    ["64 before 48", [event(64), event(48)], { code: 48, action: "drain_reset" }],
    ["48, and 63 of another card", [event(48), event(63, { gpuId: 2 })], { code: 48, action: "reset", card: "gpu:1" }],
    [
      "48 with its companion 172",
      [event(172), event(48)],
      { code: 48, action: "reset", why: expect.stringMatching(/SRAM/) },
    ],
    ["48 with its companion 171", [event(48), event(171)], { code: 48, action: "reset" }],
    ["171 whose 48 was not seen", [event(171)], { code: 171, severity: "critical", action: "follow_48" }],
    ["63 alone", [event(63)], { severity: "warning", action: "plan_reset", mayPage: false }],
    ["64 alone", [event(64)], { severity: "critical", action: "reset" }],
    ["94 alone", [event(94)], { severity: "warning", action: "restart_app", mayPage: false }],
    ["95", [event(94), event(95)], { code: 95, severity: "critical", action: "reset" }],
    ["45 alone", [event(45)], { severity: "warning", owner: "workload", action: "solo_45", mayPage: false }],
    ["45 after 31", [event(31), event(45)], { code: 31, action: "tell_owner", mayPage: false }],
    ["45 before 62", [event(45), event(62)], { code: 62, severity: "critical", action: "reset" }],
    ["45 of one card, 79 of another", [event(45), event(79, { gpuId: 2 })], { code: 79, card: "gpu:2" }],
    ["43", [event(43)], { severity: "info", owner: "workload", mayPage: false }],
    ["13", [event(13)], { severity: "warning", owner: "workload", action: "tell_owner", mayPage: false }],
    ["31 and 43 and 45 and 94", [event(31), event(43), event(45), event(94)], { severity: "warning", mayPage: false }],
    ["121, the Grace link", [event(121)], { severity: "info", owner: "c2c" }],
    ["159 alone", [event(159)], { severity: "critical", owner: "c2c" }],
    ["159 after 31", [event(31), event(159)], { code: 31, severity: "warning" }],
    ["a retired code", [event(3)], { severity: "info", headline: "Retired code" }],
    [
      "a code of no list",
      [event(400)],
      { severity: "warning", action: "monitor", headline: "Not in NVIDIA's catalogue" },
    ],
    [
      "154: reboot",
      [event(94), recovery("0x2 (Node Reboot Required)")],
      { code: 94, severity: "critical", action: "reboot", why: expect.stringMatching(/Node Reboot Required/) },
    ],
    [
      "154: reset, for what the table plays down",
      [event(45), recovery("0x1 (GPU Reset Required)")],
      { severity: "critical", action: "reset" },
    ],
    [
      "154: drain and reset, for 48 alone",
      [event(48), recovery("0x4 (Drain and Reset)")],
      { code: 48, action: "drain_reset" },
    ],
    ["154: drain P2P", [recovery("0x3 (Drain P2P)")], { code: 154, severity: "warning", action: "drain_p2p" }],
    [
      "154: none, after 48",
      [event(48), recovery("0x0 (None)")],
      { code: 48, severity: "warning", action: "nothing", mayPage: false },
    ],
    [
      "154: none, and then 48",
      [recovery("0x0 (None)"), event(48)],
      { code: 48, severity: "critical", action: "reset" },
    ],
    ["154: none, alone", [recovery("0x0 (None)")], { code: 154, severity: "info", action: "nothing" }],
    [
      "154: the newest counts",
      [recovery("0x2 (Node Reboot Required)"), recovery("0x1 (GPU Reset Required)")],
      { action: "reset" },
    ],
    [
      "154 of the other card does not speak of this one",
      [event(48), recovery("0x0 (None)", { gpuId: 2 })],
      { code: 48, severity: "critical" },
    ],
    [
      "154 on the gauge has no text",
      [event(154, { seenBy: "gauge", text: "" })],
      { severity: "warning", action: "follow_text" },
    ],
    [
      "48, with 154 on the gauge",
      [event(48), event(154, { seenBy: "gauge", text: "" })],
      { code: 48, action: "reset" },
    ],
  ])("%s", (_, events, expected) => {
    expect(verdictOf(events)).toMatchObject(expected);
  });

  test("nothing of the application pages, in any company of its own, at any number", () => {
    const one = fc.constantFrom(...APP_CODES, 63).map((code) => event(code));
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 12 }), (events) => {
        expect(verdictOf(events).mayPage).toBe(false);
      }),
    );
  });

  test("every code there is gets a verdict with steps", () => {
    for (let code = 1; code <= 200; code += 1) {
      const verdict = verdictOf([event(code)]);
      expect(verdict.code).toBe(code);
      expect(verdict.steps).toMatch(/\w.*\./);
    }
  });
});

describe("13 and 31 that come again", () => {
  const on = (code: number, said: Partial<XidEvent>) => event(code, said);
  const tpc = (tpcNumber: number, said: Partial<XidEvent> = {}) =>
    event(13, {
      text: `NVRM: Xid (PCI:0000:01:00): 13, Graphics SM Warp Exception on (GPC 2, TPC ${tpcNumber}, SM 0): Out Of Range ${made}`,
      ...said,
    });
  test.each<[string, XidEvent[], XidEvent[], string]>([
    ["31 of two processes on one card", [on(31, { pid: 1 }), on(31, { pid: 2 })], [], "suspect_hardware"],
    ["31 of one process, many lines", [on(31, { pid: 1 }), on(31, { pid: 1 }), on(31, { pid: 1 })], [], "tell_owner"],
    ["31 without a pid, many lines", [on(31, {}), on(31, {})], [], "tell_owner"],
    ["31 now and a day ago", [on(31, { pid: 9 })], [on(31, { pid: 8, at: NOON - DAY })], "suspect_hardware"],
    ["31 now and a day ago, without pids", [on(31, {})], [on(31, { at: NOON - DAY })], "suspect_hardware"],
    ["31 now and eight days ago", [on(31, { pid: 9 })], [on(31, { pid: 8, at: NOON - 8 * DAY })], "tell_owner"],
    ["31 moving between cards", [on(31, { pid: 9 })], [on(31, { pid: 8, at: NOON - DAY, gpuId: 2 })], "tell_owner"],
    [
      "31 of another machine's past",
      [on(31, { pid: 9 })],
      [on(31, { pid: 8, at: NOON - DAY, machine: "gh-2" })],
      "tell_owner",
    ],
    ["31 of no known card", [on(31, { pid: 1, gpuId: null }), on(31, { pid: 2, gpuId: null })], [], "tell_owner"],
    ["13 on one TPC, two processes", [tpc(1, { pid: 1 }), tpc(1, { pid: 2 })], [], "suspect_hardware"],
    ["13 on two TPCs", [tpc(1, { pid: 1 }), tpc(3, { pid: 2 })], [], "tell_owner"],
    ["13 without a TPC", [on(13, { pid: 1 }), on(13, { pid: 2 })], [], "tell_owner"],
  ])("%s", (_, now, earlier, action) => {
    expect(verdictOf(now, earlier)).toMatchObject({ action, severity: "warning", mayPage: false });
  });
});

test.each([
  ["GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)", "reboot"],
  ["GPU recovery action changed from 0x2 (Node Reboot Required) to 0x0 (None)", "nothing"],
  ["GPU recovery action changed from None to 0x4", "drain_reset"],
  ["changed from 0x0 (None) to 0x1 (GPU Reset Required)", "reset"],
  ["changed from 0x0 (None) to 0x3 (Drain P2P)", "drain_p2p"],
  ["changed from 0x0 (None) to 0x4 (Drain and Reset)", "drain_reset"],
  ["changed from 0x0 (None) to 0x9 (Something New)", undefined],
  ["", undefined],
])("%s: %s", (text, action) => {
  expect(readRecovery(text)?.action).toBe(action);
});

describe("incidents", () => {
  test("three minutes of silence belong to one, a millisecond more to two", () => {
    const at = (ms: number, machine = "gh-1") => event(94, { at: NOON + ms, machine });
    const found = burstsOf([at(0), at(BURST_GAP_MS), at(2 * BURST_GAP_MS + 1), at(5, "gh-2")]);
    expect(found.map(({ machine, from, to }) => [machine, from - NOON, to - NOON])).toEqual([
      ["gh-1", 2 * BURST_GAP_MS + 1, 2 * BURST_GAP_MS + 1],
      ["gh-2", 5, 5],
      ["gh-1", 0, BURST_GAP_MS],
    ]);
  });

  test("the order of arrival does not matter, and every event is in one incident", () => {
    const some = fc.array(
      fc.record({ ms: fc.integer({ min: 0, max: 3_600_000 }), machine: fc.constantFrom("a", "b") }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(some, fc.integer(), (said, seed) => {
        const events = said.map(({ ms, machine }) => event(94, { at: NOON + ms, machine }));
        const shuffled = [...events].sort((a, b) => ((a.at * 31 + seed) % 97) - ((b.at * 31 + seed) % 97));
        const found = burstsOf(events);
        expect(burstsOf(shuffled)).toEqual(found);
        expect(found.flatMap((burst) => burst.events)).toHaveLength(events.length);
        for (const { events: own, from, to } of found) {
          expect([own[0]?.at, own.at(-1)?.at]).toEqual([from, to]);
          for (const [i, one] of own.entries())
            expect(one.at - (own[i - 1]?.at ?? one.at)).toBeLessThanOrEqual(BURST_GAP_MS);
        }
      }),
    );
  });

  test("a line that two senders told with clocks apart is one line; the same words again from one sender are two", () => {
    const text = (head: string) => `${head}NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.`;
    const first = event(79, { text: text("2026-11-21T12:00:00,000000+00:00 ") });
    const other = event(79, { text: text("Nov 21 12:00:02 gh-1 kernel: "), sourceId: "vector", at: first.at + 2_000 });
    const [burst] = burstsOf([first, other]);
    expect(burst && codesOf(burst)).toMatchObject([{ code: 79, lines: 1 }]);
    const again = event(79, { text: first.text, at: first.at + 2_000 });
    const [twice] = burstsOf([first, again]);
    expect(twice && codesOf(twice)).toMatchObject([{ code: 79, lines: 2 }]);
  });

  test("a gauge is never counted, and what the kernel said of the same code is", () => {
    const [burst] = burstsOf([
      event(94),
      event(94),
      event(94, { seenBy: "gauge", text: "" }),
      event(45, { seenBy: "gauge", text: "" }),
      event(45, { seenBy: "gauge", text: "" }),
    ]);
    expect(burst && codesOf(burst).map(({ code, lines, seenBy }) => [code, lines, seenBy])).toEqual([
      [94, 2, ["kernel", "gauge"]],
      [45, 0, ["gauge"]],
    ]);
  });
});

const log = join(process.env.SHARED_DIR ?? "../shared", "fixtures", "xid", "dmesg-iso_xid48-63-94.log");
const skipped = existsSync(log) ? "" : ` (skipped: ${log} is absent)`;

test.skipIf(skipped !== "")(`a recorded double-bit error is one incident of 11 lines, not 11 alerts${skipped}`, () => {
  const found = burstsOf(fromSightings(parseKernelLog(readFileSync(log, "utf8"), NOON)));
  expect(found).toHaveLength(1);
  const [burst] = found;
  if (!burst) throw new Error("one burst expected");
  expect(new Date(burst.from).toISOString()).toBe("2024-11-15T12:02:03.470Z");
  expect(codesOf(burst).map(({ code, lines }) => [code, lines])).toEqual([
    [48, 1],
    [63, 1],
    [94, 9],
  ]);
  expect(judge(burst)).toMatchObject({
    code: 48,
    headline: "Double Bit ECC Error",
    severity: "critical",
    owner: "memory",
    action: "drain_reset",
    card: "bus:0000:19:00/",
    why: "Xid 48 with 63: drain before the reset.",
  });
});
