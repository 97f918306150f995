"use client";

import { useLive } from "@/components/page/use-live";
import { Deck } from "@/components/ui/panel";
import type { CostQuestion } from "@/lib/domain/cost/view";
import { costQuery } from "@/lib/queries/cost";
import { ResourcePanel } from "./resource-panel";

/** What each machine and file system of the month cost. */
export function ResourceRoom({ question, canExport }: { question: CostQuestion; canExport: boolean }) {
  const { data } = useLive(costQuery(question));
  if (data.ledger.isEmpty) return null;
  return (
    <Deck className="cost cost-below">
      <ResourcePanel data={data} canExport={canExport} />
    </Deck>
  );
}
