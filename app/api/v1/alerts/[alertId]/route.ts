import { AlertId } from "@/lib/domain/alerts/acts";
import { readAlert } from "@/lib/services/alerts/read";
import { get } from "@/lib/web/route";

export const GET = get(AlertId, readAlert);
