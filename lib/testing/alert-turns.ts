import { setTimeout as sleep } from "node:timers/promises";
import { now } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { sendNotifications } from "@/lib/services/alerts/deliver";
import { evaluateAlerts } from "@/lib/services/alerts/evaluate";
import { watchNotifications } from "@/lib/services/notify/watch";

/* Turns of the worker that judges and tells, without end, as a process of its own: so that a test can kill it, or its database, anywhere. */
async function turn(job: (ctx: ReturnType<typeof systemCtx>) => Promise<void>): Promise<void> {
  try {
    await job(systemCtx("alert-turns", await now()));
  } catch (error) {
    if (process.env.QUIET_TURNS !== "1") process.stderr.write(`${String(error)}\n`);
    await sleep(20);
  }
}

process.send?.("ready");
for (;;) {
  await turn(evaluateAlerts);
  await turn(sendNotifications);
  await turn(watchNotifications);
  // The others, the database among them, want to run as well.
  await sleep(10);
}
