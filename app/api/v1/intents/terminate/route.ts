import { RequestTerminate } from "@/lib/domain/intents/change";
import { requestTerminate } from "@/lib/services/intents/change";
import { post } from "@/lib/web/route";

export const POST = post(RequestTerminate, requestTerminate);
