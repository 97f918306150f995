"use client";

import { LogOut } from "lucide-react";
import { Menu, MenuGroup, MenuItem, MenuRule } from "@/components/ui/menu";
import type { Theme } from "@/components/ui/theme";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { toast } from "@/components/ui/toast";
import { signOut } from "@/lib/queries/session";

type Props = { name: string; email: string; role: string; theme: Theme };

/** Who is looking, how the page looks to them, and the way out. */
export function MeMenu({ name, email, role, theme }: Props) {
  const leave = async () => {
    const outcome = await signOut();
    // A whole new page: nothing that was read stays in memory.
    if (outcome.ok) window.location.assign("/sign-in");
    else toast("crit", "You are still signed in", outcome.message);
  };
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="me" aria-label={`${name}, ${role}: account`}>
          <i className="avatar" aria-hidden="true">
            {initials(name)}
          </i>
          <span>
            {name}
            <small>{role}</small>
          </span>
        </button>
      }
    >
      <MenuGroup label={email}>
        <div className="px-2 py-1">
          <ThemeSwitch theme={theme} />
        </div>
      </MenuGroup>
      <MenuRule />
      <MenuItem icon={LogOut} onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return ((words[0]?.[0] ?? "") + (words.length > 1 ? (words.at(-1)?.[0] ?? "") : (words[0]?.[1] ?? ""))).toUpperCase();
}
