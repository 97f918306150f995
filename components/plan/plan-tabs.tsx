"use client";

import type { Route } from "next";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { TabLinks } from "@/components/ui/tabs";

/** The pages of the room: where it could run, what that costs, what it would save, and what it takes. */
const TABS: readonly { href: string; label: string }[] = [
  { href: "/plan", label: "Compare" },
  { href: "/plan/prices", label: "Prices" },
  { href: "/plan/spot", label: "Spot" },
  { href: "/plan/savings", label: "Savings" },
  { href: "/plan/sizing", label: "Sizing" },
  { href: "/plan/scenarios", label: "Scenarios" },
  { href: "/plan/workloads", label: "Workloads" },
  { href: "/plan/catalogue", label: "Catalogue" },
  { href: "/plan/mix", label: "Mix" },
];

export function PlanTabs() {
  const path = usePathname();
  const bar = useRef<HTMLDivElement>(null);
  // On a phone the tabs scroll; the one that is open must be seen.
  useEffect(() => {
    if (path) bar.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [path]);
  return (
    <div className="plan-tabs" ref={bar}>
      <TabLinks
        label="Plan"
        links={TABS.map(({ href, label }) => ({
          href: href as Route,
          label,
          isCurrent: href === "/plan" ? path === href : path.startsWith(href),
        }))}
      />
    </div>
  );
}
