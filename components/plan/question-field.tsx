"use client";

import type { ReactNode } from "react";
import { TextField } from "@/components/ui/field";

type Props = {
  label: string;
  value: string;
  unit?: ReactNode;
  placeholder?: string;
  type?: "text" | "date";
  /** In px; as wide as its place where it is left out. */
  widthPx?: number;
  onAsk: (value: string) => void;
};

/** A field of the question in the address: asked when it is left, or on Enter; what is typed meanwhile asks nothing. */
export function QuestionField({ label, value, unit, placeholder, type = "text", widthPx, onAsk }: Props) {
  const ask = (next: string) => {
    if (next.trim() !== value) onAsk(next.trim());
  };
  return (
    <div className="question-field" style={widthPx === undefined ? undefined : { width: widthPx }}>
      <TextField
        key={value}
        label={label}
        type={type}
        inputMode={type === "text" ? "decimal" : undefined}
        defaultValue={value}
        placeholder={placeholder}
        {...(unit !== undefined && { unit })}
        onBlur={({ currentTarget }) => ask(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") ask(currentTarget.value);
        }}
        onChange={({ currentTarget }) => {
          if (type === "date") ask(currentTarget.value);
        }}
      />
    </div>
  );
}
