"use server";

import { IntentId } from "@/lib/domain/intents/change";
import { cancelIntent } from "@/lib/services/intents/change";
import { action } from "@/lib/web/action";

export const cancel = action(IntentId, cancelIntent);
