"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import type { ComponentProps, ReactElement, ReactNode, RefObject } from "react";
import { Button } from "./button";
import { cx } from "./cx";

type Props = {
  /** Opens it; left out where the page opens it by `open`. */
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  title: ReactNode;
  /** What it is about, under the title. */
  about?: ReactNode;
  children: ReactNode;
  /** At the left of the buttons: "Written to the audit trail". */
  remark?: ReactNode;
  /** The safe button first: a `DialogClose`, then the one that acts. */
  actions: ReactNode;
  isNarrow?: boolean;
  /** Where the focus goes first; the first control otherwise. */
  initialFocus?: RefObject<HTMLElement | null>;
};

/** Over the page; a sheet at the thumb on a phone. Escape always means the safe button. */
export function Dialog({
  trigger,
  open,
  onOpenChange,
  title,
  about,
  children,
  remark,
  actions,
  isNarrow = false,
  initialFocus,
}: Props) {
  return (
    <Base.Root
      {...(open !== undefined && { open })}
      {...(onOpenChange && { onOpenChange: (next: boolean) => onOpenChange(next) })}
    >
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className="dialog-shade" />
        <Base.Viewport className="dialog-place">
          <Base.Popup className={cx("dialog", isNarrow && "is-narrow")} {...(initialFocus && { initialFocus })}>
            <header>
              <Base.Title className="dialog-title">{title}</Base.Title>
              {about && <Base.Description className="dialog-about">{about}</Base.Description>}
            </header>
            {children}
            <footer className="dialog-foot">
              <span className="dialog-remark">{remark}</span>
              {actions}
            </footer>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** Closes without doing anything. It has the key; the dangerous button has none. */
export function DialogClose({ children = "Cancel", ...button }: ComponentProps<typeof Button>) {
  return (
    <Base.Close
      render={
        <Button hint="Esc" {...button}>
          {children}
        </Button>
      }
    />
  );
}
