"use client";

import type { Route } from "next";
import { usePathname } from "next/navigation";
import { TabLinks } from "@/components/ui/tabs";

const TABS: readonly { href: string; label: string }[] = [
  { href: "/alignment", label: "Comparison" },
  { href: "/alignment/declaration", label: "Declaration" },
  { href: "/alignment/software", label: "Software" },
];

export function AlignmentTabs() {
  const path = usePathname();
  return (
    <div className="alignment-tabs">
      <TabLinks
        label="Alignment"
        links={TABS.map(({ href, label }) => ({ href: href as Route, label, isCurrent: path === href }))}
      />
    </div>
  );
}
