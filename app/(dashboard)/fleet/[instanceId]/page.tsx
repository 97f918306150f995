import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { MachineAlignmentPanel } from "@/components/alignment/machine-alignment-panel";
import { RenameInstance } from "@/components/cloud/rename-dialog";
import { IncidentsPanel } from "@/components/events/incidents-panel";
import { NoteDialog } from "@/components/events/note-dialog";
import { INSTANCE_CHARTS, instanceSeries } from "@/components/instance/charts";
import { AftermathPanel, WaitingNote } from "@/components/instance/ending-panels";
import { EventsPanel } from "@/components/instance/events-panel";
import { GpuTable } from "@/components/instance/gpu-table";
import { InstanceCharts } from "@/components/instance/instance-charts";
import { InstanceHead } from "@/components/instance/instance-head";
import { LifelinePanel } from "@/components/instance/lifeline-panel";
import { MachinePanel } from "@/components/instance/machine-panel";
import { QualityPanel } from "@/components/instance/quality-panel";
import { BelongsPanel, CostPanel, GpuPanel } from "@/components/instance/side-panels";
import { VerificationPanel } from "@/components/instance/verification-panel";
import { InstanceActions } from "@/components/instance-actions/instance-actions";
import { InstanceLabels } from "@/components/instance-actions/instance-labels";
import { ProtectionPanel } from "@/components/instance-actions/protection-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { LeasePanel } from "@/components/policies/lease-panel";
import { InstanceRuns } from "@/components/runs/instance-runs";
import { Deck, DeckColumn, DeckPair } from "@/components/ui/panel";
import { can } from "@/lib/domain/access";
import { EventsQuestion } from "@/lib/domain/events/view";
import { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { AppError } from "@/lib/errors";
import { machineAlignmentQuery } from "@/lib/queries/alignment";
import { eventsQuery } from "@/lib/queries/events";
import { instanceQuery, machineQuery } from "@/lib/queries/fleet";
import { aftermathQuery } from "@/lib/queries/intents";
import { verificationQuery } from "@/lib/queries/launch";
import { runsQuery } from "@/lib/queries/runs";
import { qualityQuery, seriesQuery } from "@/lib/queries/telemetry";
import { readMachineAlignment } from "@/lib/services/alignment/machine";
import { readEvents } from "@/lib/services/events/read";
import { readInstance } from "@/lib/services/fleet/instance";
import { readMachine } from "@/lib/services/fleet/machine";
import { readAftermath } from "@/lib/services/intents/aftermath";
import { readVerificationOf } from "@/lib/services/intents/verify";
import { readQuality } from "@/lib/services/telemetry/quality";
import { readSeries } from "@/lib/services/telemetry/series";
import { readInstanceRuns } from "@/lib/services/workload/read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { cancel, changeLabels, extend, note, protect, rename, restart, terminate, unprotect } from "./actions";

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
  const { row } = await answer;
  const isEnding = row.isGone || row.openIntent?.kind === "terminate";
  return (
    <Hydrate
      reads={[
        prefetch(instanceQuery(question), () => answer),
        ...(isEnding ? [prefetch(aftermathQuery(question.instanceId), () => readAftermath(ctx, question))] : []),
        prefetch(runsQuery({ instanceId: question.instanceId }), () => readInstanceRuns(ctx, question)),
        prefetch(eventsQuery(question), () => readEvents(ctx, EventsQuestion.parse(question))),
        prefetch(machineQuery(question.instanceId), () => readMachine(ctx, question)),
        prefetch(verificationQuery(question.instanceId), () => readVerificationOf(ctx, question)),
        prefetch(machineAlignmentQuery(question.instanceId), () => readMachineAlignment(ctx, question)),
        prefetch(qualityQuery(question.instanceId), () => readQuality(ctx, question)),
        ...INSTANCE_CHARTS.map(({ metric }) => {
          const asked = instanceSeries(question, metric);
          return prefetch(seriesQuery(asked), () => readSeries(ctx, asked));
        }),
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
        <WaitingNote question={question} cancel={can(ctx.actor, "intent:terminate") ? cancel : null} />
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
          <PanelFrame label="The quality of the data" rows={4}>
            <QualityPanel question={question} />
          </PanelFrame>
          <PanelFrame label="The Xid events" rows={3}>
            <IncidentsPanel question={question} />
          </PanelFrame>
          <PanelFrame label="The events" rows={3}>
            <EventsPanel
              question={question}
              actions={
                can(ctx.actor, "alert:acknowledge") ? <NoteDialog instanceId={question.instanceId} add={note} /> : null
              }
            />
          </PanelFrame>
        </DeckPair>
        <DeckColumn span={3}>
          <PanelFrame label="What came of its end" rows={0}>
            <AftermathPanel question={question} />
          </PanelFrame>
          <PanelFrame label="The checks after boot" rows={0}>
            <VerificationPanel
              question={question}
              canLaunch={can(ctx.actor, "intent:launch")}
              canTerminate={can(ctx.actor, "intent:terminate")}
            />
          </PanelFrame>
          <PanelFrame label="The lease" rows={0}>
            <LeasePanel
              question={question}
              extend={can(ctx.actor, "lease:extend") ? extend : null}
              canLift={can(ctx.actor, "policy:write")}
            />
          </PanelFrame>
          <PanelFrame label="The protection" rows={0}>
            <ProtectionPanel
              question={question}
              protect={can(ctx.actor, "protection:set") ? protect : null}
              unprotect={can(ctx.actor, "protection:lift") ? unprotect : null}
            />
          </PanelFrame>
          <PanelFrame label="The cost" rows={5}>
            <CostPanel question={question} />
          </PanelFrame>
          <PanelFrame label="What was declared" rows={0}>
            <MachineAlignmentPanel instanceId={question.instanceId} />
          </PanelFrame>
          <PanelFrame label="Its runs" rows={3}>
            <InstanceRuns question={question} />
          </PanelFrame>
          <PanelFrame label="The GPUs" rows={5}>
            <GpuPanel question={question} />
          </PanelFrame>
          <PanelFrame label="Its labels" rows={6}>
            <BelongsPanel
              question={question}
              actions={
                <>
                  {can(ctx.actor, "cloud:write") && <RenameInstance question={question} rename={rename} />}
                  {can(ctx.actor, "label:write") && <InstanceLabels question={question} change={changeLabels} />}
                </>
              }
            />
          </PanelFrame>
          <PanelFrame label="The machine" rows={7}>
            <MachinePanel question={question} />
          </PanelFrame>
        </DeckColumn>
      </Deck>
    </Hydrate>
  );
}
