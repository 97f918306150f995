"use client";

import { useLive } from "@/components/page/use-live";
import type { Act } from "@/components/settings/use-act";
import { Note } from "@/components/ui/note";
import { Deck } from "@/components/ui/panel";
import type { PricePreview } from "@/lib/domain/cost/price-view";
import { formatCount } from "@/lib/domain/format";
import { pricesQuery } from "@/lib/queries/prices";
import { ChargesPanel } from "./charges-panel";
import { CommitmentsPanel } from "./commitments-panel";
import { PriceChangesPanel } from "./price-changes-panel";
import { regionWords } from "./price-words";
import { PricesPanel } from "./prices-panel";

export type PriceActs = {
  addPrice: Act<FormData, { replaced: number }>;
  previewPrices: Act<{ text: string }, PricePreview>;
  importPrices: Act<{ text: string }, { lines: number }>;
  addCharge: Act<FormData, { id: string }>;
  removeCharge: Act<{ chargeId: string }, { id: string }>;
  addCommitment: Act<FormData, { id: string }>;
  removeCommitment: Act<{ commitmentId: string }, { id: string }>;
};

type Props = { acts: PriceActs; locked: string | null; canExport: boolean };

/** What everything is billed by, since when and from where; and what is billed beside the meters. */
export function PriceRoom({ acts, locked, canExport }: Props) {
  const { data } = useLive(pricesQuery());
  return (
    <Deck>
      {data.unpriced.length > 0 && (
        <div className="span-12">
          <Note tone="warn">
            Nobody knows the price of{" "}
            {data.unpriced
              .map(
                ({ sku, region, machines }) => `${sku} in ${regionWords(region)} (${formatCount(machines, "machine")})`,
              )
              .join(", ")}
            . Their time is counted and is in no amount. Add the price to put it there.
          </Note>
        </div>
      )}
      <PricesPanel data={data} acts={acts} locked={locked} canExport={canExport} />
      <PriceChangesPanel data={data} canExport={canExport} />
      <ChargesPanel data={data} acts={acts} locked={locked} canExport={canExport} />
      <CommitmentsPanel data={data} acts={acts} locked={locked} canExport={canExport} />
    </Deck>
  );
}
