import { BatchQuestion } from "@/lib/domain/intents/batch";
import { readBatch } from "@/lib/services/intents/batch-read";
import { get } from "@/lib/web/route";

export const GET = get(BatchQuestion, readBatch);
