import { z } from "zod";
import { RouteFields } from "@/lib/domain/notify/route-input";
import { createRoute, readRoutes } from "@/lib/services/notify/routes";
import { get, post } from "@/lib/web/route";

export const GET = get(z.object({}), readRoutes);
export const POST = post(RouteFields, createRoute);
