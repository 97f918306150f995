import { describe, expect, it } from "vitest";
import { STATUS } from "@/components/ui/status-vocabulary";
import type { AlertRow } from "@/lib/domain/alerts/view";
import { inboxSentence, isOpenToTake, markOf } from "./alert-words";

const row: AlertRow = {
  id: "a",
  part: "firing",
  status: "firing",
  ruleId: "r",
  ruleName: "Hot",
  kind: "gpu_metric",
  metric: "temperatureC",
  comparison: "above",
  threshold: 80,
  forMs: 0,
  severity: "critical",
  targetName: "gh-1",
  resourceId: "m",
  team: "",
  activeAt: 0,
  firedAt: 0,
  resolvedAt: null,
  resolveReason: null,
  unknownSince: null,
  firesAt: null,
  value: 90,
  unit: "°C",
  metricLabel: "GPU temperature",
  acknowledgedBy: null,
  acknowledgedAt: null,
  acknowledgeNote: null,
  reraiseAt: null,
  assignee: null,
  snoozedUntil: null,
  silence: null,
  leadId: null,
  microsPerHour: null,
  priceMicros: null,
  spentMicros: null,
  isFlapping: false,
};

describe("the sentence of the inbox", () => {
  it.each([
    [[], "Nothing waits for anybody.", ""],
    [[row], "One alert fires and nobody has taken it.", ""],
    [[row, row], "2 alerts fire and nobody has taken them.", ""],
    [[{ ...row, part: "acknowledged" }], "Nothing waits for anybody.", ""],
    [
      [row, { ...row, part: "unknown" }],
      "One alert fires and nobody has taken it.",
      "One alert cannot be judged for want of data and stays open.",
    ],
    [
      [
        { ...row, part: "unknown" },
        { ...row, part: "unknown" },
      ],
      "2 alerts cannot be judged for want of data and stay open.",
      "",
    ],
  ] as const)("%#", (rows, lead, rest) => expect(inboxSentence(rows)).toEqual({ lead, rest }));
});

it("an alert in somebody's hand keeps the mark of what it is, and cannot be taken again", () => {
  expect(STATUS[markOf({ ...row, part: "acknowledged" })].word).toBe("Critical, firing");
  expect(STATUS[markOf({ ...row, part: "acknowledged", status: "unknown" })].word).toBe("Unknown");
  expect(STATUS[markOf({ ...row, part: "unknown", status: "unknown" })].word).toBe("Unknown");
  expect(isOpenToTake({ part: "acknowledged" })).toBe(false);
  expect(isOpenToTake({ part: "unknown" })).toBe(true);
});
