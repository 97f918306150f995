import { SnoozeAlert } from "@/lib/domain/alerts/acts";
import { snoozeAlert } from "@/lib/services/alerts/assign";
import { post } from "@/lib/web/route";

export const POST = post(SnoozeAlert, snoozeAlert);
