import { describe, expect, test } from "vitest";
import { launchSteps } from "./progress";
import type { IntentRow } from "./view";

const row = (change: Partial<IntentRow>): IntentRow => ({
  id: "1",
  kind: "launch",
  state: "ready",
  name: "gh-1",
  typeName: "gpu_1x_gh200",
  region: "us-east-3",
  by: "Ada",
  reason: null,
  createdAt: 0,
  etaAt: null,
  sentAt: null,
  acceptedAt: null,
  settledAt: null,
  error: null,
  isCancellable: true,
  instance: null,
  ...change,
});
const machine = (change: Partial<NonNullable<IntentRow["instance"]>> = {}) => ({
  id: "m",
  status: "booting",
  activeAt: null,
  firstSampleAt: null,
  ...change,
});

describe("how far a launch came", () => {
  test.each([
    ["not sent", row({}), ["now", "later", "later", "later"]],
    ["in flight", row({ state: "sending", sentAt: 1 }), ["now", "later", "later", "later"]],
    ["no answer: it may exist", row({ state: "indeterminate", sentAt: 1 }), ["unknown", "later", "later", "later"]],
    ["accepted, not listed", row({ state: "confirmed", acceptedAt: 2 }), ["done", "now", "later", "later"]],
    ["booting", row({ state: "confirmed", acceptedAt: 2, instance: machine() }), ["done", "now", "later", "later"]],
    [
      "active, silent",
      row({ state: "confirmed", acceptedAt: 2, instance: machine({ status: "active", activeAt: 3 }) }),
      ["done", "done", "done", "now"],
    ],
    [
      "found without an answer",
      row({ state: "adopted", sentAt: 1, instance: machine({ status: "active", activeAt: 3, firstSampleAt: 4 }) }),
      ["done", "done", "done", "done"],
    ],
    [
      "unhealthy boot",
      row({ state: "confirmed", acceptedAt: 2, instance: machine({ status: "unhealthy" }) }),
      ["done", "failed", "later", "later"],
    ],
    ["refused", row({ state: "refused", settledAt: 5 }), ["failed", "later", "later", "later"]],
    ["never found", row({ state: "closed_unconfirmed", settledAt: 5 }), ["unknown", "later", "later", "later"]],
  ])("%s", (_, given, states) => expect(launchSteps(given).map(({ state }) => state)).toEqual(states));
});
