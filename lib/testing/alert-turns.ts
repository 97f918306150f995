import { now } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { sendNotifications } from "@/lib/services/alerts/deliver";
import { evaluateAlerts } from "@/lib/services/alerts/evaluate";
import { watchNotifications } from "@/lib/services/notify/watch";

/* Turns of the worker that judges and tells, without end, as a process of its own: so that a test can kill it anywhere. */
const turn = async (job: (ctx: ReturnType<typeof systemCtx>) => Promise<void>) =>
  job(systemCtx("alert-turns", await now())).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));

process.send?.("ready");
for (;;) {
  await turn(evaluateAlerts);
  await turn(sendNotifications);
  await turn(watchNotifications);
}
