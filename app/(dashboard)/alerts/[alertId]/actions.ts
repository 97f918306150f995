"use server";

import { AcknowledgeAlert, AlertId, CommentOnAlert } from "@/lib/domain/alerts/acts";
import { acknowledgeAlert, commentOnAlert, unacknowledgeAlert } from "@/lib/services/alerts/acknowledge";
import { action } from "@/lib/web/action";

export const acknowledge = action(AcknowledgeAlert, acknowledgeAlert);
export const unacknowledge = action(AlertId, unacknowledgeAlert);
export const comment = action(CommentOnAlert, commentOnAlert);
