"use server";

import { AcknowledgeAlert, AlertId, CommentOnAlert } from "@/lib/domain/alerts/acts";
import { RequestRestart, RequestTerminate } from "@/lib/domain/intents/change";
import { acknowledgeAlert, commentOnAlert, unacknowledgeAlert } from "@/lib/services/alerts/acknowledge";
import { requestRestart, requestTerminate } from "@/lib/services/intents/change";
import { action } from "@/lib/web/action";

export const acknowledge = action(AcknowledgeAlert, acknowledgeAlert);
export const unacknowledge = action(AlertId, unacknowledgeAlert);
export const comment = action(CommentOnAlert, commentOnAlert);
export const restart = action(RequestRestart, requestRestart);
export const terminate = action(RequestTerminate, requestTerminate);
