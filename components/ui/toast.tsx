"use client";

import { Toast as Base } from "@base-ui/react/toast";
import { CircleCheck, Info, type LucideIcon, OctagonAlert, TriangleAlert, X } from "lucide-react";
import { IconButton } from "./button";
import { cx } from "./cx";

export type ToastTone = "ok" | "info" | "warn" | "crit";

const icons: Record<ToastTone, LucideIcon> = { ok: CircleCheck, info: Info, warn: TriangleAlert, crit: OctagonAlert };
// Written out, because Tailwind finds whole names only.
const toneClass: Record<ToastTone, string> = { ok: "text-ok", info: "text-info", warn: "text-warn", crit: "text-crit" };
const manager = Base.createToastManager();

/** Says what happened. What went wrong stays until it is dismissed; the rest leaves after 5 s. */
export function toast(tone: ToastTone, title: string, text?: string): void {
  const isBad = tone === "warn" || tone === "crit";
  manager.add({
    title,
    type: tone,
    timeout: isBad ? 0 : 5000,
    ...(text !== undefined && { description: text }),
  });
}

/** Where toasts appear: once, at the root. Read out as they come; F6 reaches them. */
export function Toasts() {
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport className="toasts">
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function List() {
  const { toasts } = Base.useToastManager();
  return toasts.map((one) => {
    const tone = toneOf(one.type);
    const Icon = icons[tone];
    return (
      <Base.Root key={one.id} toast={one} className="toast" swipeDirection="right">
        <Icon size={16} className={cx("toast-icon", toneClass[tone])} aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <Base.Title render={<p />} className="font-medium" />
          <Base.Description className="toast-about" />
        </div>
        <Base.Close render={<IconButton icon={X} label="Dismiss" size="small" look="ghost" />} />
      </Base.Root>
    );
  });
}

function toneOf(type: string | undefined): ToastTone {
  return type === "ok" || type === "warn" || type === "crit" ? type : "info";
}
