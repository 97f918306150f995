import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasUnseen } from "@/lib/domain/text";
import { driverMessage, KERNEL_LOG_LIMITS, parseKernelLog, xidWords } from "./kernel-log";

const RECEIVED = Date.UTC(2026, 10, 21, 9, 0, 0);
const SAID = Date.UTC(2026, 10, 21, 8, 2, 3);
const LINE = "NVRM: Xid (PCI:0000:c6:00): 79, pid=1234, name=python3, GPU has fallen off the bus.";

const only = (text: string, bootedAt: number | null = null) => {
  const [sighting, ...others] = parseKernelLog(text, RECEIVED, bootedAt);
  expect(others).toEqual([]);
  return sighting;
};

describe("the time of a line", () => {
  test.each<[string, string, number, "assumed_utc" | "received" | undefined]>([
    ["dmesg --time-format iso", `2026-11-21T08:02:03,470068+00:00 ${LINE}`, SAID + 470, undefined],
    ["dmesg iso of another zone", `2026-11-21T09:32:03,470068+01:30 ${LINE}`, SAID + 470, undefined],
    ["journalctl short-iso-precise", `2026-11-21T08:02:03.470068+0000 gh-1 kernel: ${LINE}`, SAID + 470, undefined],
    ["journalctl short-iso west of UTC", `2026-11-21T00:02:03-0800 gh-1 kernel: ${LINE}`, SAID, undefined],
    [
      "rsyslog with the kernel's own time",
      `2026-11-21T08:02:03.470068Z gh-1 kernel: [ 12.3] ${LINE}`,
      SAID + 470,
      undefined,
    ],
    ["journalctl short-unix", `${SAID / 1000}.470068 gh-1 kernel: ${LINE}`, SAID + 470, undefined],
    ["journalctl short-full", `Sat 2026-11-21 08:02:03 UTC gh-1 kernel: ${LINE}`, SAID, undefined],
    ["journalctl short-full with an offset", `Sat 2026-11-21 13:02:03 +05 gh-1 kernel: ${LINE}`, SAID, undefined],
    ["dmesg -T has no zone", `[Sat Nov 21 08:02:03 2026] ${LINE}`, SAID, "assumed_utc"],
    ["iso without a zone", `2026-11-21 08:02:03 ${LINE}`, SAID, "assumed_utc"],
    ["syslog has neither year nor zone", `Nov 21 08:02:03 gh-1 kernel: [ 1234.5] ${LINE}`, SAID, "assumed_utc"],
    ["syslog of last year", `Dec  1 08:02:03 gh-1 kernel: ${LINE}`, Date.UTC(2025, 11, 1, 8, 2, 3), "assumed_utc"],
    ["dmesg -T ahead of us: its zone is another", `[Sat Nov 21 17:02:03 2026] ${LINE}`, RECEIVED, "received"],
    ["plain dmesg tells no instant", `[ 1234.567890] ${LINE}`, RECEIVED, "received"],
    ["dmesg -r", `<3>[ 1234.567890] ${LINE}`, RECEIVED, "received"],
    ["/dev/kmsg tells no instant", `3,4001,261573217,-;${LINE}`, RECEIVED, "received"],
    ["dmesg -d", `[Nov21 08:02] ${LINE}`, RECEIVED, "received"],
    ["nothing before it", LINE, RECEIVED, "received"],
    ["no such day", `2026-02-30T08:02:03,470068+00:00 ${LINE}`, RECEIVED, "received"],
    ["a clock that was never set", `1970-01-01T00:00:09,470068+00:00 ${LINE}`, RECEIVED, "received"],
  ])("%s", (_, line, at, atIs) => {
    const sighting = only(line);
    expect({ at: sighting?.at, atIs: sighting?.atIs, code: sighting?.code }).toEqual({ at, atIs, code: 79 });
  });

  test("times since boot are instants where the start is known", () => {
    const boot = SAID - 1_000_000;
    expect(only(`[ 1234.567890] ${LINE}`, boot)).toMatchObject({ at: boot + 1_234_567 });
    expect(only(`kern  :err   : [    4.000001] ${LINE}`, boot)).toMatchObject({ at: boot + 4_000 });
    expect(only(`3,4001,261573217,-;${LINE}`, boot)).toMatchObject({ at: boot + 261_573 });
    expect(only(`[ 1234.567890] ${LINE}`, boot)?.atIs).toBeUndefined();
  });
});

