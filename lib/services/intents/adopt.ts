import { transact } from "@/lib/db/client";
import { firstSeenAt } from "@/lib/db/fleet/resources";
import { adoptLate, bindEnrolment, findLaunches, type Intent, linkLaunched, settleIntent } from "@/lib/db/intents";
import { wasAudited, writeAudit } from "@/lib/db/mutate";
import { findUntracedLaunches } from "@/lib/db/queue";
import { assignSources } from "@/lib/db/telemetry/identity";
import type { Ctx } from "@/lib/domain/access";
import { INTENT_TAG } from "@/lib/domain/intents/intent";
import type { Instance } from "@/lib/integrations/lambda/contract";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Finds the machines that our launches made, by the tag that the API cannot change or by the id that Lambda answered, and
 * ties each to its intent. A second machine of one intent stays unlinked and is said so: it bills as well.
 */
export async function adoptLaunched(ctx: Ctx, listing: Instance[], ids: Map<string, string>): Promise<void> {
  const tagged = new Map(
    listing.flatMap((one) =>
      UUID.test(one.tags[INTENT_TAG] ?? "") ? [[one.id, one.tags[INTENT_TAG] ?? ""] as const] : [],
    ),
  );
  const [intents, untraced] = await Promise.all([
    findLaunches(
      [...tagged.values()],
      listing.map((one) => one.id),
    ),
    findUntracedLaunches(listing.flatMap((one) => (one.tags[INTENT_TAG] === undefined && one.name ? [one.name] : []))),
  ]);
  for (const instance of listing) {
    const intent =
      intents.find((one) => one.id === tagged.get(instance.id) || one.externalId === instance.id) ??
      (await namesake(instance, untraced, ids.get(instance.id)));
    const resourceId = ids.get(instance.id);
    if (!intent || !resourceId || intent.launchedId === resourceId) continue;
    await adopt(ctx, intent, instance, resourceId);
  }
}

/** A machine that lost its tag on the way is known by the whole name that its launch gave it, mark and all. */
async function namesake(
  { name, tags, typeName, region }: Instance,
  untraced: Intent[],
  resourceId: string | undefined,
): Promise<(Intent & { launchedId: null }) | null> {
  if (tags[INTENT_TAG] !== undefined || name === null || !resourceId) return null;
  const found = untraced.find(
    ({ request }) =>
      "typeName" in request && request.name === name && request.typeName === typeName && request.region === region,
  );
  if (!found?.sentAt) return null;
  const seenAt = await firstSeenAt(resourceId);
  return seenAt !== null && seenAt >= found.sentAt ? { ...found, launchedId: null } : null;
}

async function adopt(
  ctx: Ctx,
  intent: Intent & { launchedId: string | null },
  instance: Instance,
  resourceId: string,
): Promise<void> {
  const subject = instance.name ?? instance.id;
  await transact(async (tx) => {
    const entry = { subjectKind: "instance", subjectId: resourceId, subject };
    if (intent.launchedId !== null || !(await linkLaunched(tx, resourceId, intent.id))) {
      if (!(await wasAudited(tx, "intent.orphan-found", resourceId))) {
        await writeAudit(tx, ctx, {
          ...entry,
          action: "intent.orphan-found",
          reason: "A second machine carries the mark of one launch. It bills; look at it and terminate one.",
        });
      }
      return;
    }
    await bindEnrolment(tx, intent.id, resourceId);
    await assignSources(tx, intent.id, resourceId);
    const wasOpen = await settleIntent(tx, intent.id, "adopted", ctx.now, null, instance.id);
    const wasLate = !wasOpen && (await adoptLate(tx, intent.id, instance.id, ctx.now));
    if (wasOpen || wasLate) {
      await writeAudit(tx, ctx, {
        ...entry,
        action: "intent.adopted",
        reason: wasLate
          ? "The machine of a launch that was closed without a trace has turned up; it bills."
          : intent.state === "sending"
            ? "Its machine was listed before the launch was answered."
            : "Nobody answered the launch; its machine was found by its mark.",
      });
    } else {
      await writeAudit(tx, ctx, {
        ...entry,
        action: "instance.launched",
        after: { type: instance.typeName, region: instance.region },
      });
    }
  });
}
