import { CircleCheck, Info, type LucideIcon, OctagonAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";

type NoteTone = "neutral" | "info" | "ok" | "warn" | "crit";

const icons: Record<NoteTone, LucideIcon> = {
  neutral: Info,
  info: Info,
  ok: CircleCheck,
  warn: TriangleAlert,
  crit: OctagonAlert,
};

type Props = { tone?: NoteTone; icon?: LucideIcon; action?: ReactNode; children: ReactNode };

/** A remark in a panel. The bold words say what it is, so that the ground need not. */
export function Note({ tone = "neutral", icon, action, children }: Props) {
  const Icon = icon ?? icons[tone];
  return (
    <div className={cx("note", tone !== "neutral" && `tone-${tone}`)}>
      <Icon size={16} className="note-icon" aria-hidden="true" />
      <p>{children}</p>
      {action && <span className="note-action">{action}</span>}
    </div>
  );
}
