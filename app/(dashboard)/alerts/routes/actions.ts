"use server";

import { RouteChange, RouteFields, RouteId, RouteOrder } from "@/lib/domain/notify/route-input";
import { changeRoute, createRoute, removeRoute, sortRoutes } from "@/lib/services/notify/routes";
import { action } from "@/lib/web/action";

export const create = action(RouteFields, createRoute);
export const change = action(RouteChange, changeRoute);
export const remove = action(RouteId, removeRoute);
export const sort = action(RouteOrder, sortRoutes);
