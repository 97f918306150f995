import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import type { Route } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Lede, PageTitle } from "@/components/ui/page";
import type { CostAnswer } from "@/lib/domain/cost/view";
import { formatPeriod } from "@/lib/domain/format-time";
import { PeriodBadge } from "./close/period-badge";
import { monthHref, monthName, monthSentence } from "./words";

type Props = { data: CostAnswer; canExport: boolean };

/** Which month, in which days, and the ways to the ones beside it and to the file. */
export function MonthHead({ data, canExport }: Props) {
  const actions = <MonthActions data={data} canExport={canExport} />;
  const facts = (
    <>
      <span>{formatPeriod(data.from, data.to, data.zone)}</span>
      <span>accounting days in {data.zone}</span>
      <span>US dollars, before tax</span>
      <span>by the minute, as Lambda bills</span>
    </>
  );
  if (!data.isCurrent)
    return (
      <PageTitle
        title={monthName(data.month)}
        badges={<PeriodBadge status={data.status} />}
        meta={facts}
        actions={actions}
      />
    );
  const { lead, rest } = monthSentence(data);
  return (
    <div className="cost-head">
      <div className="min-w-0">
        <Lede>
          <b>{lead}</b> {rest}
        </Lede>
        <p className="page-meta">{facts}</p>
      </div>
      {actions}
    </div>
  );
}

function MonthActions({ data, canExport }: Props) {
  const { by, monthBefore, monthAfter } = data;
  const isLast = data.months.find(({ isCurrent }) => isCurrent)?.month === monthAfter;
  return (
    <nav className="page-actions" aria-label="Months and export">
      {monthBefore !== null && (
        <ButtonLink look="ghost" icon={ChevronLeft} href={monthHref({ month: monthBefore, isCurrent: false, by })}>
          {monthName(monthBefore, false)}
        </ButtonLink>
      )}
      {monthAfter !== null && (
        <ButtonLink look="ghost" href={monthHref({ month: monthAfter, isCurrent: isLast, by })}>
          {monthName(monthAfter, false)}
          <ChevronRight size={14} aria-hidden="true" />
        </ButtonLink>
      )}
      {canExport && (
        <ButtonLink icon={Download} href={`/cost/exports?month=${data.month}` as Route}>
          Exports
        </ButtonLink>
      )}
    </nav>
  );
}
