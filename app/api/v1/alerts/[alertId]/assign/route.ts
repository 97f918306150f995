import { AssignAlert } from "@/lib/domain/alerts/acts";
import { assignAlert } from "@/lib/services/alerts/assign";
import { post } from "@/lib/web/route";

export const POST = post(AssignAlert, assignAlert);
