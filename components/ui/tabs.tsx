"use client";

import { Tabs as Base } from "@base-ui/react/tabs";
import type { Route } from "next";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { Link } from "./link";

type TabHead = {
  label: string;
  count?: number | undefined;
  /** The count is one that somebody should look at. */
  isHot?: boolean | undefined;
};

function Count({ count, isHot }: TabHead) {
  return count === undefined ? null : <em className={cx("tab-count", isHot && "is-hot")}>{count}</em>;
}

type Tab<T extends string> = TabHead & { value: T; content: ReactNode };
type TabsProps<T extends string> = {
  /** What the tabs are of. */
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onChange: (value: T) => void;
};

/** Panels of which one is shown; arrow keys move between their heads. */
export function Tabs<T extends string>({ label, tabs, value, onChange }: TabsProps<T>) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next: unknown) => {
        const tab = tabs.find((one) => one.value === next);
        if (tab) onChange(tab.value);
      }}
    >
      <Base.List className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className="tab">
            {tab.label}
            <Count {...tab} />
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

type TabLinksProps = { label: string; links: readonly (TabHead & { href: Route; isCurrent: boolean })[] };

/** The same look where each tab is a page of its own. */
export function TabLinks({ label, links }: TabLinksProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {links.map((link) => (
        <Link key={link.href} href={link.href} className="tab" aria-current={link.isCurrent ? "page" : undefined}>
          {link.label}
          <Count {...link} />
        </Link>
      ))}
    </nav>
  );
}
