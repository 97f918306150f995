"use client";

import { ChevronDown, ChevronLeft, ChevronRight } from "lucide-react";
import type { Route } from "next";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useTimeZone } from "@/components/ui/clock";
import { TextField } from "@/components/ui/field";
import { Popover } from "@/components/ui/popover";
import { type Preset, readWindow, windowOf } from "@/lib/domain/fleet/window";
import { formatPeriod } from "@/lib/domain/format-time";
import { fromLocalInput, toLocalInput } from "@/lib/domain/local-input";
import { useServerNow } from "./use-server-now";

const NAMES: Record<Preset, string> = {
  "1h": "Last hour",
  "6h": "Last 6 h",
  "24h": "Last 24 h",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

/** The window that every panel of the page draws; it lives in the URL. */
export function RangeControl() {
  const given = useSearchParams();
  const path = usePathname();
  const router = useRouter();
  const readNow = useServerNow();
  const timeZone = useTimeZone();
  const [isOpen, setOpen] = useState(false);
  const question = readWindow(given);
  const isLive = question.from === undefined || question.to === undefined;

  const go = (change: Record<string, string | null>) => {
    const next = new URLSearchParams(given);
    for (const [name, value] of Object.entries(change)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    const query = next.toString();
    setOpen(false);
    router.replace((query ? `${path}?${query}` : path) as Route, { scroll: false });
  };
  const goLive = (range: Preset) => go({ range: range === "6h" ? null : range, from: null, to: null });
  const step = (direction: 1 | -1) => {
    const now = readNow();
    const { from, to } = windowOf(question, now);
    const by = ((to - from) / 2) * direction;
    if (to + by >= now) goLive(question.range);
    else go({ from: String(Math.round(from + by)), to: String(Math.round(to + by)) });
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a form's meaning
    <div className="range" role="group" aria-label="Time range">
      <button type="button" className="range-step" aria-label="Step back" onClick={() => step(-1)}>
        <ChevronLeft size={14} aria-hidden="true" />
      </button>
      <Popover
        title="Time range"
        align="end"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button type="button" className="range-name">
            {isLive ? NAMES[question.range] : formatPeriod(question.from ?? 0, question.to ?? 0, timeZone)}
            <ChevronDown size={12} aria-hidden="true" />
          </button>
        }
      >
        <div className="grid w-[260px] gap-1">
          {(Object.keys(NAMES) as Preset[]).map((preset) => (
            <Button
              key={preset}
              look="ghost"
              className="justify-start"
              aria-pressed={isLive && question.range === preset}
              onClick={() => goLive(preset)}
            >
              {NAMES[preset]}
            </Button>
          ))}
          <form
            className="mt-2 grid gap-2 border-line border-t pt-3"
            action={(form) => {
              const from = fromLocalInput(String(form.get("from")), timeZone);
              const to = fromLocalInput(String(form.get("to")), timeZone);
              if (from !== null && to !== null && to > from) go({ from: String(from), to: String(to) });
            }}
          >
            <TextField
              label={`From (${timeZone})`}
              name="from"
              type="datetime-local"
              required
              defaultValue={isOpen ? toLocalInput(windowOf(question, readNow()).from, timeZone) : undefined}
            />
            <TextField
              label={`To (${timeZone})`}
              name="to"
              type="datetime-local"
              required
              defaultValue={isOpen ? toLocalInput(windowOf(question, readNow()).to, timeZone) : undefined}
            />
            <Button type="submit">Show this window</Button>
          </form>
        </div>
      </Popover>
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
