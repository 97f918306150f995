"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { ButtonLink } from "@/components/ui/button";
import { KeyFigure } from "@/components/ui/key-figure";
import { Note } from "@/components/ui/note";
import { PageTitle } from "@/components/ui/page";
import { Deck } from "@/components/ui/panel";
import type { AllocationAnswer, AllocationQuestion } from "@/lib/domain/cost/allocation-view";
import { monthAfter, monthBefore } from "@/lib/domain/cost/compare";
import { formatCount, formatPercent, formatUsd, formatUsdRate } from "@/lib/domain/format";
import { formatPeriod } from "@/lib/domain/format-time";
import { allocationQuery } from "@/lib/queries/allocation";
import type { Assigner } from "./assign-dialog";
import { PotsPanel } from "./pots-panel";
import { QueuePanel } from "./queue-panel";
import { type RuleActs, RulesPanel } from "./rules-panel";
import { SharesPanel } from "./shares-panel";
import { boundWords, monthName, unknownWords } from "./words";

type Props = {
  question: AllocationQuestion;
  /** Absent: this person may only look. */
  assign: Assigner | null;
  rules: RuleActs | null;
  /** Why the rules are locked; null where they are not. */
  locked: string | null;
  canExport: boolean;
};

/** Who bears a month: the queue of what nobody does, the rules, and the pots. */
export function AllocationRoom({ question, assign, rules, locked, canExport }: Props) {
  const { data } = useLive(allocationQuery(question));
  return (
    <>
      <PageTitle
        title="Allocation"
        meta={
          <>
            <span>{formatPeriod(data.from, data.to, data.zone)}</span>
            <span>US dollars, as billed</span>
            {data.isClosed && <span>closed: what changes now counts in the open month</span>}
          </>
        }
        actions={<Months data={data} />}
      />
      {data.pending.resources > 0 && (
        <div className="cost-note">
          <Note tone="info">
            <b>{formatCount(data.pending.resources, "resource")} named a moment ago.</b>{" "}
            {data.isClosed
              ? `${formatUsd(data.pending.micros)} of a closed month: corrections in the open month put it right.`
              : `The ledger moves ${formatUsd(data.pending.micros)} to who pays within a minute.`}
          </Note>
        </div>
      )}
      <Deck>
        <Figures data={data} />
        <QueuePanel key={data.month} data={data} assign={assign} rules={rules} canExport={canExport} />
        <RulesPanel data={data} acts={rules} locked={locked} canExport={canExport} />
        <PotsPanel data={data} canExport={canExport} />
        <SharesPanel data={data} canExport={canExport} />
      </Deck>
    </>
  );
}

function Months({ data }: { data: AllocationAnswer }) {
  const before = monthBefore(data.month, data.zone);
  const after = monthAfter(data.month, data.zone);
  return (
    <>
      <ButtonLink look="ghost" href={`/cost/allocation?month=${before}` as Route}>
        ‹ {monthName(before, false)}
      </ButtonLink>
      {!data.isCurrent && (
        <ButtonLink look="ghost" href={`/cost/allocation?month=${after}` as Route}>
          {monthName(after, false)} ›
        </ButtonLink>
      )}
    </>
  );
}

function Figures({ data }: { data: AllocationAnswer }) {
  const total = BigInt(data.total.micros);
  const share = (micros: string) =>
    total > 0n ? `${formatPercent(Number((BigInt(micros) * 10_000n) / total) / 100)} of the month` : "nothing spent";
  const running = data.queue.reduce((all, { microsPerHour }) => all + BigInt(microsPerHour ?? "0"), 0n);
  const spread = BigInt(data.after.allocatedMicros) - BigInt(data.allocatedMicros);
  return (
    <>
      <KeyFigure
        span={3}
        label="Uncategorised"
        value={formatUsd(data.uncategorised.micros)}
        unit={running > 0n ? formatUsdRate(running) : undefined}
        note={unknownWords(data.uncategorised.unknownRows) ?? boundWords(data.uncategorised)}
      />
      <KeyFigure
        span={3}
        label="Allocated"
        value={formatUsd(data.allocatedMicros)}
        note={share(data.allocatedMicros)}
      />
      <KeyFigure
        span={3}
        label="Shared"
        value={formatUsd(data.sharedMicros)}
        note={
          data.pots.length === 0
            ? "no pot"
            : data.after.unspreadMicros === "0"
              ? "spread to the micro-dollar"
              : `${formatUsd(spread)} spread, ${formatUsd(data.after.unspreadMicros)} not`
        }
      />
      <KeyFigure
        span={3}
        label={data.isCurrent ? "Month to date" : monthName(data.month)}
        value={formatUsd(data.total.micros)}
        note="the three together"
      />
    </>
  );
}
