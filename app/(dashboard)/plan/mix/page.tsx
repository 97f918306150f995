import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { MixRoom } from "@/components/plan/mix-room";
import { PageTitle } from "@/components/ui/page";
import { can, lockOf } from "@/lib/domain/access";
import { MixQuestion } from "@/lib/domain/plan/mix-view";
import { mixQuery } from "@/lib/queries/plan";
import { readMix } from "@/lib/services/plan/mix";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { enter, importFile, preview, remove, target } from "./actions";

export const metadata: Metadata = { title: "Mix of providers" };

export default async function MixPage({ searchParams }: PageProps<"/plan/mix">) {
  const ctx = await pageCtx();
  const question = MixQuestion.parse(await searchParams);
  return (
    <Hydrate reads={[prefetch(mixQuery(question), () => readMix(ctx, question))]}>
      <PageTitle
        title="Mix of providers"
        meta="Lambda’s spend is in the ledger; that of others is what you type or import. Until then there is no data."
      />
      <PanelFrame label="The mix" rows={12}>
        <MixRoom
          question={question}
          acts={{ target, enter, preview, importFile, remove }}
          locked={lockOf(ctx.actor, "price:write")}
          canExport={can(ctx.actor, "export")}
        />
      </PanelFrame>
    </Hydrate>
  );
}
