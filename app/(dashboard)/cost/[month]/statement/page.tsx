import { ChevronLeft } from "lucide-react";
import type { Metadata, Route } from "next";
import { notFound } from "next/navigation";
import { StatementSheet } from "@/components/cost/close/statement-sheet";
import { monthName } from "@/components/cost/words";
import { PanelFrame } from "@/components/page/panel-frame";
import { ButtonLink } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page";
import { can } from "@/lib/domain/access";
import { StatementQuestion } from "@/lib/domain/cost/statement";
import { AppError } from "@/lib/errors";
import { statementQuery } from "@/lib/queries/close";
import { readStatement } from "@/lib/services/cost/statement";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";

export async function generateMetadata({
  params,
  searchParams,
}: PageProps<"/cost/[month]/statement">): Promise<Metadata> {
  const asked = StatementQuestion.safeParse({ ...(await searchParams), ...(await params) });
  if (!asked.success) return { title: "Statement" };
  const { month, team } = asked.data;
  const who = team === undefined ? "everybody" : team || "unallocated";
  return { title: `Statement ${month}, ${who}` };
}

export default async function StatementPage({ params, searchParams }: PageProps<"/cost/[month]/statement">) {
  const ctx = await pageCtx();
  const asked = StatementQuestion.safeParse({ ...(await searchParams), ...(await params) });
  if (!asked.success) notFound();
  const question = asked.data;
  const answer = readStatement(ctx, question).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not-found") notFound();
    throw error;
  });
  await answer;
  return (
    <Hydrate reads={[prefetch(statementQuery(question), () => answer)]}>
      <PageTitle
        title={`Statement, ${monthName(question.month)}`}
        actions={
          <ButtonLink look="ghost" icon={ChevronLeft} href={`/cost/${question.month}` as Route}>
            {monthName(question.month)}
          </ButtonLink>
        }
      />
      <PanelFrame label="Statement" rows={20}>
        <StatementSheet question={question} canExport={can(ctx.actor, "export")} />
      </PanelFrame>
    </Hydrate>
  );
}
