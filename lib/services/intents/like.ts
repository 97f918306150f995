import { listInstances } from "@/lib/db/fleet/read";
import { findIntent } from "@/lib/db/intents";
import { batchOf } from "@/lib/db/launches";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf } from "@/lib/domain/cost/zone";
import type { LaunchRequest } from "@/lib/domain/intents/intent";
import type { LaunchBatchAnswer, LaunchLike } from "@/lib/domain/intents/launch";
import { LaunchTemplate } from "@/lib/domain/intents/templates";
import type { IntentQuestion } from "@/lib/domain/intents/view";
import { AppError } from "@/lib/errors";
import { openSecret } from "@/lib/services/secrets";
import { ownName } from "./offers";
import { personBehind } from "./person";

/** The choice that made a machine, for another like it: from its launch, else from what Lambda lists of it. */
export async function readLaunchLike(ctx: Ctx, { instanceId }: LaunchLike): Promise<LaunchTemplate> {
  authorize(ctx, "fleet:read");
  const { zone } = await readSetting("accounting");
  const [facts] = await listInstances(dayOf(ctx.now.getTime(), zone), { ids: [instanceId] });
  if (!facts) throw new AppError("not-found", "There is no such instance, or it was never seen here.");
  if (facts.launchIntentId !== null) return readLaunchAgain(ctx, { intentId: facts.launchIntentId });
  const names = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : []);
  return LaunchTemplate.parse({
    typeName: facts.typeName ?? "",
    region: facts.region,
    sshKeyName: names(facts.attrs.sshKeyNames)[0] ?? "",
    fileSystemName: names(facts.attrs.fileSystemNames)[0] ?? null,
    name: facts.name?.slice(0, 60) ?? "",
    ...labelsOf(facts),
    purpose: facts.purpose,
  });
}

/** The choice of an earlier launch. What was to be run at its start is given back to the one who gave it. */
export async function readLaunchAgain(ctx: Ctx, { intentId }: IntentQuestion): Promise<LaunchTemplate> {
  authorize(ctx, "fleet:read");
  const intent = await findIntent(intentId);
  if (intent?.kind !== "launch") throw new AppError("not-found", "There is no such launch.");
  // A launch's request; its kind says so.
  const { labels, userDataId, leaseUntil, ...request } = intent.request as LaunchRequest;
  const isOwn = intent.requestedById !== null && intent.requestedById === (await personBehind(ctx));
  const leaseMs = leaseUntil ? leaseUntil - intent.createdAt.getTime() : null;
  return LaunchTemplate.parse({
    ...request,
    ...labelsOf(labels),
    name: ownName(request.name, intentId),
    leaseMs: leaseMs !== null && leaseMs >= 60_000 ? leaseMs : null,
    userData: isOwn && userDataId ? ((await openSecret(userDataId)) ?? "") : "",
  });
}

/** The other launches of the same act, for the page of one of them. */
export async function readLaunchBatch(ctx: Ctx, { intentId }: IntentQuestion): Promise<LaunchBatchAnswer> {
  authorize(ctx, "fleet:read");
  return { now: ctx.now.getTime(), rows: await batchOf(intentId) };
}

function labelsOf({ owner, team, project, environment, costCenter, workload }: LaunchRequest["labels"]) {
  // A launch asked for by an older version has no cost centre.
  return { owner, team, project, environment, costCenter: costCenter ?? "", workload };
}
