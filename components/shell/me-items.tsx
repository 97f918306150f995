"use client";

import { LogOut } from "lucide-react";
import type { ReactElement } from "react";
import { Menu, MenuGroup, MenuItem, MenuRule } from "@/components/ui/menu";
import type { Theme } from "@/components/ui/theme";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { toast } from "@/components/ui/toast";
import { signOut } from "@/lib/queries/session";

/** How the page looks to whoever looks, and the way out. */
export function MeItems({ trigger, email, theme }: { trigger: ReactElement; email: string; theme: Theme }) {
  const leave = async () => {
    const outcome = await signOut();
    // A whole new page: nothing that was read stays in memory.
    if (outcome.ok) window.location.assign("/sign-in");
    else toast("crit", "You are still signed in", outcome.message);
  };
  return (
    <Menu align="start" trigger={trigger} isOpenAtFirst>
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
