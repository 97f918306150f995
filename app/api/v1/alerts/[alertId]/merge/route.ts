import { MergeAlerts } from "@/lib/domain/alerts/acts";
import { mergeAlerts } from "@/lib/services/alerts/incidents";
import { post } from "@/lib/web/route";

export const POST = post(MergeAlerts, mergeAlerts);
