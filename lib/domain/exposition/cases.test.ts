import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUZZ_RUNS, FUZZ_TIMEOUT_MS, untrustedTexts, withoutStall } from "@/lib/testing/mutate";
import { parsePage } from "./parse";

const shared = process.env.SHARED_DIR ?? "../shared";
const folder = join(shared, "cases/exposition");
const skipped = existsSync(folder) ? "" : ` (skipped: ${folder} is absent)`;

/** A body as a door takes it: what is no UTF-8 is refused before it is read. */
function read(path: string) {
  const bytes = readFileSync(join(folder, path));
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

describe.skipIf(skipped !== "")(`pages that a real Prometheus 2.42 scraped${skipped}`, () => {
  const rows = skipped
    ? []
    : readFileSync(join(folder, "prometheus-2.42-scrape.tsv"), "utf8")
        .trim()
        .split("\n")
        .slice(1)
        .map((row) => row.split("\t"));

  test("all of them are here", () => expect(rows.length).toBeGreaterThan(200));

  test.each(rows)("%s: %s, %s samples", (path = "", health, count = "", error = "") => {
    const format = path.startsWith("openmetrics") ? "openmetrics" : "text";
    const { samples, problems } = parsePage(read(path), format);
    expect(problems.length === 0 ? "up" : "down", problems[0]?.message).toBe(health);
    // Prometheus counts the sample whose label comes twice, too.
    const isCounted = error.includes("is not unique");
    expect(samples.length + (isCounted ? 1 : 0)).toBe(Number(count));
    for (const { line, message } of problems) {
      expect(line).toBeGreaterThan(0);
      expect(message).not.toBe("");
    }
  });

  test(
    "their mutations are read or refused, without a stall",
    () => {
      const texts = rows.map(([path = ""]) => read(path));
      fc.assert(
        fc.property(untrustedTexts(texts), fc.boolean(), (text, isForgiving) => {
          for (const format of ["text", "openmetrics"] as const) {
            const { samples, problems } = withoutStall(() => parsePage(text, format, isForgiving));
            expect(problems.length).toBeLessThanOrEqual(isForgiving ? 20 : 1);
            for (const { name, labels } of samples) {
              expect(name).toMatch(/^[a-zA-Z_:][a-zA-Z0-9_:]*$/);
              expect(labels.length % 2).toBe(0);
            }
          }
        }),
        { numRuns: FUZZ_RUNS },
      );
    },
    FUZZ_TIMEOUT_MS,
  );
});
