import { insertChannel } from "@/lib/db/alerts/channels";
import { mutate } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import { sealedChannel } from "@/lib/services/notify/channel-secret";
import { DEMO_PAGER } from "@/lib/services/notify/demo-pager";
import { storeSecret } from "@/lib/services/secrets";

/**
 * A channel to the demo's receiver, so that what fires is told and the delivery log lives. No route: where there is none, every
 * channel hears everything, one that a visitor adds too.
 */
export async function setPager(ctx: Ctx): Promise<void> {
  const shown = {
    kind: "webhook" as const,
    name: "On-call pager (demo)",
    host: "simulator",
    config: { from: null, to: [], digests: ["daily" as const] },
    minSeverity: "warning" as const,
    sendResolved: true,
  };
  await mutate(ctx, "rule:write", async (tx) => {
    const secretId = await storeSecret(tx, "channel", sealedChannel({ url: DEMO_PAGER }), ctx.now);
    const { id } = await insertChannel(tx, { ...shown, secretId }, ctx.now);
    return {
      action: "channel.created",
      subjectKind: "channel",
      subjectId: id,
      subject: shown.name,
      after: shown,
      result: { id },
    };
  });
}
