import { whenAsked } from "./asked";
import { findBrowser } from "./browser";
import { buildApp, generateClient } from "./build";
import { vitest } from "./checks";
import { say } from "./report";
import { countPlaywright, Suite } from "./suite";

/* `npm run soak`: what `npm test` tries a few times, for hours: every search for counterexamples with 100,000 runs, two years against the cloud's own bill, and twenty kills. */
const FUZZ_RUNS = "100000";
const CRASH_ROUNDS = "20";
const ALERT_KILLS = "100";
/** Launches and terminations in a storm of faults and kills. */
const CHAOS_ROUNDS = "10000";
const TRUTH_DAYS = "365";

say("Hopperdeck, long trials");
Object.assign(process.env, {
  HOPPERDECK_FUZZ_RUNS: FUZZ_RUNS,
  HOPPERDECK_CRASH_ROUNDS: CRASH_ROUNDS,
  HOPPERDECK_TRUTH_DAYS: TRUTH_DAYS,
  HOPPERDECK_ALERT_KILLS: ALERT_KILLS,
  HOPPERDECK_CHAOS_ROUNDS: CHAOS_ROUNDS,
});
const suite = new Suite();
whenAsked(() => suite.stop());

await suite.work("Database client", async () => ((await generateClient(suite.signal)) ? "generated" : "up to date"));
await vitest(suite, "Counterexamples", "unit", ["lib/domain", "--testTimeout=7200000"]);
await vitest(suite, "Years against the cloud's own bill", "db*", ["lib/services/cost/truth.db.test.ts"]);
await vitest(suite, "Workers and PostgreSQL killed while they alert", "db*", [
  "lib/services/notify/kills.db.test.ts",
  "lib/services/notify/restarts.db.test.ts",
  "--testTimeout=7200000",
]);
await vitest(suite, "Launches and terminations in a storm", "db*", [
  "lib/services/intents/chaos.db.test.ts",
  "--testTimeout=7200000",
]);
const isBuilt = await suite.work("Web app", async () => ((await buildApp(suite.signal)) ? "built" : "up to date"));
if (isBuilt) {
  const { file } = await findBrowser();
  await suite.tests(
    "Kills in the middle of a load",
    "node_modules/@playwright/test/cli.js",
    () => ["test", "--reporter=line,json", "--timeout=3600000", "e2e/crash.spec.ts"],
    countPlaywright,
    (report) => ({ CHROMIUM: file, PLAYWRIGHT_JSON_OUTPUT_FILE: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
  );
}
process.exit(suite.finish());
