import { transact } from "@/lib/db/client";
import { findConnection } from "@/lib/db/fleet/connection";
import { claimIntent, insertIntent, moveIntent, settleIntent } from "@/lib/db/intents";
import { mutate, writeAudit } from "@/lib/db/mutate";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { NO_LABELS } from "@/lib/domain/fleet/workloads";
import { type LaunchRequest, LOOK_MS, machineName } from "@/lib/domain/intents/intent";
import { hashBytes } from "@/lib/services/intents/hash";

const AGO_MS = 2 * 3_600_000;

/** A launch that Lambda never answered: nothing came of it, and its mark is on watch. */
export async function leaveUnanswered(ctx: Ctx): Promise<void> {
  const connection = await findConnection();
  if (!connection) return;
  const asked = systemCtx("mira", new Date(ctx.now.getTime() - AGO_MS));
  const id = crypto.randomUUID();
  const name = machineName("gh-eval-3", id);
  const request: LaunchRequest = {
    typeName: "gpu_1x_gh200",
    region: "us-east-3",
    imageFamily: null,
    sshKeyName: "team-key",
    fileSystemName: null,
    name,
    labels: { ...NO_LABELS, owner: "mira", team: "research", workload: "batch" },
    purpose: "evaluation",
  };
  const about = { subjectKind: "intent", subjectId: id, subject: name };
  const intent = await mutate(asked, "intent:launch", async (tx) => {
    const made = await insertIntent(tx, {
      id,
      kind: "launch",
      connectionId: connection.id,
      targetId: null,
      request,
      plan: { priceMicros: "2290000", accepted: [] },
      planHash: hashBytes(JSON.stringify(request)),
      reason: null,
      requestedById: null,
      requestedBy: "mira",
      createdAt: asked.now,
    });
    return { ...about, action: "launch.requested", after: { ...request }, result: made };
  });
  const sent = intent && (await claimIntent(intent, crypto.randomUUID(), asked.now));
  if (!sent) return;
  const error = "The connection to Lambda broke or timed out (UND_ERR_HEADERS_TIMEOUT)";
  const closed = new Date(asked.now.getTime() + LOOK_MS);
  await transact(async (tx) => {
    await moveIntent(tx, sent, { state: "indeterminate", lookUntil: closed.getTime(), error }, asked.now);
    await writeAudit(tx, systemCtx("send-intents", asked.now), {
      ...about,
      action: "launch.outcome-unknown",
      reason: error,
    });
  });
  const words =
    "No machine turned up within five minutes. Nothing is sent again; its mark stays on watch for a day, and a new launch may be made.";
  await transact(async (tx) => {
    await settleIntent(tx, id, "closed_unconfirmed", closed, words);
    await writeAudit(tx, systemCtx("settle-intents", closed), {
      ...about,
      action: "intent.closed-unconfirmed",
      reason: words,
    });
  });
}
