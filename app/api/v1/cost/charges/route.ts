import { NewCharge } from "@/lib/domain/cost/price-input";
import { addCharge } from "@/lib/services/cost/price-verbs";
import { post } from "@/lib/web/route";

export const POST = post(NewCharge, addCharge);
