"use client";

import { Plus, X } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { type LineTexts, readLine } from "@/lib/domain/invoice/lines";

const TYPED_FIELDS = ["description", "resource", "quantity", "amount"] as const;
type TypedField = (typeof TYPED_FIELDS)[number];
export type TypedLine = Record<TypedField, string> & { id: string };

let made = 0;

export const emptyLine = (): TypedLine => ({
  id: String(++made),
  description: "",
  resource: "",
  quantity: "",
  amount: "",
});

const HOW = { decimal: "point", dateOrder: null, unit: "hours" } as const;
const isBlank = (line: TypedLine) => TYPED_FIELDS.every((field) => line[field].trim() === "");
const textsOf = ({ id: _id, ...texts }: TypedLine): LineTexts => texts;

/** The lines as far as they can be read, with their running sum. */
export function readTyped(lines: readonly TypedLine[]) {
  const filled = lines.filter((line) => !isBlank(line));
  const read = filled.map((line) => readLine(textsOf(line), HOW));
  return {
    texts: filled.map(textsOf),
    count: read.filter(({ line }) => line !== null).length,
    problems: read.filter(({ line }) => line === null).length,
    sumMicros: read.reduce((all, { line }) => all + (line?.micros ?? 0n), 0n),
  };
}

type Props = {
  lines: TypedLine[];
  onChange: (lines: TypedLine[]) => void;
  /** The paper that they are typed from. */
  onAttach: (file: File | null) => void;
};

export function TypedLines({ lines, onChange, onAttach }: Props) {
  const set = (id: string, field: TypedField, value: string) =>
    onChange(lines.map((line) => (line.id === id ? { ...line, [field]: value } : line)));
  return (
    <div className="invoice-form">
      {lines.map((line, i) => (
        <Line
          key={line.id}
          line={line}
          place={i + 1}
          onChange={(field, value) => set(line.id, field, value)}
          onRemove={() => onChange(lines.filter(({ id }) => id !== line.id))}
        />
      ))}
      <p>
        <Button size="small" icon={Plus} onClick={() => onChange([...lines, emptyLine()])}>
          Add a line
        </Button>
      </p>
      <p className="field-hint">
        A line is matched by the machine’s id or name, else by the type and region in its description. Tax and credits
        are lines of their own; a credit is negative.
      </p>
      <TextField
        label="The file they are typed from"
        type="file"
        accept=".pdf,.csv,.txt,.xlsx,image/*"
        hint="Kept with the invoice; up to 2 MiB"
        onChange={({ currentTarget: { files } }) => onAttach(files?.[0] ?? null)}
      />
    </div>
  );
}

type LineProps = {
  line: TypedLine;
  place: number;
  onChange: (field: TypedField, value: string) => void;
  onRemove: () => void;
};

function Line({ line, place, onChange, onRemove }: LineProps) {
  const { problems } = isBlank(line) ? { problems: [] } : readLine(textsOf(line), HOW);
  const field = (name: TypedField, label: string, unit?: string) => (
    <TextField
      label={`${label}, line ${place}`}
      isLabelHidden
      placeholder={label}
      value={line[name]}
      {...(unit !== undefined && { unit })}
      {...((name === "quantity" || name === "amount") && { inputMode: "decimal" as const })}
      onChange={({ currentTarget: { value } }) => onChange(name, value)}
      error={problems.find((one) => one.field === name)?.message}
    />
  );
  return (
    <div className="invoice-typed">
      {field("description", "Description")}
      {field("resource", "Machine, id or name")}
      {field("quantity", "Quantity", "h")}
      {field("amount", "Amount", "USD")}
      <IconButton look="ghost" icon={X} label={`Remove line ${place}`} onClick={onRemove} />
    </div>
  );
}
