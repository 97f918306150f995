import { describe, expect, test } from "vitest";
import { escapeSlack, headline, type News, quantity, sentences, slackMessage, webhookBody } from "./message";

const AT = Date.UTC(2026, 10, 20, 14, 32);
const MINUTE = 60_000;

const news: News = {
  kind: "fired",
  at: AT,
  alertId: "a1",
  ruleName: "VRAM full",
  severity: "critical",
  targetName: "gh-train-02, GPU 0",
  team: "research",
  metricLabel: "GPU memory in use",
  unit: "%",
  comparison: "above",
  threshold: 90,
  forMs: 5 * MINUTE,
  value: 96.25,
  peakValue: 97.1,
  activeAt: AT - 5 * MINUTE,
  firedAt: AT,
  resolvedAt: null,
  resolveReason: null,
  action: "Save a checkpoint now.",
  spentMicros: 0n,
  microsPerHour: 2_290_000n,
  url: "https://hopperdeck.example/alerts/a1",
};

const resolved: News = {
  ...news,
  kind: "resolved",
  at: AT + 30 * MINUTE,
  resolvedAt: AT + 30 * MINUTE,
  resolveReason: "instance_gone",
  spentMicros: 1_145_000n,
  microsPerHour: 0n,
};

/** No-break and thin spaces as plain ones. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

describe("message", () => {
  test.each<[News, string]>([
    [news, "Critical: VRAM full, gh-train-02, GPU 0"],
    [resolved, "Resolved: VRAM full, gh-train-02, GPU 0"],
    [{ ...news, kind: "reraised" }, "Still firing, critical: VRAM full, gh-train-02, GPU 0"],
    [{ ...news, kind: "flapping", severity: "warning" }, "Flapping, warning: VRAM full, gh-train-02, GPU 0"],
  ])("the headline says what happened, how bad it is and where", (one, expected) => {
    expect(headline(one)).toBe(expected);
  });

  test("the sentences say the value, the rule and the money", () => {
    expect(sentences(news).map(plain)).toEqual([
      "GPU memory in use: 96.25 %. The rule fires above 90 % for 5 min.",
      "$0.00 since it fired, $2.29/h now.",
    ]);
    expect(sentences(resolved).map(plain)).toEqual([
      "GPU memory in use: 96.25 %. The rule fires above 90 % for 5 min.",
      "It fired for 30 min, the instance is gone.",
      "$1.15 since it fired, no longer billed.",
    ]);
  });

  test("what is not known is said to be unknown, never zero", () => {
    const unknown = { ...news, value: null, spentMicros: null, microsPerHour: null };
    expect(sentences(unknown).map(plain)).toEqual([
      "GPU memory in use: no value. The rule fires above 90 % for 5 min.",
      "Cost since it fired unknown, price unknown.",
    ]);
    expect(webhookBody(unknown).cost).toEqual({ currency: "USD", sinceFired: null, perHour: null });
  });

  test.each([
    [96.25, "%", "96.25 %"],
    [900_000, "ms", "15 min"],
    [1_000, "USD", "$1,000.00"],
    [83, "°C", "83 °C"],
    [1, "0 or 1", "1"],
    [Number.NEGATIVE_INFINITY, "W", "minus infinite W"],
  ])("%d in %s is written %s", (value, unit, expected) => {
    expect(plain(quantity(value, unit))).toBe(expected);
  });

  test("a webhook carries exact instants, decimal money and words for what JSON cannot hold", () => {
    const body = webhookBody({ ...resolved, value: Number.POSITIVE_INFINITY });
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      version: 1,
      event: "alert.resolved",
      at: "2026-11-20T15:02:00.000Z",
      headline: "Resolved: VRAM full, gh-train-02, GPU 0",
      alert: {
        id: "a1",
        url: "https://hopperdeck.example/alerts/a1",
        rule: "VRAM full",
        severity: "critical",
        target: "gh-train-02, GPU 0",
        team: "research",
        metric: "GPU memory in use",
        unit: "%",
        comparison: "above",
        threshold: 90,
        forSeconds: 300,
        value: "Infinity",
        peakValue: 97.1,
        activeAt: "2026-11-20T14:27:00.000Z",
        firedAt: "2026-11-20T14:32:00.000Z",
        resolvedAt: "2026-11-20T15:02:00.000Z",
        resolveReason: "instance_gone",
        action: "Save a checkpoint now.",
      },
      cost: { currency: "USD", sinceFired: "1.145000", perHour: "0.000000" },
    });
  });

  test("Slack: no name can mention a channel, open a link or hide one", () => {
    expect(escapeSlack("<!channel> & <http://x|y>")).toBe("&lt;!channel&gt; &amp; &lt;http://x|y&gt;");
    const { text, blocks } = slackMessage({ ...news, targetName: "<!here> & co", action: "<@U1> look" });
    const all = [text, ...blocks.map((block) => block.text.text)].join("\n");
    expect(all).toContain("&lt;!here&gt; &amp; co");
    expect(all).toContain("&lt;@U1&gt; look");
    const markup = all.match(/<[^>]*>/g) ?? [];
    expect(markup.map((part) => part.slice(0, 6))).toEqual(["<!date", "<https"]);
  });

  test("Slack: times are shown in each reader's zone, with UTC to fall back on", () => {
    const facts = slackMessage(news).blocks[1]?.text.text ?? "";
    expect(plain(facts)).toContain(`<!date^${AT / 1000}^{date_short_pretty}, {time}|Fri 20 Nov, 14:32 UTC>`);
  });

  test("Slack: the longest texts still fit the blocks, with no entity cut in half", () => {
    const { blocks } = slackMessage({ ...news, action: "&".repeat(1_000), targetName: "<".repeat(10_000) });
    expect(Math.max(...blocks.map((block) => block.text.text.length))).toBeLessThan(3_000);
    for (const block of blocks) expect(block.text.text).not.toMatch(/&[a-z]*…/);
  });

  test("invisible characters do not reach a message", () => {
    expect(headline({ ...news, targetName: "gh\u202e-train\u0000" })).toBe("Critical: VRAM full, gh-train");
  });
});
