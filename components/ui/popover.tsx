"use client";

import { Popover as Base } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";

type Props = {
  trigger: ReactElement;
  /** Names it; shown as its head. */
  title: string;
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
};

/** A small surface beside the button that opens it. */
export function Popover({ trigger, title, align = "start", open, onOpenChange, children }: Props) {
  return (
    <Base.Root
      {...(open !== undefined && { open })}
      {...(onOpenChange && { onOpenChange: (next: boolean) => onOpenChange(next) })}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="floating" sideOffset={4} align={align} collisionPadding={8}>
          <Base.Popup className="popover">
            <Base.Title className="mb-1 font-medium">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
