import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { QuoteRoom } from "@/components/plan/quote-room";
import { PageTitle } from "@/components/ui/page";
import { can, lockOf } from "@/lib/domain/access";
import { QuotesQuestion } from "@/lib/domain/plan/quote-view";
import { quotesQuery } from "@/lib/queries/plan";
import { readQuotes } from "@/lib/services/plan/quotes";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { add, importFile, judge, preview, withdraw } from "./actions";

export const metadata: Metadata = { title: "Prices of providers" };

export default async function PlanPricesPage({ searchParams }: PageProps<"/plan/prices">) {
  const ctx = await pageCtx();
  const question = QuotesQuestion.parse(await searchParams);
  return (
    <Hydrate reads={[prefetch(quotesQuery(question), () => readQuotes(ctx, question))]}>
      <PageTitle
        title="Prices of providers"
        meta="What a source said on a day. Each price has its age; older than 30 days it is a lead, not a decision."
      />
      <PanelFrame label="The prices" rows={14}>
        <QuoteRoom
          question={question}
          acts={{ add, preview, importFile, judge, withdraw }}
          locked={lockOf(ctx.actor, "price:write")}
          canExport={can(ctx.actor, "export")}
        />
      </PanelFrame>
    </Hydrate>
  );
}
