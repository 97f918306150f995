import { describe, expect, test } from "vitest";
import type { XidSighting } from "@/lib/domain/telemetry/report";
import { burstsOf, fromSightings } from "@/lib/domain/xid/bursts";
import { parseKernelLog } from "@/lib/domain/xid/kernel-log";
import { incidentOf, xidInfo } from "./incident";

const NOON = Date.UTC(2026, 10, 21, 12);
const names = { instance: null, hosts: new Map<string, string>(), gpus: new Map() };

function only(sightings: XidSighting[]) {
  const [burst, ...others] = burstsOf(fromSightings(sightings));
  if (!burst || others.length > 0) throw new Error("one burst expected");
  return incidentOf(burst, [], names, 40);
}

const gauge = (code: number, at: number): XidSighting => ({
  at,
  code,
  place: { uuid: null, mig: "", busId: null, index: 0 },
  seenBy: "gauge",
  text: "",
  pid: null,
  processName: null,
});

describe("an incident as it is shown", () => {
  test("counts the kernel's lines and nothing of a gauge", () => {
    expect(only([gauge(48, NOON), gauge(94, NOON + 1)]).title).toBe("Xid 48, 94 (gauge)");
    const line = parseKernelLog("2026-11-21T11:59:59Z NVRM: Xid (PCI:0000:19:00): 48, x", NOON);
    expect(only([...line, gauge(94, NOON)]).title).toBe("Xid 48, 94 (1 line)");
  });

  test("shows the first lines of a long one and says how many more there are", () => {
    const log = Array.from({ length: 100 }, (_, i) => `2026-11-21T11:59:59Z NVRM: Xid (PCI:0000:19:00): 94, Ch ${i}`);
    const incident = only(parseKernelLog(log.join("\n"), NOON));
    expect(incident).toMatchObject({ title: "Xid 94 (100 lines)", moreLines: 60 });
    expect(incident.lines).toHaveLength(40);
    expect(incident.cards).toEqual([{ gpuId: null, label: "GPU at 0000:19:00", busId: "0000:19:00", model: null }]);
  });
});

describe("what is said of a code", () => {
  test.each([
    [79, "NVIDIA GH200 480GB", /inference: listed/],
    [144, "NVIDIA GH200 480GB", /inference: not listed/],
    [79, "NVIDIA H100 PCIe", /catalogue: listed/],
  ])("%i on %s", (code, model, words) => {
    expect(xidInfo(code, model).listed).toMatch(words);
  });

  test("a retired code, an unknown one and 154 have words too", () => {
    expect(xidInfo(3, null)).toMatchObject({ meaning: "Retired code", listed: null });
    expect(xidInfo(999, null)).toMatchObject({
      meaning: "Not in NVIDIA's catalogue",
      mnemonic: null,
      severity: "warning",
    });
    expect(xidInfo(154, null)).toMatchObject({ severity: null, immediate: "do what its text says" });
  });
});
