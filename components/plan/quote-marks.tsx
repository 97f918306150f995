"use client";

import { BadgeCheck, CircleHelp, CircleX, ClockAlert, type LucideIcon, Radio } from "lucide-react";
import type { QuoteView } from "@/lib/domain/plan/quote-view";
import { ageWords, STATE_WORDS } from "@/lib/domain/plan/quote-words";
import type { QuoteState } from "@/lib/domain/plan/quotes";

const LOOKS: Record<QuoteState, { icon: LucideIcon; tone: string }> = {
  live: { icon: Radio, tone: "tone-ok" },
  confirmed: { icon: BadgeCheck, tone: "tone-ok" },
  claimed: { icon: CircleHelp, tone: "tone-mute" },
  stale: { icon: ClockAlert, tone: "tone-unknown" },
  rejected: { icon: CircleX, tone: "tone-crit" },
};

/** Live, confirmed, claimed, stale or rejected: shape and word. */
export function QuoteStateMark({ state }: { state: QuoteState }) {
  const { icon: Icon, tone } = LOOKS[state];
  return (
    <span className={`status ${tone}`}>
      <Icon size={14} aria-hidden="true" />
      {STATE_WORDS[state]}
    </span>
  );
}

/** How old a price is; dotted where it is stale, with its day and source on hover. */
export function QuoteAge({ quote }: { quote: Pick<QuoteView, "age" | "asOf" | "source" | "state"> }) {
  const isOld = quote.state === "stale" || quote.age === null;
  const title = `${quote.asOf ?? "The source says no day"} · ${quote.source}`;
  return (
    <span className={isOld ? "stale" : undefined} title={title}>
      {quote.state === "live" ? "now" : ageWords(quote.age)}
    </span>
  );
}

/** Provider and what it sells, in one cell. */
export function QuoteName({ quote }: { quote: QuoteView }) {
  return (
    <>
      <b>{quote.providerName}</b>{" "}
      <span className="text-text-2">
        {quote.typeName}
        {quote.region !== "" && `, ${quote.region}`}
      </span>
    </>
  );
}
