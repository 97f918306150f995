"use server";

import { RequestBatch } from "@/lib/domain/intents/change";
import { requestBatch } from "@/lib/services/intents/batch";
import { action } from "@/lib/web/action";

export const terminateMany = action(RequestBatch, requestBatch);
