import { IntentId } from "@/lib/domain/intents/change";
import { cancelIntent } from "@/lib/services/intents/change";
import { post } from "@/lib/web/route";

export const POST = post(IntentId, cancelIntent);
