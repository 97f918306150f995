"use client";

import { type KeyboardEvent, type PointerEvent, useRef } from "react";

type Props = {
  value: number;
  /** The plot's axis. */
  min: number;
  max: number;
  /** How far one press of an arrow key goes. */
  step: number;
  /** "83 °C" */
  text: string;
  tone: "crit" | "warn";
  onChange: (value: number) => void;
};

/** The threshold on the history itself: dragged, or moved with the arrow keys. */
export function ThresholdLine({ value, min, max, step, text, tone, onChange }: Props) {
  const line = useRef<HTMLDivElement>(null);
  const share = Math.min(1, Math.max(0, (value - min) / (max - min)));
  const set = (next: number) => {
    const rounded = Number((Math.round(next / step) * step).toFixed(6));
    const within = Math.min(max, Math.max(min, rounded));
    if (within !== value) onChange(within);
  };
  const follow = (event: PointerEvent) => {
    const plot = line.current?.parentElement?.getBoundingClientRect();
    if (plot && event.buttons > 0) set(max - ((event.clientY - plot.top) / plot.height) * (max - min));
  };
  const press = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowUp: value + step,
      ArrowRight: value + step,
      ArrowDown: value - step,
      ArrowLeft: value - step,
      PageUp: value + 10 * step,
      PageDown: value - 10 * step,
      Home: min,
      End: max,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  };
  return (
    <div
      ref={line}
      className="threshold-line"
      data-tone={tone}
      role="slider"
      tabIndex={0}
      aria-label="Threshold"
      aria-orientation="vertical"
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
      style={{ top: `${(1 - share) * 100}%` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={follow}
      onKeyDown={press}
    >
      <b>{text}</b>
    </div>
  );
}
