import { RouteChange } from "@/lib/domain/notify/route-input";
import { changeRoute } from "@/lib/services/notify/routes";
import { post } from "@/lib/web/route";

export const POST = post(RouteChange, changeRoute);
