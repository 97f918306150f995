import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PanelFrame } from "@/components/page/panel-frame";
import { BatchProgress } from "@/components/terminate/batch-progress";
import { can } from "@/lib/domain/access";
import { BatchQuestion } from "@/lib/domain/intents/batch";
import { AppError } from "@/lib/errors";
import { batchQuery } from "@/lib/queries/intents";
import { readBatch } from "@/lib/services/intents/batch-read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { cancel } from "./actions";

export const metadata: Metadata = { title: "Termination of several" };

export default async function BatchPage({ params }: PageProps<"/fleet/batches/[batchId]">) {
  const ctx = await pageCtx();
  const asked = BatchQuestion.safeParse(await params);
  if (!asked.success) notFound();
  const answer = await readBatch(ctx, asked.data).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not-found") notFound();
    throw error;
  });
  return (
    <Hydrate reads={[prefetch(batchQuery(asked.data.batchId), async () => answer)]}>
      <PanelFrame label="The batch" rows={6}>
        <BatchProgress batchId={asked.data.batchId} cancel={can(ctx.actor, "intent:terminate") ? cancel : null} />
      </PanelFrame>
    </Hydrate>
  );
}
