import { NewPrice } from "@/lib/domain/cost/price-input";
import { PricesQuestion } from "@/lib/domain/cost/price-view";
import { PricesTableQuestion } from "@/lib/domain/cost/tables";
import { readPrices } from "@/lib/services/cost/price-read";
import { addPrice } from "@/lib/services/cost/price-verbs";
import { exportPrices } from "@/lib/services/tables";
import { get, post } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(PricesQuestion, readPrices), PricesTableQuestion, exportPrices);
export const POST = post(NewPrice, addPrice);
