"use client";

import { Menu as Base } from "@base-ui/react/menu";
import type { LucideIcon } from "lucide-react";
import type { Route } from "next";
import type { ReactElement, ReactNode } from "react";
import { cx } from "./cx";
import { Kbd } from "./kbd";
import { Link } from "./link";

type Props = {
  trigger: ReactElement;
  align?: "start" | "end";
  /** Opens with its first appearance, where its code came with the press that asks for it. */
  isOpenAtFirst?: boolean;
  children: ReactNode;
};

/** A list of things to do, under the button that opens it. */
export function Menu({ trigger, align = "end", isOpenAtFirst = false, children }: Props) {
  return (
    <Base.Root defaultOpen={isOpenAtFirst}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="floating" sideOffset={4} align={align} collisionPadding={8}>
          <Base.Popup className="popover menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type ItemProps = {
  icon?: LucideIcon;
  /** Grey words at the end. */
  hint?: ReactNode;
  /** The key that does the same. */
  shortcut?: string;
  isDanger?: boolean;
  children: ReactNode;
};

function ItemContent({ icon: Icon, hint, shortcut, children }: ItemProps) {
  return (
    <>
      {Icon && <Icon size={14} aria-hidden="true" />}
      {children}
      {hint && <span className="menu-hint">{hint}</span>}
      {shortcut !== undefined && <Kbd>{shortcut}</Kbd>}
    </>
  );
}

export function MenuItem({
  onSelect,
  isDisabled = false,
  ...item
}: ItemProps & { onSelect: () => void; isDisabled?: boolean }) {
  return (
    <Base.Item className={cx("menu-item", item.isDanger && "is-danger")} onClick={onSelect} disabled={isDisabled}>
      <ItemContent {...item} />
    </Base.Item>
  );
}

export function MenuLink({ href, ...item }: ItemProps & { href: Route }) {
  return (
    <Base.LinkItem className={cx("menu-item", item.isDanger && "is-danger")} render={<Link href={href} />} closeOnClick>
      <ItemContent {...item} />
    </Base.LinkItem>
  );
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="menu-label">{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  );
}

export function MenuRule() {
  return <Base.Separator className="menu-rule" />;
}
