import { AftermathQuestion } from "@/lib/domain/intents/aftermath";
import { readAftermath } from "@/lib/services/intents/aftermath";
import { get } from "@/lib/web/route";

export const GET = get(AftermathQuestion, readAftermath);
