"use client";

import { SelectField, TextAreaField, TextField } from "@/components/ui/field";
import type { RuleDraft } from "@/lib/domain/alerts/draft";
import { metricOf, type RuleMetric } from "@/lib/domain/alerts/rules";
import { AGGREGATES, type Aggregate } from "@/lib/domain/alerts/types";

type Props = {
  draft: RuleDraft;
  set: (change: Partial<RuleDraft>) => void;
  errorOf: (field: string) => string | undefined;
  unit: string;
  /** What a rule about budgets may be about. */
  budgets: readonly { id: string; name: string }[];
};

const AGGREGATE_WORDS: Record<Aggregate, string> = {
  last: "Newest value",
  mean: "Mean",
  min: "Lowest",
  max: "Highest",
  p95: "95th percentile",
  rate: "Rise per second",
  change: "Change",
  count: "Number of samples",
};

const PARAM_WORDS: Record<string, { label: string; unit?: string; hint?: string }> = {
  fallbackC: { label: "Limit where the card names none", unit: "°C" },
  minutes: { label: "Within", unit: "min" },
  codes: { label: "Xid codes", hint: "With commas; empty: all" },
  windowMinutes: { label: "Taken over", unit: "min" },
  name: { label: "Name of the series", hint: "As it was sent" },
  labels: { label: "Labels of the series", hint: "name=value, with commas" },
  targetPct: { label: "Target", unit: "%" },
  windowDays: { label: "Over", unit: "days" },
  latencyMs: { label: "Fast enough below", unit: "ms" },
};

/** What this metric lets a rule set beside its threshold: a window, a second level, and parameters of its own. */
export function MetricFields({ draft, set, errorOf, unit, budgets }: Props) {
  const metric = metricOf(draft.kind, draft.metric);
  if (!metric) return null;
  const isLevelled = draft.severity !== "critical" && draft.comparison !== "equal" && draft.comparison !== "not_equal";
  return (
    <div className="form-pair">
      {metric.isSeries && <WindowFields draft={draft} set={set} errorOf={errorOf} />}
      {isLevelled && (
        <TextField
          label="Critical from"
          name="critical"
          inputMode="decimal"
          unit={unit}
          value={draft.critical}
          onChange={(event) => set({ critical: event.target.value })}
          hint="Empty: it stays as it is"
          error={errorOf("params.critical")}
        />
      )}
      {metric.target === "budget" && (
        <SelectField
          label="Budget"
          name="budgetId"
          value={draft.budgetId}
          onChange={(event) => set({ budgetId: event.target.value })}
          error={errorOf("budgetId")}
        >
          <option value="">Every budget</option>
          {budgets.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {Object.entries(metric.params ?? {}).map(([name, otherwise]) => (
        <TextField
          key={name}
          label={PARAM_WORDS[name]?.label ?? name}
          name={`params.${name}`}
          unit={PARAM_WORDS[name]?.unit}
          value={draft.params[name] ?? ""}
          onChange={(event) => set({ params: { ...draft.params, [name]: event.target.value } })}
          hint={hintOf(name, otherwise)}
          error={errorOf(`params.${name}`)}
        />
      ))}
    </div>
  );
}

function hintOf(name: string, otherwise: NonNullable<RuleMetric["params"]>[string]): string | undefined {
  if (otherwise === null || otherwise === undefined || otherwise === "") return PARAM_WORDS[name]?.hint;
  return `Empty: ${otherwise}`;
}

function WindowFields({ draft, set, errorOf }: Omit<Props, "unit" | "budgets">) {
  return (
    <>
      <SelectField
        label="Compared"
        name="aggregate"
        value={draft.aggregate}
        onChange={(event) => {
          const aggregate = AGGREGATES.find((one) => one === event.target.value);
          if (aggregate) set({ aggregate, windowMinutes: aggregate === "last" ? "0" : draft.windowMinutes });
        }}
        error={errorOf("aggregate")}
      >
        {AGGREGATES.map((one) => (
          <option key={one} value={one}>
            {AGGREGATE_WORDS[one]}
          </option>
        ))}
      </SelectField>
      {draft.aggregate !== "last" && (
        <TextField
          label="Over the last"
          name="windowMinutes"
          inputMode="decimal"
          unit="min"
          value={draft.windowMinutes}
          onChange={(event) => set({ windowMinutes: event.target.value })}
          error={errorOf("windowMinutes")}
        />
      )}
    </>
  );
}

/** Words of its alerts, and what to do step by step. */
export function RunbookFields({ draft, set, errorOf }: Omit<Props, "unit" | "budgets">) {
  return (
    <>
      <TextField
        label="Labels of its alerts"
        name="labels"
        className="mono"
        value={draft.labels}
        onChange={(event) => set({ labels: event.target.value })}
        hint="name=value, with commas; routes and silences find them"
        error={errorOf("labels")}
      />
      <TextAreaField
        label="Runbook"
        name="runbook"
        rows={6}
        value={draft.runbook}
        maxLength={20_000}
        onChange={(event) => set({ runbook: event.target.value })}
        hint="{instance}, {address}, {gpu}, {uuid} and {team} are filled in"
        error={errorOf("runbook")}
      />
    </>
  );
}
