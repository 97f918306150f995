"use client";

import { Pencil, Plus, Trash2, X } from "lucide-react";
import { useState } from "react";
import { Confirm } from "@/components/settings/confirm";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Button, IconButton } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { BUDGET_PERIODS, type BudgetEvery } from "@/lib/domain/cost/budget-period";
import { DEFAULT_THRESHOLDS, THRESHOLD_KINDS, type Threshold } from "@/lib/domain/cost/budgets";
import type { BudgetsAnswer, BudgetView } from "@/lib/domain/cost/budgets-view";
import { SCOPE_KEYS, SCOPE_WORDS, type ScopeKey, type Selector } from "@/lib/domain/cost/scope";
import type { Failure } from "@/lib/errors";
import { EVERY_WORDS, ON_WORDS } from "./budget-words";

type What = { name: string; selector: Selector; every: BudgetEvery; usd: string; thresholds: Threshold[] };

export type BudgetVerbs = {
  create: Act<What, { id: string }>;
  change: Act<What & { budgetId: string; version: number }, { id: string }>;
  remove: Act<{ budgetId: string }, { id: string }>;
};

const FIELDS = ["name", "selector", "every", "usd", "thresholds", ...SCOPE_KEYS.map((key) => `selector.${key}`)];

function whatOf(data: FormData): What {
  const text = (field: string) => String(data.get(field) ?? "");
  const pcts = data.getAll("pct").map(String);
  const thresholds = data.getAll("on").flatMap((on, i): Threshold[] => {
    const kind = THRESHOLD_KINDS.find((one) => one === on);
    return kind ? [{ on: kind, pct: Number(pcts[i] ?? Number.NaN) }] : [];
  });
  const selector = Object.fromEntries(SCOPE_KEYS.flatMap((key) => (data.has(key) ? [[key, text(key)]] : [])));
  const every = BUDGET_PERIODS.find((one) => one === text("every")) ?? "month";
  return { name: text("name"), selector, every, usd: text("usd"), thresholds };
}

type Known = BudgetsAnswer["known"];

export function NewBudgetButton({ create, known }: { create: BudgetVerbs["create"]; known: Known }) {
  return (
    <FormDialog
      trigger={
        <Button look="primary" icon={Plus}>
          New budget
        </Button>
      }
      title="New budget"
      about="A limit for what a part of the fleet spends in a period. Rules can tell when a threshold is reached."
      word="Set it up"
      act={(data: FormData) => create(whatOf(data))}
      fields={FIELDS}
      onDone={() => toast("ok", "The budget is set up")}
    >
      {(failure) => <BudgetFields failure={failure} known={known} />}
    </FormDialog>
  );
}

type Changing = { budget: BudgetView; known: Known; verbs: BudgetVerbs };

export function BudgetActions({ budget, known, verbs }: Changing) {
  return (
    <span className="flex justify-end gap-1">
      <FormDialog
        trigger={<IconButton icon={Pencil} size="small" label={`Change the budget ${budget.name}`} />}
        title={`Change ${budget.name}`}
        word="Save"
        act={(data: FormData) => verbs.change({ ...whatOf(data), budgetId: budget.id, version: budget.version })}
        fields={FIELDS}
        onDone={() => toast("ok", "The budget is changed")}
      >
        {(failure) => <BudgetFields failure={failure} known={known} budget={budget} />}
      </FormDialog>
      <Confirm
        trigger={<IconButton icon={Trash2} size="small" label={`Remove the budget ${budget.name}`} />}
        title={`Remove ${budget.name}?`}
        word="Remove"
        done="The budget is removed"
        act={verbs.remove}
        input={{ budgetId: budget.id }}
      >
        Nothing is drawn against it any more, and rules about it have nothing to look at. What was spent stays; Activity
        keeps what it was.
      </Confirm>
    </span>
  );
}

function BudgetFields({ failure, known, budget }: { failure: Failure | null; known: Known; budget?: BudgetView }) {
  const given = SCOPE_KEYS.filter((key) => budget?.selector[key] !== undefined);
  const [scope, setScope] = useState<ScopeKey | "">(given[0] ?? "");
  const errorOf = (field: string) =>
    Object.entries(failure?.fields ?? {}).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1];
  const words = scope === "" ? [] : known[scope];
  const chosen = scope === "" ? undefined : budget?.selector[scope];
  return (
    <>
      <div className="form-pair">
        <SelectField
          label="For"
          value={scope}
          onChange={(event) => setScope(SCOPE_KEYS.find((key) => key === event.target.value) ?? "")}
        >
          <option value="">The fleet</option>
          {SCOPE_KEYS.map((key) => (
            <option key={key} value={key}>
              {SCOPE_WORDS[key]}
            </option>
          ))}
        </SelectField>
        {scope !== "" && (
          <SelectField
            key={scope}
            label="Which"
            name={scope}
            required
            defaultValue={chosen ?? ""}
            error={errorOf("selector")}
          >
            <option value="">Choose one</option>
            {[...new Set([...words, ...(chosen === undefined ? [] : [chosen])])].map((word) => (
              <option key={word}>{word}</option>
            ))}
          </SelectField>
        )}
        {/* What was asked for beside the first word stays as it is. */}
        {given.slice(1).map((key) => (
          <input key={key} type="hidden" name={key} value={budget?.selector[key]} />
        ))}
      </div>
      <div className="form-pair">
        <TextField
          label="Limit"
          name="usd"
          inputMode="decimal"
          unit="USD"
          required
          defaultValue={budget ? dollars(budget.limitMicros) : ""}
          placeholder="12000"
          error={errorOf("usd")}
        />
        <SelectField label="Each" name="every" defaultValue={budget?.every ?? "month"} error={errorOf("every")}>
          {BUDGET_PERIODS.map((every) => (
            <option key={every} value={every}>
              {EVERY_WORDS[every].replace(/^a /, "")}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        label="Name"
        name="name"
        maxLength={120}
        defaultValue={budget?.name ?? ""}
        hint="Empty: named after what it is for"
        error={errorOf("name")}
      />
      <Thresholds given={budget?.thresholds ?? DEFAULT_THRESHOLDS} error={errorOf("thresholds")} />
    </>
  );
}

function Thresholds({ given, error }: { given: readonly Threshold[]; error: string | undefined }) {
  const [rows, setRows] = useState(() => given.map(({ on, pct }, id) => ({ id, on, pct: String(pct) })));
  const next = Math.max(-1, ...rows.map(({ id }) => id)) + 1;
  return (
    <fieldset className="grid gap-2">
      <legend className="field-label pb-1">Thresholds</legend>
      {rows.map((row) => (
        <div key={row.id} className="threshold-row">
          <SelectField label="On" isLabelHidden name="on" defaultValue={row.on}>
            {THRESHOLD_KINDS.map((on) => (
              <option key={on} value={on}>
                {ON_WORDS[on]}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Per cent of the budget"
            isLabelHidden
            name="pct"
            inputMode="decimal"
            unit="%"
            required
            defaultValue={row.pct}
          />
          <IconButton
            icon={X}
            size="small"
            label="Take the threshold away"
            onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
          />
        </div>
      ))}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      {rows.length < 8 && (
        <div>
          <Button size="small" icon={Plus} onClick={() => setRows([...rows, { id: next, on: "actual", pct: "90" }])}>
            Add a threshold
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** Micro-dollars as people type them. */
function dollars(micros: string): string {
  const digits = micros.padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  return `${digits.slice(0, -6)}${fraction === "" ? "" : `.${fraction.padEnd(2, "0")}`}`;
}
