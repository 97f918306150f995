import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { SizingRoom } from "@/components/plan/sizing-room";
import { can } from "@/lib/domain/access";
import { SizingQuestion } from "@/lib/domain/plan/sizing";
import { sizingQuery } from "@/lib/queries/sizing";
import { readSizing } from "@/lib/services/plan/sizing";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Sizing" };

export default async function SizingPage({ searchParams }: PageProps<"/plan/sizing">) {
  const ctx = await pageCtx();
  const question = SizingQuestion.parse(await searchParams);
  return (
    <Hydrate reads={[prefetch(sizingQuery(question), () => readSizing(ctx, question))]}>
      <PanelFrame label="The sizing" rows={12}>
        <SizingRoom question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
    </Hydrate>
  );
}
