import { whenAsked } from "./asked";
import { generateClient } from "./build";
import { staticChecks } from "./checks";
import { say } from "./report";
import { Suite } from "./suite";

/* `npm run check`: what needs no database and no browser. */
say("Hopperdeck, checks without a database");
const suite = new Suite();
whenAsked(() => suite.stop());
await suite.work("Database client", async () => ((await generateClient(suite.signal)) ? "generated" : "up to date"));
await staticChecks(suite);
process.exit(suite.finish());
