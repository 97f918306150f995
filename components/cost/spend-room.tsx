"use client";

import { useLive } from "@/components/page/use-live";
import { Deck, DeckColumn } from "@/components/ui/panel";
import type { ExploreQuestion } from "@/lib/domain/cost/explore";
import { costQuery } from "@/lib/queries/cost";
import { exploreQuery } from "@/lib/queries/spend";
import { ExplorePanel } from "./explore-panel";
import { GroupsPanel } from "./groups-panel";
import { LedgerNote } from "./ledger-note";
import { MonthFigures } from "./month-figures";
import { MonthHead } from "./month-head";
import { NothingBilled } from "./nothing-billed";
import { RunningPanel } from "./running-panel";
import { DoubtPanel, MonthsPanel, PricePanel } from "./side-panels";

/** Spend: the month that runs in figures, and whatever days are asked for, by whatever they are split. */
export function SpendRoom({ question, canExport }: { question: ExploreQuestion; canExport: boolean }) {
  const { data: month, failure } = useLive(costQuery({ by: "team" }));
  const { data } = useLive(exploreQuery(question));
  if (month.ledger.isEmpty) return <NothingBilled knownFrom={month.knownFrom} />;
  return (
    <>
      <MonthHead data={month} canExport={canExport} />
      <LedgerNote data={month} failure={failure} />
      <Deck className="cost">
        <MonthFigures data={month} />
        <ExplorePanel data={data} question={question} month={month} />
        <RunningPanel data={month} />
        <GroupsPanel key={data.by} data={data} question={question} canExport={canExport} />
        <DeckColumn span={4}>
          <DoubtPanel data={month} />
          <PricePanel data={month} />
          <MonthsPanel data={month} />
        </DeckColumn>
      </Deck>
    </>
  );
}
