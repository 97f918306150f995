import { expect, test } from "vitest";
import { incidentOf } from "@/lib/domain/events/incident";
import { burstsOf, fromSightings } from "@/lib/domain/xid/bursts";
import { parseKernelLog } from "@/lib/domain/xid/kernel-log";
import { eventMarks } from "./marks";

const NOON = Date.UTC(2026, 10, 21, 12);
const LOG = [
  "2026-11-21T11:58:00,000000+00:00 NVRM: Xid (PCI:0000:19:00): 31, pid=1, name=python3, MMU Fault",
  "2026-11-21T11:50:00,000000+00:00 NVRM: Xid (PCI:0000:19:00): 79, pid=1, name=python3, GPU has fallen off the bus.",
].join("\n");

test("incidents, deploys and notes stand in the order of time, with a tone and words of their own", () => {
  const names = { instance: null, hosts: new Map<string, string>(), gpus: new Map() };
  const incidents = burstsOf(fromSightings(parseKernelLog(LOG, NOON))).map((burst) => incidentOf(burst, [], names, 40));
  const notes = [{ id: "1", at: Date.UTC(2026, 10, 21, 11, 55), text: "driver updated", by: "Ada" }];
  const at = Date.UTC(2026, 10, 21, 11, 57);
  const deploys = [{ id: "2", at, name: "chat 2.4", by: "ci", url: null, isOfAll: true }];
  expect(eventMarks({ incidents, notes, deploys })).toMatchObject([
    { text: "Xid 79", tone: "crit", title: "Xid 79 (1 line): GPU has fallen off the bus" },
    { text: "driver updated", tone: "neutral", title: "driver updated, Ada" },
    { text: "chat 2.4", tone: "neutral", title: "Deploy: chat 2.4, ci" },
    { text: "Xid 31", tone: "warn", title: "Xid 31 (1 line): GPU memory page fault" },
  ]);
});
