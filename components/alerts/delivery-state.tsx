"use client";

import { CircleCheck, CircleDashed, CircleX, type LucideIcon, Minus } from "lucide-react";
import { useClock } from "@/components/ui/clock";
import type { Tone } from "@/components/ui/status-vocabulary";
import type { AlertAnswer } from "@/lib/domain/alerts/view";
import { formatDuration } from "@/lib/domain/format-time";

type Item = AlertAnswer["deliveries"][number];

const STATES: Record<Item["state"], { word: string; icon: LucideIcon; tone: Tone }> = {
  queued: { word: "Queued", icon: CircleDashed, tone: "warn" },
  sending: { word: "Sending", icon: CircleDashed, tone: "info" },
  delivered: { word: "Delivered", icon: CircleCheck, tone: "ok" },
  dead: { word: "Not delivered", icon: CircleX, tone: "crit" },
  dropped: { word: "Not sent: it was over", icon: Minus, tone: "mute" },
};

/** How far a message has come; one that waits says for how long. */
export function DeliveryState({ item }: { item: Item }) {
  const { word, icon: Icon, tone } = STATES[item.state];
  const waiting = useClock((now) =>
    item.state === "queued" && item.nextAt !== null && item.attempts > 0
      ? `Retry ${item.attempts} ${item.nextAt > now ? `in ${formatDuration(item.nextAt - now)}` : "now"}`
      : null,
  );
  return (
    <span className={`status tone-${tone}`}>
      <Icon size={14} aria-hidden="true" />
      {waiting ?? word}
    </span>
  );
}
