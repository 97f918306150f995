import { ChargeId } from "@/lib/domain/cost/price-input";
import { removeCharge } from "@/lib/services/cost/price-verbs";
import { post } from "@/lib/web/route";

export const POST = post(ChargeId, removeCharge);
