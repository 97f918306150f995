import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUZZ_RUNS, FUZZ_TIMEOUT_MS, untrustedTexts, withoutStall } from "@/lib/testing/mutate";
import { newestFacts, PROBE_LIMITS } from "./agent-probes";
import { formatReport, parseReport, REPORT_LIMITS } from "./agent-report";
import { hostRecord, readHost } from "./host";
import type { HostFacts } from "./report";

const now = Date.UTC(2026, 10, 21, 1, 2, 3);
const AT = "2026-11-21T01:02:00Z";
const at = now - 3000;
const HEAD = "#agent protocol=2 version=2.0.0 host=gh-1 interval=10\n";
const read = (text: string) => parseReport(HEAD + text, now);

describe("the kernel's log", () => {
  const line = (code: number, second: string) =>
    `2026-11-21T01:01:${second}.250000+00:00 gh-1 kernel: NVRM: Xid (PCI:0000:dd:00): ${code}, pid=7, name=python3, x`;

  test("journalctl's lines carry their own time", () => {
    const { sightings, facts, problems } = read(
      `#kernel at=${AT} from=journalctl\n${line(31, "01")}\n${line(79, "02")}\n\n`,
    );
    expect(sightings.map(({ at, code, pid, place }) => [at, code, pid, place.busId])).toEqual([
      [Date.UTC(2026, 10, 21, 1, 1, 1, 250), 31, 7, sightings[0]?.place.busId],
      [Date.UTC(2026, 10, 21, 1, 1, 2, 250), 79, 7, sightings[0]?.place.busId],
    ]);
    expect(sightings[0]?.place.busId).toMatch(/dd:00/i);
    expect(facts).toEqual({ kernelLog: { at, found: "journalctl" } });
    expect(problems).toEqual([]);
  });

  test("times since boot, as dmesg has them, count from the boot that the agent names", () => {
    const text = `#kernel at=${AT} from=dmesg booted_at=2026-11-20T00:00:00Z\n[  100.500000] NVRM: Xid (PCI:0000:dd:00): 79, x\n`;
    expect(read(text).sightings.map((one) => one.at)).toEqual([Date.UTC(2026, 10, 20, 0, 1, 40, 500)]);
  });

  test("says what it had to leave out, and bounds what it is sent", () => {
    const left = read(`#kernel at=${AT} from=dmesg left_out=12\n${line(31, "01")}\n`);
    expect(left.problems).toMatchObject([{ kind: "left_out", message: expect.stringContaining("12 lines") }]);
    const section = `#kernel at=${AT} from=journalctl\n${`${line(31, "01")}\n`.repeat(2000)}`;
    const much = read(section.repeat(11));
    expect(much.sightings).toHaveLength(REPORT_LIMITS.sightings);
    expect(much.problems).toMatchObject([{ kind: "left_out" }]);
  });
});

describe("the clock", () => {
  test.each([
    ["ahead=0.000012s", 0.012],
    ["behind=0.250000000s", -250],
    ["behind=+1.593ms", -1.593],
    ["behind=-52us", 0.052],
    ["behind=-1min 2.5s", 62_500],
    ["ahead=0ms", 0],
  ])("%s is %d ms ahead of true time", (line, found) => {
    expect(read(`#clock at=${AT}\nfrom=chronyc\n${line}\n`).facts).toEqual({
      clockOffsetMs: { at, found },
      clockSource: { at, found: "chronyc" },
    });
  });

  test.each(["ahead=", "ahead=fast", "ahead=1parsec", "ahead=1e9s", ""])("%j is no offset", (line) => {
    expect(read(`#clock at=${AT}\n${line}\n`).facts).toEqual({
      clockOffsetMs: { at, missing: "the time service gave no number" },
    });
  });
});

