import type { Metadata } from "next";
import { PriceRoom } from "@/components/cost/price-room";
import { PanelFrame } from "@/components/page/panel-frame";
import { PageTitle } from "@/components/ui/page";
import { can, lockOf } from "@/lib/domain/access";
import { pricesQuery } from "@/lib/queries/prices";
import { readPrices } from "@/lib/services/cost/price-read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import {
  addCharge,
  addCommitment,
  addPrice,
  importPrices,
  previewPrices,
  removeCharge,
  removeCommitment,
} from "./actions";

export const metadata: Metadata = { title: "Price book" };

export default async function PricesPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(pricesQuery(), () => readPrices(ctx))]}>
      <PageTitle title="Price book" />
      <PanelFrame label="The price book" rows={14}>
        <PriceRoom
          acts={{ addPrice, previewPrices, importPrices, addCharge, removeCharge, addCommitment, removeCommitment }}
          locked={lockOf(ctx.actor, "price:write")}
          canExport={can(ctx.actor, "export")}
        />
      </PanelFrame>
    </Hydrate>
  );
}
