"use client";

import { type ReactElement, useState } from "react";
import { Button } from "@/components/ui/button";
import { useTimeZone } from "@/components/ui/clock";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Popover } from "@/components/ui/popover";
import { PRESETS, type Preset, type Window, windowOf } from "@/lib/domain/fleet/window";
import { fromLocalInput, toLocalInput } from "@/lib/domain/local-input";
import { PRESET_NAMES } from "./preset-names";
import { useServerNow } from "./use-server-now";

type Props = {
  trigger: ReactElement;
  question: Window;
  isLive: boolean;
  onPreset: (preset: Preset) => void;
  onWindow: (from: number, to: number) => void;
};

/** The windows to choose from: a few that end now, and any other by its two instants. */
export function RangeChoice({ trigger, question, isLive, onPreset, onWindow }: Props) {
  const timeZone = useTimeZone();
  const readNow = useServerNow();
  // It comes with the press that asks for it.
  const [isOpen, setOpen] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  const { from, to } = windowOf(question, readNow());
  const choose = (go: () => void) => {
    setOpen(false);
    go();
  };
  return (
    <Popover title="Time range" align="end" open={isOpen} onOpenChange={setOpen} trigger={trigger}>
      <div className="grid w-[260px] gap-1">
        {PRESETS.map((preset) => (
          <Button
            key={preset}
            look="ghost"
            className="justify-start"
            aria-pressed={isLive && question.range === preset}
            onClick={() => choose(() => onPreset(preset))}
          >
            {PRESET_NAMES[preset]}
          </Button>
        ))}
        <form
          className="mt-2 grid gap-2 border-line border-t pt-3"
          onSubmit={(event) => {
            event.preventDefault();
            const form = new FormData(event.currentTarget);
            const start = fromLocalInput(String(form.get("from")), timeZone);
            const end = fromLocalInput(String(form.get("to")), timeZone);
            if (start === null || end === null || end <= start)
              return setProblem("The end must come after the beginning.");
            choose(() => onWindow(start, end));
          }}
        >
          <TextField
            label={`From (${timeZone})`}
            name="from"
            type="datetime-local"
            required
            defaultValue={toLocalInput(from, timeZone)}
          />
          <TextField
            label={`To (${timeZone})`}
            name="to"
            type="datetime-local"
            required
            defaultValue={toLocalInput(to, timeZone)}
          />
          <div role="alert">{problem && <Note tone="warn">{problem}</Note>}</div>
          <Button type="submit">Show this window</Button>
        </form>
      </div>
    </Popover>
  );
}
