import { describe, expect, test } from "vitest";
import { RouteFields } from "@/lib/domain/notify/route-input";
import { draftSteps, readDraft } from "./route-draft";

const CHANNEL = "0190a1b2-0000-7000-8000-000000000001";

function form(over: Record<string, string> = {}, steps: readonly [string, string][] = []): FormData {
  const data = new FormData();
  const base = { name: "ML", matchers: 'team="ml"', channelId: CHANNEL, groupBy: "alertname, team" };
  const times = { wait: "30", interval: "5", repeat: "4", enabled: "on" };
  for (const [field, value] of Object.entries({ ...base, ...times, ...over })) data.set(field, value);
  for (const [amount, unit] of steps) {
    data.append("stepAmount", amount);
    data.append("stepUnit", unit);
    data.append("stepChannel", CHANNEL);
  }
  return data;
}

describe("what the form of a route says", () => {
  test("is what the server takes", () => {
    const read = readDraft(
      form({}, [
        ["15", "min"],
        ["12.5", "usd"],
      ]),
    );
    expect(read.ok && RouteFields.parse(read.input)).toEqual({
      name: "ML",
      matchers: [{ label: "team", op: "=", value: "ml" }],
      channelId: CHANNEL,
      groupBy: ["alertname", "team"],
      groupWaitMs: 30_000,
      groupIntervalMs: 300_000,
      repeatMs: 14_400_000,
      escalation: [
        { channelId: CHANNEL, afterMs: 900_000 },
        { channelId: CHANNEL, afterMicros: 12_500_000n },
      ],
      goesOn: false,
      enabled: true,
    });
  });

  test("is refused beside its field where it cannot be read", () => {
    const read = readDraft(form({ matchers: "team=" }));
    expect(read.ok || Object.keys(read.error.fields)).toEqual(["matchers"]);
    const steps = readDraft(form({}, [["much", "usd"]]));
    expect(steps.ok || Object.keys(steps.error.fields)).toEqual(["escalation"]);
  });

  test("leaves a time that is no number for the server to refuse", () => {
    const read = readDraft(form({ repeat: "often" }));
    const result = read.ok ? RouteFields.safeParse(read.input) : null;
    expect(result?.error?.issues[0]?.path).toEqual(["repeatMs"]);
  });

  test("shows steps as they were typed", () => {
    const steps = [
      { channelId: CHANNEL, afterMs: 900_000, afterMicros: null },
      { channelId: CHANNEL, afterMs: null, afterMicros: "12500000" },
      { channelId: CHANNEL, afterMs: null, afterMicros: "500000" },
    ];
    expect(draftSteps(steps).map(({ amount, unit }) => [amount, unit])).toEqual([
      ["15", "min"],
      ["12.50", "usd"],
      ["0.50", "usd"],
    ]);
  });
});
