"use server";

import { AcknowledgeAlerts } from "@/lib/domain/alerts/acts";
import { acknowledgeAlerts } from "@/lib/services/alerts/acknowledge";
import { action } from "@/lib/web/action";

export const acknowledgeSeveral = action(AcknowledgeAlerts, acknowledgeAlerts);
