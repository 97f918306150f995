import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { LaunchProgress } from "@/components/launch/launch-progress";
import { PanelFrame } from "@/components/page/panel-frame";
import { can } from "@/lib/domain/access";
import { IntentQuestion } from "@/lib/domain/intents/view";
import { AppError } from "@/lib/errors";
import { intentQuery } from "@/lib/queries/intents";
import { launchBatchQuery, verificationQuery } from "@/lib/queries/launch";
import { readLaunchBatch } from "@/lib/services/intents/like";
import { readIntent } from "@/lib/services/intents/read";
import { readVerificationOf } from "@/lib/services/intents/verify";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { cancel } from "./actions";

export const metadata: Metadata = { title: "Launch" };

export default async function LaunchProgressPage({ params }: PageProps<"/launch/[intentId]">) {
  const ctx = await pageCtx();
  const asked = IntentQuestion.safeParse(await params);
  if (!asked.success) notFound();
  const answer = await readIntent(ctx, asked.data).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not-found") notFound();
    throw error;
  });
  const instanceId = answer.row.instance?.id;
  return (
    <Hydrate
      reads={[
        prefetch(intentQuery(asked.data.intentId), async () => answer),
        prefetch(launchBatchQuery(asked.data.intentId), () => readLaunchBatch(ctx, asked.data)),
        ...(instanceId === undefined
          ? []
          : [prefetch(verificationQuery(instanceId), () => readVerificationOf(ctx, { instanceId }))]),
      ]}
    >
      <PanelFrame label="The launch" rows={6}>
        <LaunchProgress intentId={asked.data.intentId} cancel={can(ctx.actor, "intent:launch") ? cancel : null} />
      </PanelFrame>
    </Hydrate>
  );
}
