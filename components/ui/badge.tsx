import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";
import type { Tone } from "./status-vocabulary";

type Props = { tone: Tone | "plain"; icon?: LucideIcon; children: ReactNode; className?: string | undefined };

/** A word on a soft ground. The tone never stands alone: give it an icon, or words that say it. */
export function Badge({ tone, icon: Icon, children, className }: Props) {
  return (
    <span className={cx("badge", tone === "plain" ? "is-plain" : `tone-${tone}`, className)}>
      {Icon && <Icon size={12} aria-hidden="true" />}
      {children}
    </span>
  );
}
