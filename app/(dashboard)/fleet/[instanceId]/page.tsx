import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { INSTANCE_CHARTS } from "@/components/instance/charts";
import { EventsPanel } from "@/components/instance/events-panel";
import { GpuTable } from "@/components/instance/gpu-table";
import { InstanceCharts } from "@/components/instance/instance-charts";
import { InstanceHead } from "@/components/instance/instance-head";
import { LifelinePanel } from "@/components/instance/lifeline-panel";
import { BelongsPanel, CostPanel, GpuPanel } from "@/components/instance/side-panels";
import { InstanceActions } from "@/components/instance-actions/instance-actions";
import { InstanceLabels } from "@/components/instance-actions/instance-labels";
import { PanelFrame } from "@/components/page/panel-frame";
import { Deck, DeckColumn, DeckPair } from "@/components/ui/panel";
import { can } from "@/lib/domain/access";
import { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { AppError } from "@/lib/errors";
import { instanceQuery } from "@/lib/queries/fleet";
import { instanceSeriesQuery } from "@/lib/queries/telemetry";
import { readInstance } from "@/lib/services/fleet/instance";
import { readInstanceSeries } from "@/lib/services/telemetry/series";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { changeLabels, restart, terminate } from "./actions";

export const metadata: Metadata = { title: "Instance" };

export default async function InstancePage({ params, searchParams }: PageProps<"/fleet/[instanceId]">) {
  const ctx = await pageCtx();
  const asked = InstancePageQuestion.safeParse({ ...(await searchParams), ...(await params) });
  if (!asked.success) notFound();
  const question = asked.data;
  const answer = readInstance(ctx, question).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not-found") notFound();
    throw error;
  });
  await answer;
  return (
    <Hydrate
      reads={[
        prefetch(instanceQuery(question), () => answer),
        ...INSTANCE_CHARTS.map(({ metric }) =>
          prefetch(instanceSeriesQuery({ ...question, metric }), () =>
            readInstanceSeries(ctx, { ...question, metric }),
          ),
        ),
      ]}
    >
      <PanelFrame label="The instance" rows={2}>
        <InstanceHead
          question={question}
          actions={
            <InstanceActions
              question={question}
              canRestart={can(ctx.actor, "intent:restart")}
              canTerminate={can(ctx.actor, "intent:terminate")}
              restart={restart}
              terminate={terminate}
            />
          }
        />
      </PanelFrame>
      <Deck>
        <PanelFrame label="The lifeline" span={12} rows={5}>
          <LifelinePanel question={question} />
        </PanelFrame>
        <DeckPair span={9}>
          <PanelFrame label="The charts" rows={12}>
            <InstanceCharts question={question} />
          </PanelFrame>
          <PanelFrame label="The GPUs" rows={3}>
            <GpuTable question={question} />
          </PanelFrame>
          <PanelFrame label="The events" rows={3}>
            <EventsPanel question={question} />
          </PanelFrame>
        </DeckPair>
        <DeckColumn span={3}>
          <PanelFrame label="The cost" rows={5}>
            <CostPanel question={question} />
          </PanelFrame>
          <PanelFrame label="The GPUs" rows={5}>
            <GpuPanel question={question} />
          </PanelFrame>
          <PanelFrame label="Its labels" rows={6}>
            <BelongsPanel
              question={question}
              actions={
                can(ctx.actor, "label:write") ? <InstanceLabels question={question} change={changeLabels} /> : null
              }
            />
          </PanelFrame>
        </DeckColumn>
      </Deck>
    </Hydrate>
  );
}
