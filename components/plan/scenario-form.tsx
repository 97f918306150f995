"use client";

import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import type { CostLine, Price, ScenarioBody } from "@/lib/domain/plan/scenario-body";
import { NEW_LINE } from "./scenario-draft";

type Props<B> = { body: B; onChange: (body: ScenarioBody) => void };
type Of<K extends ScenarioBody["kind"]> = Extract<ScenarioBody, { kind: K }>;

/** The numbers of a scenario; what they come to follows each key. */
export function ScenarioForm({ body, onChange }: Props<ScenarioBody>) {
  if (body.kind === "costs") return <CostsForm body={body} onChange={onChange} />;
  if (body.kind === "move") return <MoveForm body={body} onChange={onChange} />;
  return <TrainingForm body={body} onChange={onChange} />;
}

type NumberProps = {
  label: string;
  value: string;
  unit?: string;
  placeholder?: string;
  onType: (value: string) => void;
};

function NumberField({ label, value, unit, placeholder, onType }: NumberProps) {
  const isWrong = !(/^\d{1,9}(\.\d{1,6})?$/.test(value) || (value === "" && placeholder !== undefined));
  return (
    <TextField
      label={label}
      inputMode="decimal"
      value={value}
      placeholder={placeholder}
      error={isWrong ? "a number" : undefined}
      {...(unit !== undefined && { unit })}
      onChange={({ target }) => onType(target.value.trim())}
    />
  );
}

function PriceFields({ label, price, onType }: { label: string; price: Price; onType: (price: Price) => void }) {
  return (
    <>
      <NumberField label={label} value={price.usd} unit="$/h" onType={(usd) => onType({ ...price, usd })} />
      <TextField
        label="Source"
        value={price.source}
        placeholder="typed"
        onChange={({ target }) => onType({ ...price, source: target.value })}
      />
      <TextField
        label="Price of"
        type="date"
        value={price.asOf}
        onChange={({ target }) => onType({ ...price, asOf: target.value })}
      />
    </>
  );
}

function CostsForm({ body, onChange }: Props<Of<"costs">>) {
  const setLine = (index: number, line: CostLine) =>
    onChange({ ...body, lines: body.lines.map((one, i) => (i === index ? line : one)) });
  return (
    <div className="scenario-lines">
      {body.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own, and keep their order
        <fieldset key={index} className="scenario-line">
          <legend className="sr-only">{line.name}</legend>
          <TextField
            label="Name"
            value={line.name}
            onChange={({ target }) => setLine(index, { ...line, name: target.value })}
          />
          <NumberField label="Machines" value={line.count} onType={(count) => setLine(index, { ...line, count })} />
          <NumberField
            label="Hours"
            value={line.hours}
            unit="h"
            onType={(hours) => setLine(index, { ...line, hours })}
          />
          <SelectField
            label="in a"
            value={line.every}
            onChange={({ target }) => {
              const every = (["day", "week", "month"] as const).find((one) => one === target.value) ?? "day";
              setLine(index, { ...line, every });
            }}
          >
            <option value="day">day</option>
            <option value="week">week</option>
            <option value="month">month</option>
          </SelectField>
          {line.every === "day" && (
            <NumberField
              label="on days"
              value={line.days}
              unit="d"
              onType={(days) => setLine(index, { ...line, days })}
            />
          )}
          <PriceFields label="Price" price={line.price} onType={(price) => setLine(index, { ...line, price })} />
          <IconButton
            icon={Trash2}
            look="ghost"
            label={`Remove ${line.name}`}
            disabled={body.lines.length === 1}
            onClick={() => onChange({ ...body, lines: body.lines.filter((_, i) => i !== index) })}
          />
        </fieldset>
      ))}
      <div className="scenario-row">
        <Button size="small" icon={Plus} onClick={() => onChange({ ...body, lines: [...body.lines, NEW_LINE] })}>
          Line
        </Button>
        <SelectField
          label="Weeks of a month"
          value={body.weeks}
          onChange={({ target }) => onChange({ ...body, weeks: target.value === "4" ? "4" : "52/12" })}
        >
          <option value="52/12">52 ÷ 12</option>
          <option value="4">4</option>
        </SelectField>
      </div>
    </div>
  );
}

function MoveForm({ body, onChange }: Props<Of<"move">>) {
  const set = (given: Partial<Of<"move">>) => onChange({ ...body, ...given });
  return (
    <div className="scenario-lines">
      <fieldset className="scenario-line">
        <legend className="scenario-legend">Now</legend>
        <NumberField
          label="Spent in a month"
          value={body.monthlyUsd}
          unit="$"
          onType={(monthlyUsd) => set({ monthlyUsd })}
        />
        <PriceFields
          label="Price of the machine"
          price={body.from}
          onType={(price) => set({ from: { ...body.from, ...price } })}
        />
        <NumberField
          label="GPUs in it"
          value={body.from.gpus}
          onType={(gpus) => set({ from: { ...body.from, gpus } })}
        />
      </fieldset>
      <fieldset className="scenario-line">
        <legend className="scenario-legend">There</legend>
        <PriceFields label="Price of a GPU" price={body.to} onType={(to) => set({ to })} />
        <NumberField label="Work of a GPU there" value={body.speedup} unit="×" onType={(speedup) => set({ speedup })} />
      </fieldset>
      <fieldset className="scenario-line">
        <legend className="scenario-legend">Beside the machines</legend>
        <NumberField
          label="Set-up that falls away"
          value={body.setupHours}
          unit="h/month"
          onType={(setupHours) => set({ setupHours })}
        />
        <NumberField
          label="at"
          value={body.setupUsdPerHour}
          unit="$/h"
          onType={(setupUsdPerHour) => set({ setupUsdPerHour })}
        />
        <NumberField
          label="The move costs once"
          value={body.migrationUsd}
          unit="$"
          placeholder="not said"
          onType={(migrationUsd) => set({ migrationUsd })}
        />
      </fieldset>
    </div>
  );
}

function TrainingForm({ body, onChange }: Props<Of<"training">>) {
  const set = (given: Partial<Of<"training">>) => onChange({ ...body, ...given });
  return (
    <fieldset className="scenario-line">
      <legend className="sr-only">The training</legend>
      <NumberField label="It costs" value={body.totalUsd} unit="$" onType={(totalUsd) => set({ totalUsd })} />
      <NumberField label="The other offer" value={body.otherUsd} unit="$" onType={(otherUsd) => set({ otherUsd })} />
      <NumberField label="GPUs" value={body.gpus} onType={(gpus) => set({ gpus })} />
      <NumberField label="Days" value={body.days} unit="d" onType={(days) => set({ days })} />
    </fieldset>
  );
}
