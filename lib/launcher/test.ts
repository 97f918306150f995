import { whenAsked } from "./asked";
import { findBrowser } from "./browser";
import { buildApp, generateClient } from "./build";
import { staticChecks, vitest } from "./checks";
import { say } from "./report";
import { countPlaywright, Suite } from "./suite";

/* `npm test`: everything that is checked, in one run, with databases and a browser of its own. */
say("Hopperdeck, all tests");
const suite = new Suite();
whenAsked(() => suite.stop());

await suite.work("Database client", async () => ((await generateClient(suite.signal)) ? "generated" : "up to date"));
let browser: string | null = null;
await suite.work("Browser", async () => {
  const { file, how } = await findBrowser();
  browser = file;
  return how;
});
await staticChecks(suite);
// Database tests leave the processors time.
const building = buildApp(suite.signal);
building.catch(() => {});
await vitest(suite, "Database tests", "db*");
const isBuilt = await suite.work("Web app", async () => ((await building) ? "built" : "up to date"));
if (isBuilt && browser !== null) {
  const file = browser;
  await suite.tests(
    "Browser journeys",
    "node_modules/@playwright/test/cli.js",
    () => ["test", "--reporter=line,json"],
    countPlaywright,
    (report) => ({ CHROMIUM: file, PLAYWRIGHT_JSON_OUTPUT_FILE: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
  );
}
process.exit(suite.finish());
