import type { Metadata } from "next";
import { QueuePanel } from "@/components/launch/queue-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { PageTitle } from "@/components/ui/page";
import { can } from "@/lib/domain/access";
import { INTENT_KINDS } from "@/lib/domain/intents/intent";
import { queueQuery } from "@/lib/queries/queue";
import { readQueue } from "@/lib/services/intents/queue";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { adopt, cancel } from "./actions";

export const metadata: Metadata = { title: "Requests to Lambda" };

export default async function QueuePage() {
  const ctx = await pageCtx();
  const may = INTENT_KINDS.filter((kind) => can(ctx.actor, `intent:${kind}`));
  return (
    <Hydrate reads={[prefetch(queueQuery(), () => readQueue(ctx))]}>
      <PageTitle title="Requests to Lambda" />
      <PanelFrame label="The requests" rows={10}>
        <QueuePanel cancel={cancel} adopt={adopt} may={may} />
      </PanelFrame>
    </Hydrate>
  );
}
