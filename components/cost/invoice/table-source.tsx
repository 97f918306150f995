"use client";

import { useRef, useState } from "react";
import { Refusal } from "@/components/settings/refusal";
import { useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { SelectField, TextAreaField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { formatCount } from "@/lib/domain/format";
import { DECIMAL_MARKS, UNITS, type Unit } from "@/lib/domain/invoice/amount";
import { DATE_ORDERS } from "@/lib/domain/invoice/date";
import { FIELD_WORDS, FIELDS } from "@/lib/domain/invoice/fields";
import type { Mapping } from "@/lib/domain/invoice/mapping";
import type { PreviewAnswer } from "@/lib/domain/invoice/view";
import { LineTable } from "./lines-panel";
import type { NewInvoiceActs } from "./new-invoice";

type Props = {
  way: "file" | "paste";
  act: NewInvoiceActs["preview"];
  preview: PreviewAnswer | null;
  onFound: (preview: PreviewAnswer | null, sent: FormData | null) => void;
};

/** A table from a file or from the clipboard: what its columns are, and its first lines as they were understood. */
export function TableSource({ way, act, preview, onFound }: Props) {
  const { run, failure, isPending, clear } = useAct(act);
  const [text, setText] = useState("");
  const source = useRef<FormData | null>(null);
  const look = (form: FormData, mapping?: Mapping) => {
    source.current = form;
    const asked = new FormData();
    for (const [name, value] of form) asked.set(name, value);
    if (mapping) asked.set("mapping", JSON.stringify(mapping));
    run(asked, (answer) => onFound(answer, form));
  };
  const change = (mapping: Mapping) => source.current && look(source.current, mapping);
  return (
    <div className="invoice-form">
      {way === "file" ? (
        <TextField
          label="CSV file"
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          hint="Comma, semicolon or tab; up to 2 MiB and 20,000 lines. It is kept as it is."
          onChange={({ currentTarget: { files } }) => {
            const [file] = files ?? [];
            clear();
            onFound(null, null);
            if (!file) return;
            const form = new FormData();
            form.set("file", file);
            look(form);
          }}
        />
      ) : (
        <>
          <TextAreaField
            label="The table, with its heads"
            rows={8}
            className="mono"
            spellCheck={false}
            value={text}
            placeholder={"Description\tInstance ID\tHours\tAmount"}
            onChange={({ currentTarget: { value } }) => {
              setText(value);
              onFound(null, null);
            }}
          />
          <p>
            <Button
              size="small"
              isPending={isPending}
              disabled={text.trim() === ""}
              onClick={() => {
                const form = new FormData();
                form.set("csv", text);
                look(form);
              }}
            >
              Read the table
            </Button>
          </p>
        </>
      )}
      <Refusal failure={failure} />
      {preview && (
        <>
          <MappingFields preview={preview} onChange={change} />
          <Problems preview={preview} />
          {preview.lines.length > 0 && (
            <div>
              <p className="field-hint">
                {preview.lines.length < preview.count
                  ? `The first ${preview.lines.length} of ${formatCount(preview.count, "line")}`
                  : formatCount(preview.count, "line")}{" "}
                as understood
              </p>
              <LineTable label="First lines as understood" lines={preview.lines} />
            </div>
          )}
        </>
      )}
    </div>
  );
}

const UNIT_WORDS: Record<Unit, string> = {
  minutes: "minutes",
  hours: "hours",
  seconds: "seconds",
  gib_hours: "GiB-hours",
  gib_months: "GiB-months",
};

function MappingFields({ preview, onChange }: { preview: PreviewAnswer; onChange: (mapping: Mapping) => void }) {
  const { mapping, heads } = preview;
  return (
    <fieldset>
      <legend className="field-label">Columns</legend>
      <div className="invoice-map">
        {FIELDS.map((field) => (
          <SelectField
            key={field}
            label={FIELD_WORDS[field]}
            value={mapping.columns[field] ?? ""}
            onChange={({ currentTarget: { value } }) => {
              const { [field]: _before, ...others } = mapping.columns;
              onChange({ ...mapping, columns: value === "" ? others : { ...others, [field]: value } });
            }}
          >
            <option value="">not in the table</option>
            {heads.map((head) => (
              <option key={head} value={head}>
                {head}
              </option>
            ))}
          </SelectField>
        ))}
        <SelectField
          label="Numbers"
          value={mapping.decimal}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...mapping, decimal: DECIMAL_MARKS.find((one) => one === value) ?? "point" })
          }
        >
          <option value="point">1,234.56</option>
          <option value="comma">1.234,56</option>
        </SelectField>
        <SelectField
          label="Dates of three numbers"
          value={mapping.dateOrder ?? ""}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...mapping, dateOrder: DATE_ORDERS.find((one) => one === value) ?? null })
          }
        >
          <option value="">where it is clear</option>
          <option value="mdy">month, day, year</option>
          <option value="dmy">day, month, year</option>
        </SelectField>
        <SelectField
          label="Quantities in"
          value={mapping.unit}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...mapping, unit: UNITS.find((one) => one === value) ?? "hours" })
          }
        >
          {UNITS.map((unit) => (
            <option key={unit} value={unit}>
              {UNIT_WORDS[unit]}
            </option>
          ))}
        </SelectField>
      </div>
    </fieldset>
  );
}

const MOST_SHOWN = 8;

function Problems({ preview: { problems, problemCount, skipped, known } }: { preview: PreviewAnswer }) {
  return (
    <>
      {known !== null && (
        <Note tone="crit">
          <b>This file was entered before,</b> as invoice {known}. It is not taken a second time.
        </Note>
      )}
      {problemCount > 0 && (
        <Note tone="crit">
          <b>{formatCount(problemCount, "problem")}.</b> Nothing can be entered until every line can be read.
          {problems.slice(0, MOST_SHOWN).map(({ at, message }) => (
            <span key={`${at} ${message}`} className="invoice-why">
              {at > 0 && `Line ${at}: `}
              {message}
            </span>
          ))}
          {problemCount > MOST_SHOWN && <span className="invoice-why">and {problemCount - MOST_SHOWN} more</span>}
        </Note>
      )}
      {skipped.length > 0 && (
        <p className="field-hint">
          Left out as sums: {skipped.map(({ at, text }) => `line ${at} (${text})`).join(", ")}
        </p>
      )}
    </>
  );
}
