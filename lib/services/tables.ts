import { type InboxTableQuestion, inboxTable } from "@/lib/domain/alerts/table";
import {
  type CostTableQuestion,
  costTable,
  type PricesTableQuestion,
  pricesTable,
  type SpendTableQuestion,
  spendTable,
} from "@/lib/domain/cost/tables";
import { type FleetTableQuestion, fleetTable } from "@/lib/domain/fleet/table";
import { readInbox } from "@/lib/services/alerts/read";
import { readExplore } from "@/lib/services/cost/explore";
import { readCost } from "@/lib/services/cost/month";
import { readPrices } from "@/lib/services/cost/price-read";
import { readFleet } from "@/lib/services/fleet/read";
import { exporting } from "./table";

const EVERY_RESOURCE = 1_000_000;

// What pages show, as files: each reads what its page reads, so that both say the same.
export const exportFleet = exporting((ctx, _: FleetTableQuestion) => readFleet(ctx), fleetTable);
export const exportInbox = exporting((ctx, _: InboxTableQuestion) => readInbox(ctx), inboxTable);
export const exportCost = exporting(
  (ctx, question: CostTableQuestion) => readCost(ctx, question, EVERY_RESOURCE),
  costTable,
);
export const exportSpend = exporting((ctx, question: SpendTableQuestion) => readExplore(ctx, question), spendTable);
export const exportPrices = exporting((ctx, _: PricesTableQuestion) => readPrices(ctx), pricesTable);
