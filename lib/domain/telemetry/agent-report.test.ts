import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatReport, parseReport } from "./agent-report";
import { METRICS, WIDE_METRICS } from "./catalogue";
import { emptyValues, type GpuReading, MISSING_LABELS, type Missing, type MissingReason } from "./sample";

const now = Date.UTC(2026, 10, 21, 1, 2, 3);
const CSV = "index, uuid, power.draw [W]\n0, GPU-a, 87.88 W\n1, GPU-b, 90 W\n";
const APPS = "gpu_uuid, pid, process_name, used_gpu_memory [MiB]\nGPU-a, 7, python, 463 MiB\n";

describe("a report of the first agent, protocol 1", () => {
  const report = parseReport(
    `#agent protocol=1 version=1.0.0 host=gh-train-01 interval=10 sent_at=2026-11-21T01:02:03Z machine=aarch64 kernel=6.8.0-1013-nvidia-64k ip=10.19.1.2 dropped=4
#gpu at=2026-11-21T01:01:50Z
${CSV}
#apps at=2026-11-21T01:01:51Z
${APPS}
#gpu at=2026-11-21T01:02:00Z
${CSV}
#error at=2026-11-21T01:02:01Z status=9
NVIDIA-SMI has failed because
 #1 of many
`,
    now + 5000,
  );

  test("says who sent it", () => {
    expect(report.agent).toEqual({
      protocol: 1,
      version: "1.0.0",
      hostname: "gh-train-01",
      intervalMs: 10_000,
      sentAt: now,
      machine: "aarch64",
      kernel: "6.8.0-1013-nvidia-64k",
      ip: "10.19.1.2",
      dropped: 4,
    });
  });

  test("has each sample with its own time", () => {
    expect(report.problems).toEqual([]);
    expect(
      report.batches.map(({ at, readings }) => [now - at, readings.map((one) => [one.uuid, one.at === at])]),
    ).toEqual([
      [
        13_000,
        [
          ["GPU-a", true],
          ["GPU-b", true],
        ],
      ],
      [
        3000,
        [
          ["GPU-a", true],
          ["GPU-b", true],
        ],
      ],
    ]);
    expect(report.processes).toEqual([
      { at: now - 12_000, byUuid: new Map([["GPU-a", [{ pid: 7, name: "python", usedMib: 463, user: null }]]]) },
    ]);
    expect(report.errors).toEqual([{ at: now - 2000, status: 9, message: "NVIDIA-SMI has failed because #1 of many" }]);
  });

  test("knows no probes: their sections are as unknown as they were", () => {
    const old = parseReport(
      "#agent protocol=1 host=a\n#kernel at=2026-11-21T01:02:00Z from=dmesg\n2026-11-21T01:02:00,1+00:00 NVRM: Xid (PCI:0000:dd:00): 79, x\n#apps at=2026-11-21T01:02:00Z\nmissing=x\n",
      now,
    );
    expect(old).toMatchObject({ facts: null, sightings: [], processes: [] });
    expect(old.problems.map(({ kind }) => kind)).toEqual(["unknown_section", "no_header"]);
    expect(report.facts).toBeNull();
  });
});

