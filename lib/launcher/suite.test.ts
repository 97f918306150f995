import { describe, expect, test } from "vitest";
import { existingBrowser } from "./browser";
import { countPlaywright, countVitest } from "./suite";

describe("counting", () => {
  test("a test file that could not be read is a failure", () => {
    const count = countVitest({
      numPassedTests: 2,
      numFailedTests: 1,
      testResults: [
        { name: "a", status: "failed", assertionResults: [] },
        {
          name: "b",
          status: "failed",
          assertionResults: [
            { status: "passed", fullName: "one" },
            { status: "passed", fullName: "two" },
            { status: "failed", fullName: "three" },
            { status: "skipped", fullName: "four" },
          ],
        },
      ],
    });
    expect(count).toEqual({ passed: 2, failed: 2, skipped: 1, skippedNames: ["four"] });
  });

  test("a journey that passed at its second try has not passed; a skipped one says why", () => {
    const spec = (status: string, annotations: { type: string; description?: string }[] = []) => ({
      title: status,
      tests: [{ status, annotations }],
    });
    const count = countPlaywright({
      errors: ["the stack did not start"],
      suites: [
        {
          title: "file",
          specs: [spec("expected")],
          suites: [
            { title: "inner", specs: [spec("flaky"), spec("skipped", [{ type: "skip", description: "no GPU" }])] },
          ],
        },
      ],
    });
    expect(count).toEqual({ passed: 1, failed: 2, skipped: 1, skippedNames: ["skipped (no GPU)"] });
  });
});

describe("choosing a browser", () => {
  const only =
    (...files: string[]) =>
    (file: string) =>
      files.includes(file);
  const env = { PATH: "/opt/bin:/bin", HOME: "/nowhere" };
  test.each([
    ["the one that is named", { ...env, CHROMIUM: "/x/chrome" }, only("/x/chrome", "/bin/chromium"), "/x/chrome"],
    [
      "one on the PATH when the named one is gone",
      { ...env, CHROMIUM: "/x/chrome" },
      only("/bin/chromium"),
      "/bin/chromium",
    ],
    ["Chromium before Chrome", env, only("/opt/bin/google-chrome", "/bin/chromium"), "/bin/chromium"],
    ["Debian's place, whatever the PATH", env, only("/usr/bin/chromium"), "/usr/bin/chromium"],
    ["none", env, only(), null],
  ])("%s", (_, given, isThere, expected) => expect(existingBrowser(given, isThere)).toBe(expected));
});
