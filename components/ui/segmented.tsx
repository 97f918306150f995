"use client";

import type { LucideIcon } from "lucide-react";

type Option<T extends string> = { value: T; label: string; icon?: LucideIcon };
type Props<T extends string> = {
  /** What is chosen here: "Time zone". */
  label: string;
  options: readonly Option<T>[];
  value: T;
  onChange: (value: T) => void;
};

/** One of a few ways to look at the same thing. */
export function Segmented<T extends string>({ label, options, value, onChange }: Props<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a form's meaning
    <div className="segmented" role="group" aria-label={label}>
      {options.map(({ value: option, label: word, icon: Icon }) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {Icon && <Icon size={14} aria-hidden="true" />}
          {word}
        </button>
      ))}
    </div>
  );
}