describe("sections", () => {
  const kinds = (text: string) => parseReport(text, now).problems.map((problem) => problem.kind);

  test("without a time it is the time of arrival; a time that is none is refused", () => {
    expect(parseReport(`#gpu\n${CSV}`, now).batches.map((batch) => batch.at)).toEqual([now]);
    expect(parseReport(`#gpu at=yesterday\n${CSV}`, now)).toMatchObject({
      batches: [],
      problems: [{ kind: "malformed", line: 1 }],
    });
  });

  test("a section of a later version is named and left out", () => {
    const text = `#agent protocol=2 host=a\n#gpu at=2026-11-21T01:02:00Z\n${CSV}#nvlink at=2026-11-21T01:02:00Z\nx, y\n`;
    expect(parseReport(text, now)).toMatchObject({
      batches: [{ readings: [{}, {}] }],
      problems: [{ kind: "unknown_section", message: "#nvlink", line: 6 }],
    });
  });

  test.each(["#agent protocol=3", "#agent", "#agent protocol=-1", "#agent protocol=0", "#agent protocol=x"])(
    "another protocol is refused whole: %s",
    (line) => {
      expect(parseReport(`${line}\n#gpu\n${CSV}`, now)).toMatchObject({
        batches: [],
        problems: [{ kind: "unsupported_protocol", message: expect.stringContaining("1 to 2 are read here") }],
      });
    },
  );

  test("a header of nonsense is nulls", () => {
    const { agent } = parseReport("#agent protocol=1 interval=0 sent_at=now host= dropped=-3 version\n", now);
    expect(agent).toMatchObject({ intervalMs: null, sentAt: null, hostname: null, dropped: null, version: null });
  });

  test("what nvidia-smi says in place of GPUs stays with its batch", () => {
    const { batches } = parseReport("#gpu at=2026-11-21T01:02:00Z\nNo devices were found\n", now);
    expect(batches).toMatchObject([
      { readings: [], problems: [{ kind: "nvidia_smi", message: "No devices were found" }] },
    ]);
  });

  test("processes that are not listed are no empty list", () => {
    expect(parseReport("#apps at=2026-11-21T01:02:00Z\nFailed to initialize NVML: Unknown Error\n", now)).toMatchObject(
      {
        processes: [],
        problems: [{ kind: "nvidia_smi" }],
      },
    );
  });

  test("too much is said, not taken in part in silence", () => {
    const rows = Array.from({ length: 1000 }, (_, i) => `${i}, GPU-${i}\n`).join("");
    const section = `#gpu at=2026-11-21T01:02:00Z\nindex, uuid\n${rows}`;
    expect(kinds(section.repeat(21))).toEqual(["too_large"]);
    expect(kinds("#a\n".repeat(20_001))).toContain("too_large");
    expect(kinds("x".repeat(16_777_217))).toEqual(["too_large"]);
  });
});

describe("an output of nvidia-smi without any section", () => {
  test("CSV counts at the time of arrival", () => {
    const { agent, batches } = parseReport(CSV, now);
    expect(agent).toBeNull();
    expect(batches).toMatchObject([
      {
        at: now,
        readings: [
          { uuid: "GPU-a", at: now },
          { uuid: "GPU-b", at: now },
        ],
      },
    ]);
  });

  test("CSV with times counts at those", () => {
    const text = "timestamp, uuid\n2026/11/21 01:00:00.000, GPU-a\n2026/11/21 01:00:10.000, GPU-a\n[N/A], GPU-a\n";
    expect(parseReport(text, now).batches.map((batch) => batch.at)).toEqual([now - 123_000, now - 113_000, now]);
  });

  test("XML counts at its own time, with its processes", () => {
    const text = `<nvidia_smi_log><timestamp>Sat Nov 21 01:02:00 2026</timestamp>
      <gpu id="00000000:0A:00.0"><uuid>GPU-a</uuid><processes></processes></gpu></nvidia_smi_log>`;
    expect(parseReport(text, now)).toMatchObject({
      batches: [{ at: now - 3000, readings: [{ uuid: "GPU-a", at: now - 3000 }], problems: [] }],
      processes: [{ at: now - 3000, byUuid: new Map() }],
    });
  });

  test("anything else is an empty batch that says why", () => {
    expect(parseReport("", now).batches).toMatchObject([{ at: now, readings: [], problems: [{ kind: "empty" }] }]);
    expect(parseReport("hello\n", now).batches).toMatchObject([
      { readings: [], problems: [{ kind: "unknown_format" }] },
    ]);
  });
});

