"use client";

import type { Route } from "next";
import { usePathname } from "next/navigation";
import { TabLinks } from "@/components/ui/tabs";

const TABS = [
  { href: "/settings", label: "Connection" },
  { href: "/settings/tokens", label: "Tokens" },
  { href: "/settings/people", label: "People and roles" },
  { href: "/settings/channels", label: "Channels" },
  { href: "/settings/money", label: "Budget and prices" },
  { href: "/settings/data", label: "Data" },
  { href: "/settings/account", label: "My account" },
] as const;

export function SettingsTabs() {
  const path = usePathname();
  const current = TABS.find(({ href }) => href === path);
  return (
    <div className="settings-tabs">
      {/* The top bar names the room on its first page only. */}
      {path !== "/settings" && <h1 className="sr-only">Settings: {current?.label}</h1>}
      <TabLinks
        label="Settings"
        links={TABS.map(({ href, label }) => ({ href: href as Route, label, isCurrent: href === path }))}
      />
      <span className="muted not-phone">Every change is written to the audit trail</span>
    </div>
  );
}
