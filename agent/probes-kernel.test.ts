import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { minute, OFFLINE, probeMachine } from "./test-machine";

const { machine, beat, facts } = probeMachine();

const JOURNAL = `
echo "$*" >>"${"$"}{SMI_LOG%smi.log}journal.log"
case "$*" in
  *--after-cursor=c1*) cat "${"$"}{SMI_LOG%smi.log}journal.new" 2>/dev/null || : ;;
  *) cat "${"$"}{SMI_LOG%smi.log}journal.old" ;;
esac`;
const xid = (second: number, code: number) =>
  `2026-11-21T01:00:${String(second).padStart(2, "0")}.000001+00:00 gh-1 kernel: NVRM: Xid (PCI:0000:dd:00): ${code}, pid=7, x`;

describe("the kernel's log", () => {
  const seen = () => machine.requests.flatMap(({ report }) => report.sightings.map((one) => one.code));

  test("comes from the journal since the last line that was read, each line once", async () => {
    machine.tool("journalctl", JOURNAL);
    const quoted = "2026-11-21T01:00:03.000001+00:00 gh-1 kernel: usb 1-1: new device";
    writeFileSync(machine.place("journal.old"), `${xid(1, 31)}\n${quoted}\n${xid(4, 79)}\n-- cursor: c1;x=1\n`);
    await beat(minute(1));
    await beat(minute(2));
    writeFileSync(machine.place("journal.new"), `${xid(30, 48)}\n-- cursor: c2\n`);
    await beat(minute(3));
    expect(seen()).toEqual([31, 79, 48]);
    expect(machine.requests[0]?.report.sightings[0]?.at).toBe(Date.UTC(2026, 10, 21, 1, 0, 1));
    expect(machine.requests[0]?.report.facts?.kernelLog).toMatchObject({ found: "journalctl" });
    const asked = readFileSync(machine.place("journal.log"), "utf8").trim().split("\n");
    expect(asked[0]).toContain("-b _TRANSPORT=kernel");
    expect(asked[1]).toContain("--after-cursor=c1;x=1 _TRANSPORT=kernel");
    expect(readFileSync(machine.place("spool/kernel"), "utf8")).toBe("journal c2\n");
  });

  test("waits in the spool while the dashboard is away, and is not read twice", async () => {
    machine.tool("journalctl", JOURNAL);
    writeFileSync(machine.place("journal.old"), `${xid(1, 31)}\n-- cursor: c1\n`);
    await beat(minute(1), OFFLINE);
    await beat(minute(2), OFFLINE);
    await beat(minute(3));
    expect(seen()).toEqual([31]);
  });

  test("a storm is bounded and says so", async () => {
    machine.tool("journalctl", JOURNAL);
    const storm = Array.from({ length: 1000 }, (_, i) => xid(i % 60, 31)).join("\n");
    writeFileSync(machine.place("journal.old"), `${storm}\n${xid(59, 79)}\n-- cursor: c1\n`);
    await beat(minute(1));
    expect(seen()).toHaveLength(300);
    expect(seen().at(-1)).toBe(79);
    expect(machine.requests[0]?.report.problems).toMatchObject([{ kind: "left_out" }]);
  });

  test("comes from dmesg where there is no journal, or this user may not read it", async () => {
    const ring = (...lines: string[]) => machine.tool("dmesg", `cat <<'X'\n${lines.join("\n")}\nX`);
    const line = (stamp: string, code: number) => `[${stamp}] NVRM: Xid (PCI:0000:dd:00): ${code}, pid=7, x`;
    machine.tool("journalctl", "echo 'No journal files were opened due to insufficient permissions.' >&2; exit 1");
    machine.file("proc/stat", "cpu 1 2 3\nbtime 1763683200\n");
    ring("[    1.000000] usb", line("  100.500000", 31));
    await beat(minute(1));
    await beat(minute(2));
    ring(line("  100.500000", 31), line("  100.500000", 43), line("  200.000000", 45));
    await beat(minute(3));
    // The ring is full: the line that was read last is no longer in it.
    ring(line("  150.000000", 94), line("  300.000000", 79));
    await beat(minute(4));
    expect(seen()).toEqual([31, 43, 45, 79]);
    expect(machine.requests[0]?.report.sightings[0]?.at).toBe(1_763_683_200_000 + 100_500);
    expect(machine.requests[0]?.report.facts?.kernelLog).toMatchObject({ found: "dmesg" });
  });

  test("neither may be read: it says why, and that a cursor that is refused is forgotten", async () => {
    machine.tool("journalctl", "echo 'Failed to seek to cursor: Invalid argument' >&2; exit 1");
    machine.tool("dmesg", "echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2; exit 1");
    await beat(minute(1));
    expect(facts().kernelLog).toMatchObject({
      missing:
        "journalctl: Failed to seek to cursor: Invalid argument; dmesg: dmesg: read kernel buffer failed: Operation not permitted",
    });
    writeFileSync(machine.place("spool/kernel"), "journal broken\n");
    await beat(minute(2));
    expect(existsSync(machine.place("spool/kernel"))).toBe(false);
  });

  test("a line cannot open a section", async () => {
    machine.tool("journalctl", JOURNAL);
    writeFileSync(machine.place("journal.old"), `#gpu at=x NVRM: Xid (PCI:0000:dd:00): 31, x\n-- cursor: c1\n`);
    await beat(minute(1));
    expect(machine.requests[0]?.report.batches).toHaveLength(1);
    expect(machine.requests[0]?.report.problems).toEqual([]);
  });
});
