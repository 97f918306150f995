import { AcknowledgeAlert } from "@/lib/domain/alerts/acts";
import { acknowledgeAlert } from "@/lib/services/alerts/acknowledge";
import { post } from "@/lib/web/route";

export const POST = post(AcknowledgeAlert, acknowledgeAlert);
