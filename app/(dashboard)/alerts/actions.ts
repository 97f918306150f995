"use server";

import { AcknowledgeAlerts, AssignAlerts, MergeAlerts } from "@/lib/domain/alerts/acts";
import { acknowledgeAlerts } from "@/lib/services/alerts/acknowledge";
import { assignAlerts } from "@/lib/services/alerts/assign";
import { mergeAlerts } from "@/lib/services/alerts/incidents";
import { action } from "@/lib/web/action";

export const acknowledgeSeveral = action(AcknowledgeAlerts, acknowledgeAlerts);
export const assignSeveral = action(AssignAlerts, assignAlerts);
export const merge = action(MergeAlerts, mergeAlerts);
