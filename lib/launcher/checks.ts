import { countVitest, type Suite } from "./suite";

const VITEST = "node_modules/vitest/vitest.mjs";

/** Format and lint with the layer table, types, units. */
export async function staticChecks(suite: Suite): Promise<void> {
  await suite.check("Format and lint", "node_modules/@biomejs/biome/bin/biome", ["ci", "--colors=off", "."]);
  await suite.check("Route types", "node_modules/next/dist/bin/next", ["typegen"]);
  await suite.check("Types", "node_modules/typescript/bin/tsc", ["--noEmit", "--pretty", "false"]);
  await vitest(suite, "Units", "unit");
}

export function vitest(suite: Suite, title: string, project: string, more: readonly string[] = []): Promise<boolean> {
  return suite.tests(
    title,
    VITEST,
    (report) => [
      "run",
      ...more,
      "--project",
      project,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    countVitest,
  );
}
