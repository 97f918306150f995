import { IntentQuestion } from "@/lib/domain/intents/view";
import { readLaunchBatch } from "@/lib/services/intents/like";
import { get } from "@/lib/web/route";

export const GET = get(IntentQuestion, readLaunchBatch);
