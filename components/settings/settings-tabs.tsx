"use client";

import type { Route } from "next";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { TabLinks } from "@/components/ui/tabs";

const TABS = [
  { href: "/settings", label: "Connection" },
  { href: "/settings/tokens", label: "Tokens" },
  { href: "/settings/people", label: "People and roles" },
  { href: "/settings/cloud", label: "Cloud" },
  { href: "/settings/guardrails", label: "Guardrails" },
  { href: "/settings/channels", label: "Channels" },
  { href: "/settings/money", label: "Money" },
  { href: "/settings/checklists", label: "Checklists" },
  { href: "/settings/data", label: "Data" },
  { href: "/settings/account", label: "My account" },
] as const;

export function SettingsTabs() {
  const path = usePathname();
  const current = TABS.find(({ href }) => href === path);
  const bar = useRef<HTMLDivElement>(null);
  // On a phone the tabs scroll; the one that is open must be seen.
  useEffect(() => {
    if (path) bar.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [path]);
  return (
    <div className="settings-tabs" ref={bar}>
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
