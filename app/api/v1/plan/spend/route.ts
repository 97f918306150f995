import { NewSpend } from "@/lib/domain/plan/mix";
import { enterSpend } from "@/lib/services/plan/mix";
import { post } from "@/lib/web/route";

export const POST = post(NewSpend, enterSpend);
