import { RequestRestart } from "@/lib/domain/intents/change";
import { requestRestart } from "@/lib/services/intents/change";
import { post } from "@/lib/web/route";

export const POST = post(RequestRestart, requestRestart);
