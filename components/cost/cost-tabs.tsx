"use client";

import type { Route } from "next";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { TabLinks } from "@/components/ui/tabs";

/** The pages of the room in the order of a month's work; one that is not built yet has no line here. */
const TABS: readonly { href: string; label: string }[] = [
  { href: "/cost", label: "Spend" },
  { href: "/cost/[month]", label: "Month" },
  { href: "/cost/budgets", label: "Budgets" },
  { href: "/cost/waste", label: "Waste" },
  { href: "/cost/units", label: "Unit costs" },
  { href: "/cost/allocation", label: "Allocation" },
  { href: "/cost/prices", label: "Price book" },
  { href: "/cost/exports", label: "Exports" },
];

const MONTH_PATH = /^\/cost\/(\d{4}-\d{2})(\/|$)/;

/** `month` is the one that runs: where the tab of months leads from any other page. */
export function CostTabs({ month }: { month: string }) {
  const path = usePathname();
  const bar = useRef<HTMLDivElement>(null);
  const shown = MONTH_PATH.exec(path)?.[1];
  // On a phone the tabs scroll; the one that is open must be seen.
  useEffect(() => {
    if (path) bar.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [path]);
  return (
    <div className="cost-tabs" ref={bar}>
      <TabLinks
        label="Cost"
        links={TABS.map(({ href, label }) => {
          const isMonth = href === "/cost/[month]";
          return {
            href: (isMonth ? `/cost/${shown ?? month}` : href) as Route,
            label,
            isCurrent: isMonth
              ? shown !== undefined
              : href === "/cost"
                ? path === href || path.startsWith("/cost/rows")
                : path.startsWith(href),
          };
        })}
      />
    </div>
  );
}
