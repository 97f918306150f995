"use client";

import type { ReactElement } from "react";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { SelectField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { STATUS_WORDS, TIER_WORDS, UNIT_WORDS } from "@/lib/domain/plan/quote-words";

const FIELDS = [
  "provider",
  "typeName",
  "gpu",
  "gpus",
  "gpuMemoryGb",
  "region",
  "tier",
  "unit",
  "price",
  "asOf",
  "source",
  "status",
  "note",
] as const;

type Props = { act: Act<FormData, null>; day: string; trigger: ReactElement };

/** A price that somebody read somewhere: with its day and its source, or it is none. */
export function QuoteDialog({ act, day, trigger }: Props) {
  return (
    <FormDialog
      trigger={trigger}
      title="Add a price"
      about="What one provider asks for one thing. The same thing, day and source entered again takes the place of what was there."
      word="Add"
      act={act}
      fields={FIELDS}
      onDone={() => toast("ok", "Price added", "Comparisons follow at once.")}
    >
      {(failure) => {
        const text = (name: (typeof FIELDS)[number], label: string, rest: Record<string, string> = {}) => (
          <TextField label={label} name={name} error={failure?.fields[name]} {...rest} />
        );
        const choice = (
          name: "tier" | "unit" | "status",
          label: string,
          words: Record<string, string>,
          first: string,
        ) => (
          <SelectField label={label} name={name} defaultValue={first} error={failure?.fields[name]}>
            {Object.entries(words).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </SelectField>
        );
        return (
          <>
            <div className="grid grid-cols-2 gap-3">
              {text("provider", "Provider", { placeholder: "AWS" })}
              {text("typeName", "Type or offer", { placeholder: "p5.48xlarge" })}
              {text("gpu", "GPU", { placeholder: "H100 SXM" })}
              {text("gpuMemoryGb", "Memory per GPU, GB", { inputMode: "decimal", placeholder: "not said" })}
              {text("gpus", "GPUs in it", { inputMode: "numeric", defaultValue: "1" })}
              {text("region", "Region", { placeholder: "every region" })}
              {choice("tier", "Kind", TIER_WORDS, "on_demand")}
              {choice("unit", "Price", UNIT_WORDS, "instance")}
              {text("price", "Dollars an hour", { inputMode: "decimal", placeholder: "55.04" })}
              {text("asOf", "Read on", { type: "date", defaultValue: day })}
            </div>
            {text("source", "Source", { placeholder: "a page, a quote, an invoice" })}
            <div className="grid grid-cols-2 gap-3">
              {choice("status", "It is", STATUS_WORDS, "claimed")}
              {text("note", "Note")}
            </div>
          </>
        );
      }}
    </FormDialog>
  );
}