describe("the line", () => {
  test.each([
    ["pid and name", LINE, { code: 79, pid: 1234, processName: "python3" }],
    [
      "unknown pid",
      "NVRM: Xid (PCI:0000:19:00): 63, pid='<unknown>', name=<unknown>, Row Remapper: New row",
      { pid: null, processName: null },
    ],
    [
      "no pid at all",
      "NVRM: Xid (PCI:0009:01:00): 62, 0a1b2c 00000000",
      { code: 62, pid: null, place: { busId: "0009:01:00" } },
    ],
    [
      "pid in quotes",
      "NVRM: Xid (PCI:0000:19:00): 31, pid='77', name=a b, Ch 00000010",
      { pid: 77, processName: "a b" },
    ],
    ["an old driver", "NVRM: Xid (0000:0B:00): 31, Ch 00000010", { code: 31, place: { busId: "0000:0b:00" } }],
    ["with the function", "NVRM: Xid (PCI:0000:1d:00.0): 13, x", { code: 13, place: { busId: "0000:1d:00" } }],
    ["a wide domain", "NVRM: Xid (PCI:00010000:1d:00): 13, x", { place: { busId: "10000:1d:00" } }],
    [
      "a MIG instance",
      "NVRM: Xid (PCI:0000:01:00 GPU-I:05): 13, pid=1, name=x, Graphics",
      { code: 13, place: { mig: "5" } },
    ],
    ["a code that is in no list", "NVRM: Xid (PCI:0000:01:00): 999, what", { code: 999 }],
    ["no text", "NVRM: Xid (PCI:0000:01:00): 79", { code: 79, text: "NVRM: Xid (PCI:0000:01:00): 79" }],
    [
      "repeated, says syslog",
      "2026-11-21T08:02:03Z a kernel: message repeated 2 times: [ NVRM: Xid (PCI:0000:01:00): 43, Ch 1]",
      { code: 43, at: SAID },
    ],
    ["of Windows ends", `${LINE}\r\n`, { text: LINE }],
  ])("%s", (_, line, expected) => {
    expect(only(line)).toMatchObject(expected);
  });

  test.each([
    ["a switch's error", "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 12028, Non-fatal, Link 32"],
    [
      "peermem",
      "nvidia-peermem nv_get_p2p_free_callback:127 ERROR detected invalid context, skipping further processing",
    ],
    ["another line of the driver", "NVRM: loading NVIDIA UNIX aarch64 Kernel Module  570.148.08"],
    ["a program that quotes one", `2026-11-21T08:02:03.470068+0000 gh-1 watcher[77]: saw ${LINE}`],
    ["no place", "NVRM: Xid (PCI:banana): 79, x"],
    ["code 0", "NVRM: Xid (PCI:0000:01:00): 0, none"],
    ["text about Xids", "NVRM: Xid 79 is bad"],
    ["nothing", ""],
  ])("%s is none", (_, line) => {
    expect(parseKernelLog(line, RECEIVED)).toEqual([]);
  });

  test("one message a line, and the driver's own word which card sits there", () => {
    const uuid = "GPU-b850f46d-d5ea-c752-ddf3-c6453e44d3f7";
    const text = `NVRM: GPU at PCI:0000:c6:00: ${uuid}\n${LINE} ${LINE}\nNVRM: Xid (PCI:0000:19:00): 45, x`;
    const found = parseKernelLog(text, RECEIVED);
    expect(found.map(({ code, place }) => [code, place.uuid])).toEqual([
      [79, uuid],
      [45, null],
    ]);
  });

  test("the words are the same in every form of the log", () => {
    expect(driverMessage(`2026-11-21T08:02:03Z gh kernel: ${LINE}`)).toBe(LINE);
    expect(xidWords(`[ 1.2] ${LINE}`)).toBe("GPU has fallen off the bus.");
    expect(xidWords("NVRM: Xid (PCI:0000:19:00): 63, pid='<unknown>', name=<unknown>, Row Remapper")).toBe(
      "Row Remapper",
    );
    expect(xidWords("unknown")).toBe("unknown");
  });
});

