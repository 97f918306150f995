import { AlertId } from "@/lib/domain/alerts/acts";
import { unmergeAlert } from "@/lib/services/alerts/incidents";
import { post } from "@/lib/web/route";

export const POST = post(AlertId, unmergeAlert);
