import { RouteOrder } from "@/lib/domain/notify/route-input";
import { sortRoutes } from "@/lib/services/notify/routes";
import { post } from "@/lib/web/route";

export const POST = post(RouteOrder, sortRoutes);
