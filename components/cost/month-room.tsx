"use client";

import { Wallet } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { ButtonLink } from "@/components/ui/button";
import { Deck, DeckColumn, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import type { CostQuestion } from "@/lib/domain/cost/view";
import { costQuery } from "@/lib/queries/cost";
import { LedgerNote } from "./ledger-note";
import { MonthFigures } from "./month-figures";
import { MonthHead } from "./month-head";
import { ResourcePanel } from "./resource-panel";
import { RunningPanel } from "./running-panel";
import { DoubtPanel, MonthsPanel, PricePanel } from "./side-panels";
import { SpendPanel } from "./spend-panel";
import { StatementPanel } from "./statement-panel";

/** A month's cost: one answer, so every number on it is of the same instant and adds up with the others. */
export function MonthRoom({ question, canExport }: { question: CostQuestion; canExport: boolean }) {
  const { data, failure } = useLive(costQuery(question));
  if (data.ledger.isEmpty)
    return (
      <Deck>
        <Panel span={12}>
          <Empty
            icon={Wallet}
            title={data.knownFrom === null ? "Lambda has not answered yet" : "Nothing has been billed yet"}
            text={
              data.knownFrom === null
                ? "The first look at the account takes a few seconds. Metering starts with it."
                : "Metering starts when an instance is seen active, or a file system is seen; what ran before the first look cannot be known."
            }
            action={
              <ButtonLink href={"/settings" as Route} size="small">
                Connection to Lambda
              </ButtonLink>
            }
          />
        </Panel>
      </Deck>
    );
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
            <StatementPanel data={data} />
            <DeckColumn span={4}>
              <DoubtPanel data={data} />
              <PricePanel data={data} />
              <MonthsPanel data={data} />
            </DeckColumn>
          </>
        )}
        <ResourcePanel data={data} />
      </Deck>
    </>
  );
}