describe("bounds", () => {
  test("any text: no throw, every sighting sound", () => {
    const pieces = [
      "NVRM: ",
      "Xid (PCI:0000:c6:00): ",
      "79, ",
      "pid=",
      "name=",
      "\n",
      "\r",
      "[ 1.2] ",
      "Nov 31 ",
      "2026-13-01T",
      "3,4,5,-;",
      "kernel: ",
      "\u0000",
      "\ud800",
    ];
    const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" })), { maxLength: 40 });
    fc.assert(
      fc.property(text, fc.option(fc.integer({ min: 0, max: RECEIVED })), (parts, bootedAt) => {
        for (const sighting of parseKernelLog(parts.join(""), RECEIVED, bootedAt)) {
          expect(Number.isSafeInteger(sighting.at)).toBe(true);
          expect(sighting.at).toBeLessThanOrEqual(RECEIVED + 600_000);
          expect(sighting.code).toBeGreaterThan(0);
          expect(sighting.text.length).toBeLessThanOrEqual(KERNEL_LOG_LIMITS.lineChars);
          expect(hasUnseen(sighting.text)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["marks without a line's end", "NVRM: ".repeat(2_700_000)],
    ["short lines", "NVRM: Xid (\n".repeat(1_300_000)],
    ["one long line", `NVRM: Xid (PCI:0000:c6:00): 79, ${"a".repeat(16_000_000)}`],
    ["a long head", `${"a ".repeat(8_000_000)}NVRM: Xid (PCI:0000:c6:00): 79, x`],
    ["real lines", `2026-11-21T08:02:03,470068+00:00 ${LINE}\n`.repeat(130_000)],
  ])("16 MB of %s do not stall", (_, text) => {
    const start = performance.now();
    expect(parseKernelLog(text, RECEIVED).length).toBeLessThanOrEqual(KERNEL_LOG_LIMITS.sightings);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  test("of too many lines the newest stay, in their order", () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `NVRM: Xid (PCI:0000:c6:00): 94, Ch ${i}`);
    const found = parseKernelLog(lines.join("\n"), RECEIVED);
    expect(found).toHaveLength(KERNEL_LOG_LIMITS.sightings);
    expect([found[0]?.text, found.at(-1)?.text]).toEqual([lines[3_000], lines[4_999]]);
  });
});

const folder = join(process.env.SHARED_DIR ?? "../shared", "fixtures", "xid");
const skipped = existsSync(folder) ? "" : ` (skipped: ${folder} is absent)`;

describe.skipIf(skipped !== "")(`recorded kernel logs${skipped}`, () => {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");

  test("a double-bit error: 48, 63 and nine times 94 of 0000:19:00, peermem left out", () => {
    const found = parseKernelLog(read("dmesg-iso_xid48-63-94.log"), RECEIVED);
    expect(found.map(({ code }) => code)).toEqual([48, 63, ...Array<number>(9).fill(94)]);
    expect(new Set(found.map(({ place }) => place.busId))).toEqual(new Set(["0000:19:00"]));
    expect(found[0]).toEqual({
      at: Date.UTC(2024, 10, 15, 12, 2, 3, 470),
      code: 48,
      place: { uuid: null, mig: "", busId: "0000:19:00", index: null },
      seenBy: "kernel",
      text: "2024-11-15T12:02:03,470068+00:00 NVRM: Xid (PCI:0000:19:00): 48, pid='<unknown>', name=<unknown>, An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at physAddr 0x12bac1c3e0 partition 2, subpartition 1.",
      pid: null,
      processName: null,
    });
    expect(found[3]).toMatchObject({
      pid: 1_248_209,
      processName: "python3.10",
      at: Date.UTC(2024, 10, 15, 12, 2, 3, 521),
    });
  });

  test.each(["kmsg-raw_no-xid.log", "kmsg-raw_peermem.log"])("%s has none", (name) => {
    expect(parseKernelLog(read(name), RECEIVED)).toEqual([]);
  });
});
