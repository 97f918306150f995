import { ChevronLeft } from "lucide-react";
import type { Metadata, Route } from "next";
import { notFound } from "next/navigation";
import { InvoicesRoom } from "@/components/cost/invoice/invoices-room";
import { monthName } from "@/components/cost/words";
import { PanelFrame } from "@/components/page/panel-frame";
import { ButtonLink } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page";
import { NoPermission } from "@/components/ui/states";
import { can, lockOf } from "@/lib/domain/access";
import { InvoicesQuestion } from "@/lib/domain/invoice/view";
import { invoiceQuery, invoicesQuery } from "@/lib/queries/invoices";
import { readInvoice, readInvoices } from "@/lib/services/cost/invoices";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { decideVariances, removeInvoice } from "./actions";

export async function generateMetadata({ params }: PageProps<"/cost/[month]/invoices">): Promise<Metadata> {
  const asked = InvoicesQuestion.safeParse(await params);
  return { title: asked.success ? `Invoices, ${monthName(asked.data.month)}` : "Invoices" };
}

export default async function InvoicesPage({ params, searchParams }: PageProps<"/cost/[month]/invoices">) {
  const ctx = await pageCtx();
  const asked = InvoicesQuestion.safeParse(await params);
  if (!asked.success) notFound();
  const { month } = asked.data;
  const lock = lockOf(ctx.actor, "invoice:read");
  if (lock !== null)
    return (
      <Hydrate reads={[]}>
        <PageTitle title={`Invoices, ${monthName(month)}`} actions={<Back month={month} />} />
        <NoPermission title="Invoices: not for your role" text={`What the month costs stands on its page. ${lock}`} />
      </Hydrate>
    );
  const answer = await readInvoices(ctx, { month });
  const wanted = (await searchParams).invoice;
  const shown =
    answer.invoices.find(({ id }) => id === wanted) ??
    answer.invoices.find(({ open }) => open > 0) ??
    answer.invoices.at(-1);
  return (
    <Hydrate
      reads={[
        prefetch(invoicesQuery({ month }), async () => answer),
        ...(shown ? [prefetch(invoiceQuery(shown.id), () => readInvoice(ctx, { invoiceId: shown.id }))] : []),
      ]}
    >
      <PageTitle title={`Invoices, ${monthName(month)}`} actions={<Back month={month} />} />
      <PanelFrame label="Invoices" rows={14}>
        <InvoicesRoom
          month={month}
          first={shown?.id ?? null}
          decide={decideVariances}
          remove={removeInvoice}
          lock={lockOf(ctx.actor, "invoice:write")}
          canExport={can(ctx.actor, "export")}
        />
      </PanelFrame>
    </Hydrate>
  );
}

function Back({ month }: { month: string }) {
  return (
    <ButtonLink look="ghost" icon={ChevronLeft} href={`/cost/${month}` as Route}>
      {monthName(month)}
    </ButtonLink>
  );
}
