"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import { Suspense, useEffect, useState } from "react";
import { Kbd } from "@/components/ui/kbd";
import { Link } from "@/components/ui/link";
import { BrandMark } from "./brand-mark";
import { RangeControl } from "./range-control";
import { hasRange, roomOf } from "./rooms";
import { ZoneSwitch } from "./zone-switch";

const CommandPalette = dynamic(() => import("./command-palette").then((module) => module.CommandPalette), {
  ssr: false,
});

/** Where you are, which window of time the page draws, in which zone, and the way to anywhere. */
export function TopBar({ canLaunch }: { canLaunch: boolean }) {
  const path = usePathname();
  const room = roomOf(path);
  const [isSearching, setSearching] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setSearching(true);
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <header className="top-bar">
      <Link href="/" className="top-brand" aria-label="Hopperdeck, overview">
        <BrandMark />
      </Link>
      <div className="crumbs">
        {room && (room.href === path ? <h1>{room.name}</h1> : <Link href={room.href}>{room.name}</Link>)}
      </div>
      {hasRange(path) && (
        <Suspense>
          <RangeControl />
        </Suspense>
      )}
      <ZoneSwitch />
      <button
        type="button"
        className="search-button"
        aria-label="Search, or run a command"
        onClick={() => setSearching(true)}
      >
        <Search size={14} aria-hidden="true" />
        <span>Search</span>
        <Kbd>⌘K</Kbd>
      </button>
      {isSearching && <CommandPalette canLaunch={canLaunch} onClose={() => setSearching(false)} />}
    </header>
  );
}
