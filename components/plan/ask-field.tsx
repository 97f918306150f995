"use client";

import type { ReactNode } from "react";
import { TextField } from "@/components/ui/field";

type Props = {
  label: string;
  value: string;
  /** Called when the field is left or Enter is pressed, with what stands in it; empty: as if nothing were said. */
  onAsk: (value: string | undefined) => void;
  unit?: ReactNode;
  hint?: ReactNode;
  type?: "number" | "date";
  min?: number | string;
  max?: number | string;
  step?: number | "any";
  placeholder?: string;
};

/** A field whose value belongs to the address: it is asked for when it is done, not with every key. */
export function AskField({ value, onAsk, type = "number", ...rest }: Props) {
  const done = (input: HTMLInputElement) => {
    if (input.value === value || !input.checkValidity()) return;
    onAsk(input.value === "" ? undefined : input.value);
  };
  return (
    <TextField
      {...rest}
      key={value}
      type={type}
      {...(type === "number" && { inputMode: "decimal" as const })}
      defaultValue={value}
      onBlur={({ currentTarget }) => done(currentTarget)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === "Enter") done(currentTarget);
      }}
    />
  );
}