describe("the others", () => {
  test("mounts are read as the kernel writes them", () => {
    const body = [
      "/dev/vda1 ext4 / 1000 400",
      "10.0.0.2:/my\\040data nfs4 /home/ubuntu/my\\040data - - does not answer within 3 s",
      "fs0 virtiofs /lambda/nfs/fs0 9007199254740992 17",
      "half a line",
      "",
    ].join("\n");
    expect(read(`#mounts at=${AT}\n${body}\n`).facts?.mounts).toEqual({
      at,
      found: [
        { device: "/dev/vda1", type: "ext4", path: "/", sizeBytes: 1_024_000, usedBytes: 409_600, problem: null },
        {
          device: "10.0.0.2:/my data",
          type: "nfs4",
          path: "/home/ubuntu/my data",
          sizeBytes: null,
          usedBytes: null,
          problem: "does not answer within 3 s",
        },
        {
          device: "fs0",
          type: "virtiofs",
          path: "/lambda/nfs/fs0",
          sizeBytes: null,
          usedBytes: 17_408,
          problem: null,
        },
      ],
    });
    const many = read(`#mounts at=${AT}\n${"/dev/x ext4 / 1 1\n".repeat(150)}`).facts?.mounts;
    expect(many && "found" in many && many.found.length).toBe(PROBE_LIMITS.mounts);
  });

  test("CUDA works, fails, is put off, or is missing", () => {
    expect(read(`#cuda at=${AT}\nusable=yes\ndevices=1\ntook_ms=312\n`).facts).toEqual({
      cudaProbe: { at, found: { isUsable: true, devices: 1, tookMs: 312, message: null } },
    });
    const message = "a context on GPU 0: CUDA_ERROR_ECC_UNCORRECTABLE (214)";
    expect(read(`#cuda at=${AT}\nusable=no\ndevices=0\ntook_ms=90\nmessage=${message}\n`).facts?.cudaProbe).toEqual({
      at,
      found: { isUsable: false, devices: 0, tookMs: 90, message },
    });
    expect(read(`#cuda at=${AT}\nbusy=processes use the GPUs\n`).facts).toEqual({
      cudaBusy: { at, found: "processes use the GPUs" },
    });
    expect(read(`#cuda at=${AT}\nmissing=python3 is not installed\n`).facts).toEqual({
      cudaProbe: { at, missing: "python3 is not installed" },
    });
    expect(read(`#cuda at=${AT}\nusable=perhaps\n`).facts?.cudaProbe).toEqual({
      at,
      missing: "the probe gave no answer",
    });
  });

  test("each version is found or missing by itself", () => {
    const text = "driver=570.124.06\ncuda.missing=nvidia-smi does not say\ntorch=2.6.0+cu126\n";
    expect(read(`#versions at=${AT}\n${text}`).facts).toEqual({
      driverVersion: { at, found: "570.124.06" },
      cudaVersion: { at, missing: "nvidia-smi does not say" },
      torchVersion: { at, found: "2.6.0+cu126" },
    });
  });

  test("processes name their users; where there is no list, it says why", () => {
    const csv = "gpu_uuid, pid, process_name, used_gpu_memory [MiB], user\nGPU-a, 7, a, b, 463 MiB, ubuntu\n";
    const told = read(`#apps at=${AT}\n${csv}`);
    expect(told.processes[0]?.byUuid.get("GPU-a")).toEqual([{ pid: 7, name: "a, b", usedMib: 463, user: "ubuntu" }]);
    expect(told.facts).toEqual({ processList: { at, found: true } });
    expect(read(`#apps at=${AT}\nmissing=Insufficient Permissions\n`)).toMatchObject({
      processes: [],
      problems: [],
      facts: { processList: { at, missing: "Insufficient Permissions" } },
    });
  });

  test("of several answers of one probe the newest counts, wherever it stands", () => {
    const text = `#clock at=${AT}\nahead=1ms\n#clock at=2026-11-21T01:01:00Z\nahead=9ms\n`;
    expect(read(text).facts?.clockOffsetMs).toEqual({ at, found: 1 });
    expect(newestFacts(null, {})).toBeNull();
  });
});

describe("what is kept of a machine", () => {
  const facts: HostFacts = {
    driverVersion: { at, found: "570.124.06" },
    torchVersion: { at, missing: "python3 is not installed" },
    cudaProbe: { at, found: { isUsable: true, devices: 1, tookMs: 300, message: null } },
    clockOffsetMs: { at, found: -0.5 },
    clockSource: { at, found: "chronyc" },
    kernelLog: { at, found: "journalctl" },
    mounts: {
      at,
      found: [{ path: "/", device: "/dev/vda1", type: "ext4", sizeBytes: 2048, usedBytes: 1024, problem: null }],
    },
  };
  const agent = { hostname: "gh-1", intervalMs: 10_000, sentAt: now, machine: "aarch64", kernel: "6.8" };

  test("is written as sections, stored by key, and read back", () => {
    const report = parseReport(formatReport({ agent, facts }), now);
    expect(report.problems).toEqual([]);
    expect(report.facts).toEqual(facts);
    const stored: unknown = JSON.parse(JSON.stringify(hostRecord(report)));
    expect(readHost(stored)).toEqual({ ...facts, machine: "aarch64", kernel: "6.8" });
  });

  test("newer answers lie over older ones, key by key", () => {
    const first = hostRecord(parseReport(formatReport({ agent, facts }), now));
    const later = parseReport(`${HEAD}#clock at=2026-11-21T01:02:02Z\nmissing=no service\n`, now);
    const host = readHost({ ...first, ...hostRecord(later) });
    expect(host.clockOffsetMs).toEqual({ at: now - 1000, missing: "no service" });
    expect(host.driverVersion).toEqual(facts.driverVersion);
    expect(host.machine).toBe("aarch64");
  });

  test.each([null, 7, [], "x", { machine: 5, mounts: { at: 1, found: "x" }, driverVersion: {}, ip: "10.0.0.1" }])(
    "of another release (%j) is nothing, and no error",
    (json) => expect(readHost(json)).toEqual({}),
  );
});

