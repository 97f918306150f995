import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT, minute, OFFLINE, probeMachine, SHELLS, until } from "./test-machine";

const { machine, bare, beat, facts, due } = probeMachine();

test.each(SHELLS.map((shell) => [shell.join(" "), shell] as const))(
  "without any tool each probe says what it lacks, under %s",
  async (_, shell) => {
    expect(await beat(minute(1), { HOPPERDECK_NVIDIA_SMI: "nvidia-smi-of-nowhere" }, shell)).toMatchObject({
      status: 0,
    });
    expect(machine.requests[0]?.report.problems).toEqual([]);
    const at = Date.UTC(2026, 10, 21, 1, 1);
    expect(facts()).toEqual({
      // Some busyboxes bring a dmesg along.
      kernelLog: shell[0] === "busybox" ? expect.anything() : { at, missing: "journalctl and dmesg are not installed" },
      clockOffsetMs: { at, missing: "chronyc, timedatectl and ntpq are not installed" },
      mounts: { at, missing: "there is no /proc/mounts" },
      driverVersion: { at, missing: "nvidia-smi is not installed" },
      cudaVersion: { at, missing: "nvidia-smi is not installed" },
      torchVersion: { at, missing: "python3 is not installed" },
      cudaProbe: { at, missing: "nvidia-smi is not installed" },
    });
  },
);

test("a probe that is switched off says so, once an hour", async () => {
  await beat(minute(1), { HOPPERDECK_SKIP: "kernel clock mounts versions cuda" });
  for (const probe of ["kernelLog", "clockOffsetMs", "mounts", "torchVersion", "cudaProbe"] as const)
    expect(facts()[probe]).toMatchObject({ missing: "switched off (SKIP)" });
  await beat(minute(2), { HOPPERDECK_SKIP: "kernel clock mounts versions cuda" });
  expect(facts()).toEqual({ processList: { at: Date.UTC(2026, 10, 21, 1, 2), found: true } });
});

describe("processes", () => {
  test("get the user that they belong to", async () => {
    machine.file("proc/7/status", "Name:\tpython3\nUid:\t1000\t1000\t1000\t1000\n");
    machine.file("etc/passwd", "root:x:0:0:root:/root:/bin/sh\nubuntu:x:1000:1000::/home/ubuntu:/bin/sh\n");
    await beat(minute(1));
    machine.file("etc/passwd", "");
    await beat(minute(2));
    machine.tool("getent", "echo alice:x:1000:1000::/home/alice:/bin/sh");
    await beat(minute(3));
    machine.tool("getent", "exec sleep 30");
    await beat(minute(4));
    rmSync(machine.place("root/proc/7"), { recursive: true });
    await beat(minute(5));
    const users = machine.requests.map(({ report }) => report.processes[0]?.byUuid.get("GPU-a")?.[0]?.user);
    expect(users).toEqual(["ubuntu", "1000", "alice", "1000", null]);
  });

  test("that cannot be listed say why; the samples come all the same", async () => {
    await beat(minute(1), { SMI_MODE: "no-apps" });
    expect(facts().processList).toMatchObject({ missing: "Insufficient Permissions" });
    expect(machine.sampleTimes()).toHaveLength(1);
  });
});

describe("the clock", () => {
  const CHRONY = `Reference ID    : A9FEA97B (time)\nSystem time     : 0.000012000 seconds slow of NTP time\nLeap status     : Normal`;
  const print = (text: string, status = 0) => `cat <<'X'\n${text}\nX\nexit ${status}`;

  test.each([
    ["chronyc", CHRONY, { found: -0.012 }, "chronyc"],
    ["chronyc", CHRONY.replace("slow", "fast"), { found: 0.012 }, "chronyc"],
    [
      "chronyc",
      CHRONY.replace("Normal", "Not synchronised"),
      { missing: "chronyc: the clock is not synchronised" },
      null,
    ],
    [
      "timedatectl",
      "       Server: 1.2.3.4\n       Offset: -1.593ms\n        Delay: 1ms",
      { found: 1.593 },
      "timedatectl",
    ],
    ["timedatectl", " Packet count: 0", { missing: "timedatectl: the clock is not synchronised" }, null],
    [
      "ntpq",
      "associd=0 status=0615 leap_none,\nrootdisp=1.2, mintc=3, offset=0.250, frequency=1.0",
      { found: -0.25 },
      "ntpq",
    ],
    [
      "ntpq",
      "associd=0 status=c011 leap_alarm,\noffset=0.000",
      { missing: "ntpq: the clock is not synchronised" },
      null,
    ],
    ["chronyc", "\u0001garbage", { missing: "chronyc: the clock is not synchronised" }, null],
  ])("%s says %j", async (tool, text, answer, source) => {
    machine.tool(tool, print(text));
    await beat(minute(1));
    expect(facts().clockOffsetMs).toMatchObject(answer);
    expect(facts().clockSource).toEqual(source === null ? undefined : { at: expect.any(Number), found: source });
  });

  test("a tool that fails gives way to the next, and is named where none helps", async () => {
    machine.tool("chronyc", "echo '506 Cannot talk to daemon'; exit 1");
    await beat(minute(1));
    expect(facts().clockOffsetMs).toMatchObject({ missing: "chronyc: 506 Cannot talk to daemon" });
    machine.tool("timedatectl", print("       Offset: +2ms"));
    due("clock");
    await beat(minute(2));
    expect(facts().clockOffsetMs).toMatchObject({ found: -2 });
  });
});

