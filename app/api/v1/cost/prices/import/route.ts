import { PriceFile } from "@/lib/domain/cost/price-input";
import { importPrices } from "@/lib/services/cost/price-verbs";
import { post } from "@/lib/web/route";

export const POST = post(PriceFile, importPrices);
