"use client";

import type { ReactElement } from "react";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { SelectField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { PriceLine, PricesAnswer } from "@/lib/domain/cost/price-view";
import { formatCount } from "@/lib/domain/format";
import { toLocalInput } from "@/lib/domain/local-input";
import { priceWords, skuWords } from "./price-words";

const FIELDS = ["sku", "region", "unit", "tier", "price", "from", "to", "note"] as const;

type Props = {
  act: Act<FormData, { replaced: number }>;
  data: PricesAnswer;
  /** The interval that was wrong; absent: a new one. */
  price?: PriceLine;
  trigger: ReactElement;
};

/** A price by hand, from any instant on; or another one in the place of an interval that was wrong. */
export function PriceDialog({ act, data, price, trigger }: Props) {
  const { zone } = data;
  const at = (instant: number | null | undefined) =>
    instant == null || instant <= 0 ? "" : toLocalInput(instant, zone);
  return (
    <FormDialog
      trigger={trigger}
      title={price ? `Correct the price of ${skuWords(price.sku)}` : "Add a price"}
      about={`Times are of the accounting zone, ${zone}. What was believed of that time is kept in the history.`}
      word={price ? "Correct" : "Add"}
      act={act}
      fields={FIELDS}
      {...(price && {
        hidden: { sku: price.sku, region: price.region, unit: price.unit, tier: price.tier },
      })}
      onDone={({ replaced }) =>
        toast(
          "ok",
          "The price is written down",
          replaced > 0
            ? `It takes the place of ${formatCount(replaced, "interval")}; the ledger follows within a minute.`
            : "The ledger follows within a minute.",
        )
      }
    >
      {(failure) => (
        <>
          {!price && <Thing data={data} fields={failure?.fields ?? {}} />}
          <TextField
            label="Price"
            name="price"
            inputMode="decimal"
            unit="USD"
            required
            defaultValue={price ? priceWords(price.micros).slice(1) : ""}
            error={failure?.fields.price}
          />
          <div className="grid grid-cols-2 gap-3 max-[700px]:grid-cols-1">
            <TextField
              label="Holds from"
              name="from"
              type="datetime-local"
              required
              defaultValue={price ? at(price.from) || "1970-01-01T00:00" : at(data.now)}
              error={failure?.fields.from}
            />
            <TextField
              label="Until"
              name="to"
              type="datetime-local"
              defaultValue={at(price?.to)}
              hint="Empty: until another price is known"
              error={failure?.fields.to}
            />
          </div>
          <TextField
            label="Note"
            name="note"
            maxLength={300}
            placeholder={price ? "Why it was wrong" : "Where it comes from"}
            error={failure?.fields.note}
          />
        </>
      )}
    </FormDialog>
  );
}

function Thing({ data, fields }: { data: PricesAnswer; fields: Record<string, string> }) {
  return (
    <>
      <TextField
        label="Instance type, or filesystem"
        name="sku"
        required
        list="price-skus"
        spellCheck={false}
        error={fields.sku}
      />
      <datalist id="price-skus">
        {["filesystem", ...data.skus].map((sku) => (
          <option key={sku} value={sku} />
        ))}
      </datalist>
      <div className="grid grid-cols-2 gap-3 max-[700px]:grid-cols-1">
        <SelectField label="Region" name="region" defaultValue="*" error={fields.region}>
          <option value="*">Every region</option>
          {data.regions.map((region) => (
            <option key={region}>{region}</option>
          ))}
        </SelectField>
        <SelectField label="Unit" name="unit" defaultValue="instance_hour" error={fields.unit}>
          <option value="instance_hour">Instance and hour</option>
          <option value="gib_month">GiB and month (720 h)</option>
        </SelectField>
      </div>
      <SelectField
        label="Kind"
        name="tier"
        defaultValue="negotiated"
        error={fields.tier}
        hint="A negotiated rate is billed as long as it holds. A list price holds until Lambda’s list says something new."
      >
        <option value="negotiated">Negotiated rate</option>
        <option value="on_demand">List price</option>
      </SelectField>
    </>
  );
}
