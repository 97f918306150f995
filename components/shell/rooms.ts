import {
  Bell,
  Bot,
  Calculator,
  CircleDollarSign,
  History,
  LayoutDashboard,
  type LucideIcon,
  Rocket,
  Scale,
  Server,
  Settings,
  UserCheck,
  Waypoints,
} from "lucide-react";
import type { Route } from "next";

export type Room = { href: Route; name: string; icon: LucideIcon };

/** The rooms of the app, in the order of the rail. */
export const ROOMS = [
  { href: "/", name: "Overview", icon: LayoutDashboard },
  { href: "/fleet", name: "Fleet", icon: Server },
  { href: "/alerts", name: "Alerts", icon: Bell },
  { href: "/cost", name: "Cost", icon: CircleDollarSign },
  { href: "/plan", name: "Plan", icon: Calculator },
  { href: "/runs", name: "Runs", icon: Waypoints },
  { href: "/alignment", name: "Alignment", icon: Scale },
  { href: "/launch", name: "Launch", icon: Rocket },
  { href: "/approvals", name: "Approvals", icon: UserCheck },
  { href: "/policies", name: "Policies", icon: Bot },
  { href: "/activity", name: "Activity", icon: History },
  { href: "/settings", name: "Settings", icon: Settings },
] as const satisfies readonly Room[];

/** The room that a path is in. */
export function roomOf(path: string): Room | undefined {
  return ROOMS.find(({ href }) => (href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`)));
}

/** Whether the page draws a window of time that the range control steers. */
export function hasRange(path: string): boolean {
  return path === "/" || /^\/fleet\/[^/]+$/.test(path);
}