describe("whatever a sender writes", () => {
  const probes = [
    `#kernel at=${AT} from=dmesg booted_at=2026-11-20T00:00:00Z left_out=3\n[  100.500000] NVRM: Xid (PCI:0000:dd:00): 79, x\n`,
    `#kernel at=${AT} from=journalctl\n2026-11-21T01:01:02.250000+00:00 gh-1 kernel: NVRM: Xid (PCI:0000:dd:00): 31, pid=7\n`,
    `#clock at=${AT}\nfrom=timedatectl\nbehind=-1min 2.5s\n`,
    `#mounts at=${AT}\n/dev/vda1 ext4 / 1000 400\n10.0.0.2:/my\\040data nfs4 /my\\134data - - does not answer\n`,
    `#cuda at=${AT}\nusable=yes\ndevices=1\ntook_ms=312\nmessage=1 of 8 GPUs\n#cuda at=${AT}\nbusy=processes use the GPUs\n`,
    `#versions at=${AT}\ndriver=570.124.06\ncuda.missing=no\ntorch=2.6.0\n`,
    `#apps at=${AT}\ngpu_uuid, pid, process_name, used_gpu_memory [MiB], user\nGPU-a, 7, a, b, 463 MiB, ubuntu\n`,
    `#apps at=${AT}\nmissing=Insufficient Permissions\n`,
    `#gpu at=${AT}\nindex, uuid, power.draw [W]\n0, GPU-a, 87.88 W\n`,
    `#error at=${AT} status=9\nNVIDIA-SMI has failed\n`,
  ];
  const reports = [
    ...probes.map((probe) => HEAD + probe),
    HEAD + probes.join(""),
    HEAD.replace("=2 ", "=1 ") + probes.join(""),
  ];

  test(
    "is read without an error or a stall, and keeps to its bounds",
    () => {
      fc.assert(
        fc.property(untrustedTexts(reports), (text) => {
          const report = withoutStall(() => parseReport(text, now));
          const stored: unknown = JSON.parse(JSON.stringify(hostRecord(report)));
          const host = readHost(stored);
          for (const [key, probe] of Object.entries(report.facts ?? {})) {
            expect(Number.isFinite(probe.at)).toBe(true);
            expect(host).toHaveProperty(key);
            if ("missing" in probe) expect(probe.missing.length).toBeLessThanOrEqual(PROBE_LIMITS.text);
          }
          expect(JSON.stringify(stored)).not.toContain("\\u0000");
          expect(report.sightings.length).toBeLessThanOrEqual(REPORT_LIMITS.sightings);
          for (const { user } of report.processes.flatMap(({ byUuid }) => [...byUuid.values()].flat()))
            expect(user).not.toBe("");
        }),
        { numRuns: FUZZ_RUNS },
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  test.each([
    ["one endless line", `#mounts at=${AT}\n${"x ".repeat(4_000_000)}\n`],
    ["one endless number", `#clock at=${AT}\nahead=${"1s ".repeat(2_000_000)}\n`],
    ["twenty thousand sections", `#versions at=${AT}\ndriver=1\n`.repeat(19_000)],
    ["blanks", `#cuda at=${AT}\n${" ".repeat(8_000_000)}missing=x\n`],
    ["a log of one endless line", `#kernel at=${AT}\n${"NVRM: Xid (PCI:".repeat(500_000)}\n`],
  ])("%s does not hold it up", (_, text) => {
    expect(withoutStall(() => read(text)).agent?.protocol).toBe(2);
  });
});
