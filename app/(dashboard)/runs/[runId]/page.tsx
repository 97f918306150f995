import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PanelFrame } from "@/components/page/panel-frame";
import { RunCharts } from "@/components/runs/run-charts";
import { RunFigures } from "@/components/runs/run-figures";
import { RunHead } from "@/components/runs/run-head";
import { RunCostPanel, RunUsePanel, RunWorkPanel } from "@/components/runs/run-side";
import { Deck, DeckColumn, DeckPair } from "@/components/ui/panel";
import { can } from "@/lib/domain/access";
import { RunQuestion } from "@/lib/domain/workload/view";
import { AppError } from "@/lib/errors";
import { runQuery, runSeriesQuery } from "@/lib/queries/runs";
import { readRun, readRunSeries } from "@/lib/services/workload/read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { change, end, remove } from "./actions";

export const metadata: Metadata = { title: "Run" };

export default async function RunPage({ params }: PageProps<"/runs/[runId]">) {
  const ctx = await pageCtx();
  const asked = RunQuestion.safeParse(await params);
  if (!asked.success) notFound();
  const question = asked.data;
  const answer = readRun(ctx, question).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not-found") notFound();
    throw error;
  });
  await answer;
  const { runId } = question;
  return (
    <Hydrate
      reads={[
        prefetch(runQuery(question), () => answer),
        prefetch(runSeriesQuery(question), () => readRunSeries(ctx, question)),
      ]}
    >
      <PanelFrame label="The run" rows={2}>
        <RunHead runId={runId} verbs={can(ctx.actor, "run:write") ? { change, end, remove } : null} />
      </PanelFrame>
      <Deck>
        <PanelFrame label="Its numbers" span={12} rows={2}>
          <RunFigures runId={runId} />
        </PanelFrame>
        <DeckPair span={9}>
          <PanelFrame label="The charts" rows={12}>
            <RunCharts runId={runId} />
          </PanelFrame>
        </DeckPair>
        <DeckColumn span={3}>
          <PanelFrame label="Its cost" rows={6}>
            <RunCostPanel runId={runId} />
          </PanelFrame>
          <PanelFrame label="Its use of GPUs" rows={4}>
            <RunUsePanel runId={runId} />
          </PanelFrame>
          <PanelFrame label="Its work" rows={6}>
            <RunWorkPanel runId={runId} />
          </PanelFrame>
        </DeckColumn>
      </Deck>
    </Hydrate>
  );
}
