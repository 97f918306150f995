import { ChevronLeft } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NewInvoice } from "@/components/cost/invoice/new-invoice";
import { invoicesHref } from "@/components/cost/invoice/words";
import { monthName } from "@/components/cost/words";
import { ButtonLink } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page";
import { NoPermission } from "@/components/ui/states";
import { lockOf } from "@/lib/domain/access";
import { InvoicesQuestion } from "@/lib/domain/invoice/view";
import { Hydrate } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { previewInvoice, sendInvoice } from "./actions";

export const metadata: Metadata = { title: "New invoice" };

export default async function NewInvoicePage({ params }: PageProps<"/cost/[month]/invoices/new">) {
  const ctx = await pageCtx();
  const asked = InvoicesQuestion.safeParse(await params);
  if (!asked.success) notFound();
  const { month } = asked.data;
  const lock = lockOf(ctx.actor, "invoice:write");
  return (
    <Hydrate reads={[]}>
      <PageTitle
        title="New invoice"
        actions={
          <ButtonLink look="ghost" icon={ChevronLeft} href={invoicesHref(month)}>
            Invoices, {monthName(month)}
          </ButtonLink>
        }
      />
      {lock === null ? (
        <NewInvoice month={month} acts={{ preview: previewInvoice, send: sendInvoice }} />
      ) : (
        <NoPermission title="Entering invoices: not for your role" text={lock} />
      )}
    </Hydrate>
  );
}
