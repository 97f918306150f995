import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CloseRoom } from "@/components/cost/close/close-room";
import { InvoicePanel } from "@/components/cost/invoice/invoice-panel";
import { MonthRoom } from "@/components/cost/month-room";
import { ResourceRoom } from "@/components/cost/resource-room";
import { WhyDeck } from "@/components/cost/why-panel";
import { monthName } from "@/components/cost/words";
import { PanelFrame } from "@/components/page/panel-frame";
import { can, lockOf } from "@/lib/domain/access";
import { CostQuestion } from "@/lib/domain/cost/view";
import { WhyQuestion } from "@/lib/domain/cost/why-view";
import { AppError } from "@/lib/errors";
import { closeQuery } from "@/lib/queries/close";
import { costQuery } from "@/lib/queries/cost";
import { invoicesQuery } from "@/lib/queries/invoices";
import { whyQuery } from "@/lib/queries/spend";
import { readClose } from "@/lib/services/cost/close";
import { readInvoices } from "@/lib/services/cost/invoices";
import { readCost } from "@/lib/services/cost/month";
import { readWhy } from "@/lib/services/cost/why";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import * as acts from "./actions";

export async function generateMetadata({ params }: PageProps<"/cost/[month]">): Promise<Metadata> {
  const asked = CostQuestion.safeParse(await params);
  return { title: asked.data?.month ? `Cost, ${monthName(asked.data.month)}` : "Cost" };
}

export default async function CostMonthPage({ params, searchParams }: PageProps<"/cost/[month]">) {
  const ctx = await pageCtx();
  const asked = CostQuestion.safeParse({ ...(await searchParams), ...(await params) });
  if (!asked.success) notFound();
  const question = asked.data;
  const { month } = question;
  if (month === undefined) notFound();
  const why = WhyQuestion.parse({ month, mix: (await searchParams).mix });
  const answer = readCost(ctx, question).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not-found") notFound();
    throw error;
  });
  await answer;
  const seesInvoices = can(ctx.actor, "invoice:read");
  return (
    <Hydrate
      reads={[
        prefetch(costQuery(question), () => answer),
        prefetch(whyQuery(why), () => readWhy(ctx, why)),
        ...(seesInvoices ? [prefetch(invoicesQuery({ month }), () => readInvoices(ctx, { month }))] : []),
        prefetch(closeQuery({ month }), () => readClose(ctx, { month })),
      ]}
    >
      <PanelFrame label="The month’s cost" rows={14}>
        <MonthRoom question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
      <PanelFrame label="Why it is not the month before">
        <WhyDeck question={why} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
      {seesInvoices && (
        <PanelFrame label="The invoices">
          <InvoicePanel month={month} canWrite={can(ctx.actor, "invoice:write")} />
        </PanelFrame>
      )}
      <PanelFrame label="The month’s end" rows={8}>
        <CloseRoom
          month={month}
          acts={{ begin: acts.beginClosing, sign: acts.signPoint, review: acts.signReview, close: acts.closeMonth }}
          lock={lockOf(ctx.actor, "cost:close")}
          canExport={can(ctx.actor, "export")}
        />
      </PanelFrame>
      <PanelFrame label="Instances and storage">
        <ResourceRoom question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
    </Hydrate>
  );
}
