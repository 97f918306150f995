"use server";

import {
  AcknowledgeAlert,
  AlertId,
  AssignAlert,
  CommentOnAlert,
  MergeAlerts,
  SnoozeAlert,
} from "@/lib/domain/alerts/acts";
import { RequestRestart, RequestTerminate } from "@/lib/domain/intents/change";
import { acknowledgeAlert, commentOnAlert, unacknowledgeAlert } from "@/lib/services/alerts/acknowledge";
import { assignAlert, snoozeAlert } from "@/lib/services/alerts/assign";
import { mergeAlerts, unmergeAlert } from "@/lib/services/alerts/incidents";
import { requestRestart, requestTerminate } from "@/lib/services/intents/change";
import { action } from "@/lib/web/action";

export const acknowledge = action(AcknowledgeAlert, acknowledgeAlert);
export const unacknowledge = action(AlertId, unacknowledgeAlert);
export const comment = action(CommentOnAlert, commentOnAlert);
export const assign = action(AssignAlert, assignAlert);
export const snooze = action(SnoozeAlert, snoozeAlert);
export const merge = action(MergeAlerts, mergeAlerts);
export const unmerge = action(AlertId, unmergeAlert);
export const restart = action(RequestRestart, requestRestart);
export const terminate = action(RequestTerminate, requestTerminate);
