"use client";

import type { ReactElement } from "react";
import { priceWords } from "@/components/cost/price-words";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { SelectField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { QuoteView } from "@/lib/domain/plan/quote-view";
import { STATUS_WORDS } from "@/lib/domain/plan/quote-words";

type Props = { act: Act<FormData, null>; quote: QuoteView; trigger: ReactElement };

/** What somebody found out about a price: it is right, it is not known, or it is no price at all. */
export function JudgeDialog({ act, quote, trigger }: Props) {
  return (
    <FormDialog
      trigger={trigger}
      title={`${quote.providerName} ${quote.typeName}, ${priceWords(quote.micros)} an hour`}
      about={`${quote.source}, ${quote.asOf}. A rejected price stays to be seen and is in no comparison.`}
      word="Save"
      act={act}
      fields={["status", "note"]}
      hidden={{ quoteId: quote.id }}
      onDone={() => toast("ok", "Saved", "Comparisons follow at once.")}
    >
      {(failure) => (
        <>
          <SelectField label="It is" name="status" defaultValue={quote.status} error={failure?.fields.status}>
            {Object.entries(STATUS_WORDS).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </SelectField>
          <TextField
            label="What you found"
            name="note"
            defaultValue={quote.note}
            hint="A rejection needs its reason."
            error={failure?.fields.note}
          />
        </>
      )}
    </FormDialog>
  );
}
