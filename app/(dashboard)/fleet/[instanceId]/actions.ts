"use server";

import { LabelChange } from "@/lib/domain/fleet/labels";
import { RequestRestart, RequestTerminate } from "@/lib/domain/intents/change";
import { changeInstanceLabels } from "@/lib/services/fleet/labels";
import { requestRestart, requestTerminate } from "@/lib/services/intents/change";
import { action } from "@/lib/web/action";

export const terminate = action(RequestTerminate, requestTerminate);
export const restart = action(RequestRestart, requestRestart);
export const changeLabels = action(LabelChange, changeInstanceLabels);
