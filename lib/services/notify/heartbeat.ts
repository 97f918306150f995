import { countDead } from "@/lib/db/alerts/outbox";
import { listJobs } from "@/lib/db/jobs";
import { mutate } from "@/lib/db/mutate";
import { forgetSetting, readSettingNow, writeSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { HeartbeatAnswer, HeartbeatInput } from "@/lib/domain/notify/heartbeat";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { checkedUrl, OutboundError, postJson } from "@/lib/integrations/outbound";
import { openSecret, storeSecret } from "@/lib/services/secrets";

export const HEARTBEAT_JOB = "send-heartbeat";

/** Says every minute that this worker lives, to a checker outside that alarms when it stays silent (B45). Throws where it is not heard. */
export async function sendHeartbeat(ctx: Ctx): Promise<void> {
  const { secretId } = await readSettingNow("heartbeat");
  if (secretId === null) return;
  const url = await openSecret(secretId);
  if (url === null)
    throw new AppError("unavailable", "Its address cannot be read with this SECRETS_KEY; enter it again");
  const body = { version: 1, event: "heartbeat", at: ctx.now.toISOString(), undelivered: (await countDead()) > 0 };
  const { statusCode } = await postJson(url, body, {}, { allowedCidrs: env.outboundPrivateCidrs });
  if (statusCode < 200 || statusCode >= 300) throw new AppError("unavailable", `HTTP ${statusCode}`);
}

export async function setHeartbeat(ctx: Ctx, { url }: HeartbeatInput): Promise<{ host: string }> {
  authorize(ctx, "rule:write");
  let host = "";
  try {
    if (url !== "") ({ host } = checkedUrl(url, env.outboundPrivateCidrs));
  } catch (error) {
    if (error instanceof OutboundError) throw new AppError("invalid", error.message, { url: error.message });
    throw error;
  }
  const before = await readSettingNow("heartbeat");
  const result = await mutate(ctx, "rule:write", async (tx) => {
    const secretId = url === "" ? null : await storeSecret(tx, "heartbeat", url, ctx.now);
    await writeSetting(tx, "heartbeat", { secretId, host, setAt: ctx.now.getTime() }, ctx.now);
    return {
      action: "heartbeat.set",
      subjectKind: "setting",
      subjectId: "heartbeat",
      subject: "Heartbeat",
      before: { host: before.host },
      after: { host },
      result: { host },
    };
  });
  forgetSetting("heartbeat");
  return result;
}

export async function readHeartbeat(ctx: Ctx): Promise<HeartbeatAnswer> {
  authorize(ctx, "fleet:read");
  const [{ host, setAt }, jobs] = await Promise.all([readSettingNow("heartbeat"), listJobs()]);
  const job = jobs.find(({ name }) => name === HEARTBEAT_JOB);
  const at = job?.finishedAt?.getTime() ?? 0;
  // Runs before it was set spoke to nobody, or to somebody else.
  const last = host !== "" && job && at > setAt ? { at, error: job.lastError } : null;
  return { now: ctx.now.getTime(), host, last };
}
