import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** With a database that nobody answers for: words that are off are told before anybody is asked. */
function hopperdeck(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "hopperdeck.cjs"), "export", ...args],
    { encoding: "utf8", env: { ...process.env, DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" } },
  );
  return { status, stdout, stderr };
}

test.each([
  [[], "export wants: focus"],
  [["parquet"], "export wants: focus"],
  [["focus"], "wants --month"],
  [["focus", "--month", "2026-13"], "is not a month like 2026-11"],
  [["focus", "--month", "2026-11", "--version", "1.3"], "expected one of"],
])("the words %j are not understood", (args, why) => {
  const { status, stdout, stderr } = hopperdeck(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain(why);
});
