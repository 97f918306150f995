import type { Metadata } from "next";
import { ExportsRoom } from "@/components/cost/exports-room";
import { PanelFrame } from "@/components/page/panel-frame";
import { ExportsQuestion } from "@/lib/domain/cost/exports-view";
import { exportsQuery } from "@/lib/queries/cost-exports";
import { readExports } from "@/lib/services/cost/exports";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Exports" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function ExportsPage({ searchParams }: Props) {
  const ctx = await pageCtx();
  const { data: question = {} } = ExportsQuestion.safeParse(await searchParams);
  return (
    <Hydrate reads={[prefetch(exportsQuery(question), () => readExports(ctx, question))]}>
      <PanelFrame label="The exports" rows={12}>
        <ExportsRoom question={question} />
      </PanelFrame>
    </Hydrate>
  );
}
