import { RequestBatch } from "@/lib/domain/intents/change";
import { requestBatch } from "@/lib/services/intents/batch";
import { post } from "@/lib/web/route";

export const POST = post(RequestBatch, requestBatch);
