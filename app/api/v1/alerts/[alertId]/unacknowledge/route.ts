import { AlertId } from "@/lib/domain/alerts/acts";
import { unacknowledgeAlert } from "@/lib/services/alerts/acknowledge";
import { post } from "@/lib/web/route";

export const POST = post(AlertId, unacknowledgeAlert);
