import { listInstances } from "@/lib/db/fleet/read";
import { mutate } from "@/lib/db/mutate";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { dayOf } from "@/lib/domain/cost/zone";
import { houseOf, writeChange } from "@/lib/services/intents/change";
import { createChecklist } from "@/lib/services/intents/checklists";
import { readChangeEvidence } from "@/lib/services/intents/evidence";
import { protectInstance } from "@/lib/services/intents/protection";

/** The demo's visitors come when they like: what waits for them waits for days. */
const WAITS_MS = 3 * 24 * 3_600_000;

/** What a team would have said about ending machines: one is protected, one list is its own, and one end waits for a second person. */
export async function setEnding(ctx: Ctx): Promise<void> {
  const machines = await listInstances(dayOf(ctx.now.getTime(), "UTC"), { goneSince: ctx.now });
  const active = machines.filter(({ status, goneAt }) => status === "active" && goneAt === null);
  const serving = active.find(({ workload }) => workload === "inference");
  if (serving) await protectInstance(ctx, { instanceId: serving.id, reason: "answers customers; ask serving first" });

  const training = active.find(({ workload, id }) => workload === "training" && id !== serving?.id);
  await createChecklist(ctx, {
    name: "Training runs",
    isShared: true,
    body: {
      team: training?.team ?? "",
      workload: "training",
      items: [
        { text: "The last checkpoint is on a file system", isRequired: true },
        { text: "The run is marked as ended", isRequired: false },
        { text: "Logs are copied", isRequired: false },
      ],
    },
  });
  if (training) await askToEnd(training.id, training.owner || "mira", ctx.now);
}

async function askToEnd(instanceId: string, by: string, now: Date): Promise<void> {
  const ctx = systemCtx(by, now);
  const evidence = await readChangeEvidence(ctx, { instanceId, kind: "terminate" });
  if (evidence.open) return;
  const house = await houseOf(ctx);
  const intentId = crypto.randomUUID();
  const approval = { reason: "A second person must agree, for it is working.", expiresMs: WAITS_MS };
  await mutate(ctx, "intent:terminate", async (tx) => {
    const entry = await writeChange(
      tx,
      ctx,
      "terminate",
      { ...evidence, approval },
      {
        ...house,
        intentId,
        batchId: null,
        accepted: evidence.concerns.map(({ key }) => key),
        ticked: evidence.checklist.items.slice(0, 2).map(({ text }) => text),
        reason: "the loss has been flat since Tuesday",
      },
    );
    if (!entry) throw new Error("Somebody ended the demo's machine before the demo began");
    return { ...entry, result: null };
  });
}
