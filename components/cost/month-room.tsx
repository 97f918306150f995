"use client";

import { useLive } from "@/components/page/use-live";
import { Deck, DeckColumn } from "@/components/ui/panel";
import type { CostQuestion } from "@/lib/domain/cost/view";
import { costQuery } from "@/lib/queries/cost";
import { LedgerNote } from "./ledger-note";
import { MonthFigures } from "./month-figures";
import { MonthHead } from "./month-head";
import { NothingBilled } from "./nothing-billed";
import { RunningPanel } from "./running-panel";
import { DoubtPanel, MonthsPanel, PricePanel } from "./side-panels";
import { SpendPanel } from "./spend-panel";
import { StatementPanel } from "./statement-panel";

/** A month's cost: one answer, so every number on it is of the same instant and adds up with the others. */
export function MonthRoom({ question, canExport }: { question: CostQuestion; canExport: boolean }) {
  const { data, failure } = useLive(costQuery(question));
  if (data.ledger.isEmpty) return <NothingBilled knownFrom={data.knownFrom} />;
  return (
    <>
      <MonthHead data={data} canExport={canExport} />
      <LedgerNote data={data} failure={failure} />
      <Deck className="cost">
        <MonthFigures data={data} />
        <SpendPanel data={data} />
        <RunningPanel data={data} />
        {data.by === "instance" ? (
          <>
            <DeckColumn span={8}>
              <DoubtPanel data={data} />
            </DeckColumn>
            <DeckColumn span={4}>
              <PricePanel data={data} />
              <MonthsPanel data={data} />
            </DeckColumn>
          </>
        ) : (
          <>
            <StatementPanel data={data} canExport={canExport} />
            <DeckColumn span={4}>
              <DoubtPanel data={data} />
              <PricePanel data={data} />
              <MonthsPanel data={data} />
            </DeckColumn>
          </>
        )}
      </Deck>
    </>
  );
}
