import { now } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { sendIntents } from "@/lib/services/intents/send";

/* One turn of the worker that sends, as a process of its own: so that a test can kill it. */
await sendIntents(systemCtx("send-intents", await now()));
process.exit(0);