describe("what is written reads back", () => {
  // Object.keys forgets its keys; they are exactly the reasons.
  const reasons = fc.constantFrom(...(Object.keys(MISSING_LABELS) as MissingReason[]));
  const reported = WIDE_METRICS.filter((metric) => METRICS[metric].nvidiaSmi.length > 0);
  const id = fc.stringMatching(/^[0-9a-f]{8}$/);
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
  const count = fc.integer({ min: 0, max: 1000 });

  const reading = fc
    .record({
      uuid: id.map((text) => `GPU-${text}`),
      index: fc.integer({ min: 0, max: 15 }),
      total: fc.integer({ min: 100_000, max: 300_000 }),
      power: fc.option(fc.integer({ min: 100, max: 1_000_00 }).map((cents) => cents / 100)),
      mask: fc.option(fc.integer({ min: 0, max: 0x1ff })),
      ecc: fc.option(count),
      rows: fc.option(
        fc.record({ correctable: count, uncorrectable: count, isPending: fc.boolean(), isFailed: fc.boolean() }),
      ),
      values: fc.array(fc.option(fc.integer({ min: 0, max: 100 })), { minLength: 12, maxLength: 12 }),
      reasons: fc.array(reasons, { minLength: 14, maxLength: 14 }),
      name: fc.option(word),
      migMode: fc.constantFrom("enabled" as const, "disabled" as const, null),
    })
    .map((some): GpuReading => {
      const values = emptyValues();
      const missing: Missing = {};
      for (const [i, metric] of WIDE_METRICS.entries()) {
        const value = metric === "powerW" ? some.power : (some.values[i] ?? null);
        values[metric] = reported.includes(metric) ? value : null;
        if (values[metric] === null)
          missing[metric] = reported.includes(metric) ? (some.reasons[i] ?? "error") : "not_reported";
      }
      // A mask has no word for a blank number or one out of its range.
      if (some.mask === null) missing.throttleReasons = "not_applicable";
      if (some.ecc === null) missing.eccUncorrected = some.reasons[13] ?? "error";
      return {
        uuid: some.uuid,
        mig: "",
        index: some.index,
        busId: "00000000:DD:00.0",
        name: some.name,
        driverVersion: "550.127.05",
        memoryTotalMib: some.total,
        powerLimitW: some.power,
        pstate: "P0",
        migMode: some.migMode,
        remappedRows: some.rows,
        slowdownTemperatureC: null,
        at: null,
        values,
        throttleReasons: some.mask,
        eccUncorrected: some.ecc,
        missing,
      };
    });

  const at = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) });
  const report = fc.record({
    agent: fc.record({
      protocol: fc.constantFrom(1, 2),
      version: fc.constant("1.0.0"),
      hostname: fc.option(word),
      intervalMs: fc.option(fc.integer({ min: 1, max: 3600 }).map((s) => s * 1000)),
      sentAt: fc.option(at),
      machine: fc.option(word),
      kernel: fc.constant(null),
      ip: fc.constant("10.0.0.1"),
      dropped: fc.option(count),
    }),
    batches: fc.array(
      fc.record({ at, readings: fc.uniqueArray(reading, { minLength: 1, maxLength: 4, selector: (one) => one.uuid }) }),
      { maxLength: 3 },
    ),
    processes: fc.array(
      fc.record({
        at,
        byUuid: fc
          .dictionary(
            id.map((text) => `GPU-${text}`),
            fc.array(
              fc.record({
                pid: fc.integer({ min: 1, max: 99_999 }),
                name: fc.option(word),
                usedMib: fc.option(count),
                user: fc.option(word),
              }),
              {
                minLength: 1,
                maxLength: 3,
              },
            ),
          )
          .map((entries) => new Map(Object.entries(entries))),
      }),
      { maxLength: 2 },
    ),
    errors: fc.array(fc.record({ at, status: fc.integer({ min: 1, max: 255 }), message: word }), { maxLength: 2 }),
  });

  test("any report", () => {
    fc.assert(
      fc.property(report, (some) => {
        const read = parseReport(formatReport(some), now);
        expect(read.problems).toEqual([]);
        expect(read.agent).toEqual(some.agent);
        expect(read.processes).toEqual(some.processes);
        expect(read.errors).toEqual(some.errors);
        expect(read.batches).toEqual(
          some.batches.map((batch) => ({
            at: batch.at,
            problems: [],
            readings: batch.readings.map((one) => ({ ...one, at: batch.at })),
          })),
        );
      }),
      { numRuns: 300 },
    );
  });

  test("a message cannot open a section", () => {
    const text = formatReport({
      agent: { hostname: "a b", intervalMs: 10_000, sentAt: now },
      errors: [{ at: now, status: 1, message: "#gpu at=2026-11-21T01:02:00Z\n#x" }],
    });
    expect(parseReport(text, now)).toMatchObject({ agent: { hostname: "a_b" }, batches: [], errors: [{ status: 1 }] });
  });
});
