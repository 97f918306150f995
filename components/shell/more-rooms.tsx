"use client";

import type { ReactElement } from "react";
import { Menu, MenuLink } from "@/components/ui/menu";
import type { Room } from "./rooms";

/** The rooms that have no place of their own at the thumb. */
export function MoreRooms({ trigger, rooms }: { trigger: ReactElement; rooms: readonly Room[] }) {
  return (
    <Menu trigger={trigger} isOpenAtFirst>
      {rooms.map(({ href, name, icon }) => (
        <MenuLink key={href} href={href} icon={icon}>
          {name}
        </MenuLink>
      ))}
    </Menu>
  );
}
