import { RouteId } from "@/lib/domain/notify/route-input";
import { removeRoute } from "@/lib/services/notify/routes";
import { post } from "@/lib/web/route";

export const POST = post(RouteId, removeRoute);
