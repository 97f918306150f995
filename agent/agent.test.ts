import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT, FAKE_SMI, minute, SHELLS, TOKEN, testMachine, until } from "./test-machine";

const UNKNOWN_FIELDS = ["clocks_event_reasons.active", "ecc.errors.uncorrected.aggregate.dram"];

const machine = testMachine();

describe("one beat", () => {
  test.each(SHELLS.map((shell) => [shell.join(" "), shell] as const))(
    "under %s it reports the GPUs and their processes",
    async (_, shell) => {
      expect(await machine.beat("2026-11-21T01:02:03Z", {}, shell)).toEqual({ status: 0, log: "" });

      expect(machine.requests).toHaveLength(1);
      const { url: path, headers, report } = machine.requests[0] ?? {};
      expect(path).toBe("/api/v1/ingest/nvidia-smi");
      expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, "user-agent": "hopperdeck-agent/2.0.0" });
      const at = Date.UTC(2026, 10, 21, 1, 2, 3);
      expect(report).toMatchObject({
        agent: { protocol: 2, version: "2.0.0", intervalMs: 10_000, sentAt: at, dropped: 0 },
        batches: [
          {
            at,
            readings: [
              {
                uuid: "GPU-a",
                memoryTotalMib: 97_871,
                values: { utilizationPct: 37, memoryUsedMib: 463, powerW: 87.88 },
                throttleReasons: 4,
              },
            ],
            problems: [],
          },
        ],
        processes: [
          { at, byUuid: new Map([["GPU-a", [{ pid: 7, name: "/usr/bin/python3", usedMib: 463, user: null }]]]) },
        ],
        errors: [],
        problems: [],
      });
      expect(report?.agent?.hostname).toMatch(/^[\w.-]+$/);
      expect(machine.spooled()).toEqual([]);
    },
  );

  test("processes are listed once a minute", async () => {
    for (const second of ["00", "10", "50"]) await machine.beat(`2026-11-21T01:02:${second}Z`);
    await machine.beat("2026-11-21T01:03:00Z");
    expect(machine.requests.map(({ report }) => report.processes.length)).toEqual([1, 0, 0, 1]);
  });

  test("without gzip it sends plain text", async () => {
    await machine.beat(minute(1), { PATH: machine.pathWithout("gzip") });
    expect(machine.requests.map(({ headers }) => headers["content-encoding"])).toEqual([undefined]);
    expect(machine.sampleTimes()).toHaveLength(1);
  });

  test("address, interval and token come from the configuration file; the environment wins", async () => {
    writeFileSync(
      join(machine.home, "agent.conf"),
      `URL=${machine.url}///\nINTERVAL=30\nTOKEN_FILE=${join(machine.home, "token")}\n`,
    );
    const none = { HOPPERDECK_URL: "", HOPPERDECK_TOKEN_FILE: "" };
    expect(await machine.beat(minute(1), none)).toMatchObject({ status: 0 });
    expect(await machine.beat(minute(2), { ...none, HOPPERDECK_INTERVAL: "20" })).toMatchObject({ status: 0 });
    expect(machine.requests.map(({ report }) => report.agent?.intervalMs)).toEqual([30_000, 20_000]);
  });

  test.each(["", "ftp://x", "dashboard.example"])("without an address (%j) it says so and stops", async (address) => {
    const { status, log } = await machine.beat(minute(1), { HOPPERDECK_URL: address });
    expect(status).toBe(1);
    expect(log).toContain("no address");
  });

  test("without curl it says so and stops", async () => {
    const { status, log } = await machine.beat(minute(1), { PATH: machine.pathWithout("curl") });
    expect(status).toBe(1);
    expect(log).toContain("curl is missing");
  });
});

describe("the driver", () => {
  test("columns that it does not know are dropped after one try each, and remembered", async () => {
    const env = { SMI_UNKNOWN: UNKNOWN_FIELDS.join(" ") };
    await machine.beat(minute(1), env);
    await machine.beat(minute(2), env);
    const asked = machine.questions().filter((question) => question.startsWith("--query-gpu"));
    expect(asked).toHaveLength(4);
    for (const field of UNKNOWN_FIELDS) expect(asked[3]).not.toContain(field);
    expect(asked[3]).toContain("clocks_throttle_reasons.active");
    expect(machine.requests.map(({ report }) => report.batches[0]?.readings[0]?.throttleReasons)).toEqual([4, 4]);
    expect(machine.requests.map(({ report }) => report.errors)).toEqual([[], []]);
  });

  test("that fails is reported in its own words", async () => {
    await machine.beat(minute(1), { SMI_MODE: "failing" });
    expect(machine.requests[0]?.report).toMatchObject({
      batches: [],
      errors: [{ status: 9, message: "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver." }],
    });
  });

  test("that is not there is reported", async () => {
    await machine.beat(minute(1), { HOPPERDECK_NVIDIA_SMI: "nvidia-smi-of-nowhere" });
    expect(machine.requests[0]?.report.errors).toMatchObject([{ status: 127 }]);
    expect(machine.requests[0]?.report.errors[0]?.message).toContain("not found");
  });

  test("with one failed GPU still reports the others", async () => {
    await machine.beat(minute(1), { SMI_MODE: "partly" });
    expect(machine.requests[0]?.report.batches).toMatchObject([
      { readings: [{ uuid: "GPU-a" }], problems: [{ kind: "nvidia_smi" }] },
    ]);
  });

  test("that hangs is given up and reported, and asked again", { timeout: 40_000 }, async () => {
    const script = readFileSync(AGENT, "utf8").replace("SMI_LIMIT_S=8", "SMI_LIMIT_S=1");
    expect(script).toContain("SMI_LIMIT_S=1\n");
    writeFileSync(join(machine.home, "agent"), script);
    writeFileSync(
      join(machine.home, "nvidia-smi"),
      FAKE_SMI.replace("case $SMI_MODE", `SMI_MODE=$(cat ${machine.home}/mode); case $SMI_MODE`),
    );
    writeFileSync(join(machine.home, "mode"), "hanging");
    machine.start(["sh"], join(machine.home, "agent"), [], { HOPPERDECK_INTERVAL: "1" });
    await until(() => machine.requests.length > 0);
    expect(machine.requests[0]?.report.errors).toMatchObject([
      { status: 124, message: "nvidia-smi did not answer within 1 s" },
    ]);
    writeFileSync(join(machine.home, "mode"), "");
    await until(() => machine.sampleTimes().length > 0);
  });
});

describe("the token", () => {
  test("is in no list of processes and in no log", async () => {
    // Its own: other tests hand theirs about at the same time.
    const own = `hd_ingest_${randomUUID().replaceAll("-", "")}`;
    writeFileSync(join(machine.home, "token"), `${own}\n`, { mode: 0o600 });
    const seen: string[] = [];
    machine.answer = () => {
      seen.push(
        execFileSync("sh", ["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' || ps -ef"], {
          encoding: "utf8",
        }),
      );
      return { status: 401 };
    };
    const { log } = await machine.beat(minute(1));
    expect(seen.join("")).toContain("curl");
    expect(`${seen.join("")}${log}`).not.toContain(own);
  });

  test.each(["", 'a"\nurl = "http://127.0.0.1:9/', "a b"])(
    "that is none (%j) is never sent; samples are kept",
    async (text) => {
      writeFileSync(join(machine.home, "token"), text === "" ? "" : `${text}\n`);
      const { status, log } = await machine.beat(minute(1));
      expect(status).toBe(1);
      expect(log).toContain("no token in");
      expect(machine.requests).toEqual([]);
      expect(machine.spooled()).toHaveLength(2);
    },
  );
});