describe("mounts", () => {
  const TABLE = [
    "proc /proc proc rw 0 0",
    "/dev/vda1 / ext4 rw 0 0",
    "/dev/vda1 /var/lib/bound ext4 rw 0 0",
    "10.0.0.2:/my\\040data /home/ubuntu/my\\040data%1 nfs4 rw 0 0",
    "lxcfs /var/lib/lxcfs fuse.lxcfs rw 0 0",
    "fs0 /lambda/nfs/fs0 virtiofs rw 0 0",
  ].join("\n");
  const DF = `
case "$2" in
  /) printf 'Filesystem 1024-blocks Used Available Capacity Mounted on\\n/dev/vda1 1000 400 600 40%% /\\n' ;;
  */fs0) echo "df: $2: Permission denied" >&2; exit 1 ;;
  "/home/ubuntu/my data%1") printf 'Filesystem 1024-blocks Used Available Capacity Mounted on\\n10.0.0.2:/my data 9007199254740992 17 9 1%% /home/ubuntu/my data%%1\\n' ;;
esac`;
  const found = () => {
    const { mounts } = facts();
    return mounts && "found" in mounts ? mounts.found.map((one) => [one.path, one.usedBytes, one.problem]) : mounts;
  };

  test("are those that keep data, each once, with their use", async () => {
    machine.file("proc/1/mounts", `${TABLE}\n`);
    machine.tool("df", DF);
    await beat(minute(1));
    expect(found()).toEqual([
      ["/", 409_600, null],
      ["/home/ubuntu/my data%1", 17_408, null],
      ["/lambda/nfs/fs0", null, "Permission denied"],
    ]);
  });

  test("come from this process' table where that of the machine is closed; without df they have no sizes", async () => {
    machine.file("proc/mounts", "/dev/vda1 / xfs rw 0 0\n");
    await beat(minute(1));
    expect(found()).toEqual([["/", null, "df is not installed"]]);
  });

  test("on a dead server are given up, and do not hold up the others or the samples", { timeout: 30_000 }, async () => {
    const dead = [1, 2, 3, 4].map((n) => `10.0.0.${n}:/x /mnt/${n} nfs rw 0 0`).join("\n");
    machine.file("proc/1/mounts", `${dead}\n`);
    machine.tool("df", "exec sleep 60");
    await beat(minute(1));
    expect(found()).toEqual([
      ["/mnt/1", null, "does not answer within 3 s"],
      ["/mnt/2", null, "does not answer within 3 s"],
      ["/mnt/3", null, "not asked, since others do not answer"],
      ["/mnt/4", null, "not asked, since others do not answer"],
    ]);
    expect(machine.sampleTimes()).toHaveLength(1);
  });
});

describe("what the probes say", () => {
  test("waits through an outage as its newest answer only", async () => {
    machine.file("sys/module/nvidia/version", "570.1\n");
    await beat(minute(1), OFFLINE);
    machine.file("sys/module/nvidia/version", "580.1\n");
    await beat(minute(2), OFFLINE);
    const waiting = readdirSync(machine.place("spool")).filter((name) => name.startsWith("f-versions-"));
    expect(waiting).toHaveLength(1);
    await beat(minute(3));
    expect(facts().driverVersion).toEqual({ at: Date.UTC(2026, 10, 21, 1, 2), found: "580.1" });
    expect(readdirSync(machine.place("spool")).filter((name) => name.startsWith("f-"))).toEqual([]);
  });

  test("comes again when its answer was lost", async () => {
    machine.answer = () => ({ status: 0 });
    await beat(minute(1));
    machine.answer = () => ({ status: 202 });
    await beat(minute(2));
    expect(facts().mounts).toEqual({ at: Date.UTC(2026, 10, 21, 1, 1), missing: "there is no /proc/mounts" });
  });
});

test.each(SHELLS.slice(0, 2).map((shell) => [shell.join(" "), shell] as const))(
  "tools that all hang hold up no sample, and end with the agent, under %s",
  { timeout: 40_000 },
  async (_, shell) => {
    for (const tool of ["journalctl", "dmesg", "chronyc", "df", "python3"]) machine.tool(tool, "exec sleep 61");
    machine.file("proc/1/mounts", "/dev/vda1 / ext4 rw 0 0\n");
    const { child, done } = machine.start(shell, AGENT, [], { ...bare(), HOPPERDECK_INTERVAL: "1" });
    await until(() => machine.sampleTimes().length >= 3);
    const [first = "", ...rest] = machine.sampleTimes();
    expect(Date.parse(rest.at(-1) ?? "") - Date.parse(first)).toBeLessThan(6000);
    child.kill("SIGTERM");
    await done;
    const left = execFileSync("sh", ["-c", "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' || true"], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    expect(left.split("\n").filter((line) => line === `HOPPERDECK_SPOOL=${join(machine.home, "spool")}`)).toEqual([]);
  },
);
