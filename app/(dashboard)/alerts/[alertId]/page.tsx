import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AlertChart } from "@/components/alerts/alert-chart";
import { AlertHead } from "@/components/alerts/alert-head";
import { DeliveriesPanel, EarlierPanel, RecommendedPanel } from "@/components/alerts/alert-side";
import { BurnPanel } from "@/components/alerts/burn-panel";
import { ExplainPanel } from "@/components/alerts/explain-panel";
import { IncidentPanel } from "@/components/alerts/incident-panel";
import { KeptNotes } from "@/components/alerts/kept-notes";
import { TimelinePanel } from "@/components/alerts/timeline-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { Deck, DeckColumn } from "@/components/ui/panel";
import { can } from "@/lib/domain/access";
import { AlertId } from "@/lib/domain/alerts/acts";
import { AppError } from "@/lib/errors";
import { alertQuery } from "@/lib/queries/alerts";
import { readAlert } from "@/lib/services/alerts/read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { acknowledge, assign, comment, merge, restart, snooze, terminate, unacknowledge, unmerge } from "./actions";

export const metadata: Metadata = { title: "Alert" };

export default async function AlertPage({ params }: PageProps<"/alerts/[alertId]">) {
  const ctx = await pageCtx();
  const asked = AlertId.safeParse(await params);
  if (!asked.success) notFound();
  const { alertId } = asked.data;
  const answer = readAlert(ctx, { alertId }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not-found") notFound();
    throw error;
  });
  await answer;
  const verbs = can(ctx.actor, "alert:acknowledge")
    ? { acknowledge, unacknowledge, comment, assign, snooze, merge, unmerge }
    : null;
  return (
    <Hydrate reads={[prefetch(alertQuery({ alertId }), () => answer)]}>
      <PanelFrame label="The alert" rows={2}>
        <AlertHead alertId={alertId} verbs={verbs} />
      </PanelFrame>
      <PanelFrame label="Who hears of it" rows={1}>
        <KeptNotes alertId={alertId} />
      </PanelFrame>
      <Deck className="alert-deck">
        <DeckColumn span={8}>
          <PanelFrame label="What was measured" rows={8}>
            <AlertChart alertId={alertId} />
          </PanelFrame>
          <PanelFrame label="The evaluations" rows={5}>
            <ExplainPanel alertId={alertId} />
          </PanelFrame>
          <PanelFrame label="The timeline" rows={5}>
            <TimelinePanel alertId={alertId} comment={verbs?.comment ?? null} />
          </PanelFrame>
        </DeckColumn>
        <DeckColumn span={4}>
          <PanelFrame label="The burn meter" rows={6}>
            <BurnPanel alertId={alertId} />
          </PanelFrame>
          <PanelFrame label="The recommendation" rows={4}>
            <RecommendedPanel
              alertId={alertId}
              restart={can(ctx.actor, "intent:restart") ? restart : null}
              terminate={can(ctx.actor, "intent:terminate") ? terminate : null}
            />
          </PanelFrame>
          <PanelFrame label="The incident" rows={2}>
            <IncidentPanel alertId={alertId} unmerge={verbs?.unmerge ?? null} />
          </PanelFrame>
          <PanelFrame label="The deliveries" rows={4}>
            <DeliveriesPanel alertId={alertId} />
          </PanelFrame>
          <PanelFrame label="What happened before" rows={4}>
            <EarlierPanel alertId={alertId} />
          </PanelFrame>
        </DeckColumn>
      </Deck>
    </Hydrate>
  );
}
