"use server";

import { IntentId } from "@/lib/domain/intents/change";
import { AdoptMachine } from "@/lib/domain/intents/queue";
import { cancelIntent } from "@/lib/services/intents/change";
import { adoptMachine } from "@/lib/services/intents/queue";
import { action } from "@/lib/web/action";

export const cancel = action(IntentId, cancelIntent);
export const adopt = action(AdoptMachine, adoptMachine);
