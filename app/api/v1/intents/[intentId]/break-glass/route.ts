import { BreakGlass } from "@/lib/domain/intents/approval";
import { breakGlass } from "@/lib/services/intents/approve";
import { post } from "@/lib/web/route";

export const POST = post(BreakGlass, breakGlass);
