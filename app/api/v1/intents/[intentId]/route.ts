import { IntentQuestion } from "@/lib/domain/intents/view";
import { readIntent } from "@/lib/services/intents/read";
import { get } from "@/lib/web/route";

export const GET = get(IntentQuestion, readIntent);
