"use client";

import { Ellipsis } from "lucide-react";
import { usePathname } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { Link } from "@/components/ui/link";
import { RoomCount } from "./rail";
import { ROOMS, roomOf } from "./rooms";

const MoreRooms = lazy(() => import("./more-rooms").then((module) => ({ default: module.MoreRooms })));

const AT_THUMB = 4;

/** The phone's rail: four rooms and a menu with the others. */
export function ThumbBar() {
  const here = roomOf(usePathname());
  const others = ROOMS.slice(AT_THUMB);
  const isElsewhere = others.some(({ href }) => href === here?.href);
  const [isUsed, setUsed] = useState(false);
  const more = (
    <button
      type="button"
      className="thumb-link"
      aria-haspopup="menu"
      aria-current={isElsewhere ? "page" : undefined}
      {...(!isUsed && { onClick: () => setUsed(true) })}
    >
      <Ellipsis size={20} aria-hidden="true" />
      More
    </button>
  );
  return (
    <nav className="thumb-bar" aria-label="Main, phone">
      {ROOMS.slice(0, AT_THUMB).map(({ href, name, icon: Icon }) => (
        <Link key={href} href={href} className="thumb-link" aria-current={here?.href === href ? "page" : undefined}>
          <Icon size={20} aria-hidden="true" />
          {name}
          {name === "Alerts" && <RoomCount room={name} />}
        </Link>
      ))}
      {isUsed ? (
        <Suspense fallback={more}>
          <MoreRooms trigger={more} rooms={others} />
        </Suspense>
      ) : (
        more
      )}
    </nav>
  );
}
