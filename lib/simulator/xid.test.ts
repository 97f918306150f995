import { describe, expect, test } from "vitest";
import { burstsOf, fromSightings } from "@/lib/domain/xid/bursts";
import { parseKernelLog } from "@/lib/domain/xid/kernel-log";
import { busPlace } from "@/lib/domain/xid/place";
import { gpuProcesses } from "./gpu";
import { gpusOf } from "./machine";
import { demoScenario } from "./scenario";
import { kernelLines } from "./xid";

const NOW = Date.UTC(2026, 10, 21, 14, 7);
const DAY = 24 * 3_600_000;
const { machines } = demoScenario(1, NOW, 45);

describe("Xid lines of simulated machines", () => {
  const all = machines.map((machine) => ({ machine, lines: kernelLines(machine, NOW - 45 * DAY, NOW) }));
  const told = all.filter(({ lines }) => lines.length > 0);

  test("come now and then, on several machines of the demo, and never from one that is off", () => {
    const incidents = told.flatMap(({ lines }) => burstsOf(fromSightings(parse(lines))));
    expect(told.length).toBeGreaterThan(2);
    expect(incidents.length).toBeGreaterThan(8);
    expect(incidents.length).toBeLessThan(200);
    for (const { machine, lines } of told)
      for (const { at } of lines) expect(at).toBeGreaterThanOrEqual(machine.guestAt ?? Number.POSITIVE_INFINITY);
  });

  test("are read whole, with instant, card and process", () => {
    for (const { machine, lines } of told) {
      const found = parse(lines);
      expect(found.map(({ at }) => at)).toEqual(lines.map(({ at }) => at));
      const places = gpusOf(machine).map(({ busId }) => busPlace(busId));
      for (const { at, place, pid } of found) {
        expect(places).toContain(place.busId);
        const gpu = gpusOf(machine).find(({ busId }) => busPlace(busId) === place.busId);
        const pids = gpu ? gpuProcesses(gpu, machine.workloads, at).map((process) => process.pid) : [];
        if (pid !== null) expect(pids).toContain(pid);
      }
    }
  });

  test("are the same in one window and in many", () => {
    for (const { machine, lines } of told) {
      const parts = Array.from({ length: 90 }, (_, i) => NOW - 45 * DAY + i * (DAY / 2));
      expect(parts.flatMap((from) => kernelLines(machine, from, from + DAY / 2))).toEqual(lines);
    }
  });
});

function parse(lines: { line: string }[]) {
  return parseKernelLog(lines.map(({ line }) => line).join("\n"), NOW);
}
