"use client";

import { ChevronDown, ChevronLeft, ChevronRight } from "lucide-react";
import type { Route } from "next";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { useTimeZone } from "@/components/ui/clock";
import { type Preset, readWindow, windowOf } from "@/lib/domain/fleet/window";
import { formatPeriod } from "@/lib/domain/format-time";
import { PRESET_NAMES } from "./preset-names";
import { useServerNow } from "./use-server-now";

const RangeChoice = lazy(() => import("./range-choice").then((module) => ({ default: module.RangeChoice })));

/** The window that every panel of the page draws; it lives in the URL. */
export function RangeControl() {
  const given = useSearchParams();
  const path = usePathname();
  const router = useRouter();
  const readNow = useServerNow();
  const timeZone = useTimeZone();
  const [isUsed, setUsed] = useState(false);
  const question = readWindow(given);
  const isLive = question.from === undefined || question.to === undefined;

  const go = (change: Record<string, string | null>) => {
    const next = new URLSearchParams(given);
    for (const [name, value] of Object.entries(change)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    const query = next.toString();
    router.replace((query ? `${path}?${query}` : path) as Route, { scroll: false });
  };
  const goLive = (range: Preset) => go({ range: range === "6h" ? null : range, from: null, to: null });
  const goTo = (from: number, to: number) => go({ from: String(Math.round(from)), to: String(Math.round(to)) });
  const step = (direction: 1 | -1) => {
    const now = readNow();
    const { from, to } = windowOf(question, now);
    const by = ((to - from) / 2) * direction;
    if (to + by >= now) goLive(question.range);
    else goTo(from + by, to + by);
  };

  const name = (
    <button
      type="button"
      className="range-name"
      aria-haspopup="dialog"
      {...(!isUsed && { onClick: () => setUsed(true) })}
    >
      {isLive ? PRESET_NAMES[question.range] : formatPeriod(question.from ?? 0, question.to ?? 0, timeZone)}
      <ChevronDown size={12} aria-hidden="true" />
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a form's meaning
    <div className="range" role="group" aria-label="Time range">
      <button type="button" className="range-step" aria-label="Step back" onClick={() => step(-1)}>
        <ChevronLeft size={14} aria-hidden="true" />
      </button>
      {isUsed ? (
        <Suspense fallback={name}>
          <RangeChoice trigger={name} question={question} isLive={isLive} onPreset={goLive} onWindow={goTo} />
        </Suspense>
      ) : (
        name
      )}
      <button type="button" className="range-step" aria-label="Step forward" disabled={isLive} onClick={() => step(1)}>
        <ChevronRight size={14} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="range-live"
        aria-pressed={isLive}
        onClick={() => !isLive && question.range && goLive(question.range)}
      >
        <i aria-hidden="true" />
        Live
      </button>
    </div>
  );
}
