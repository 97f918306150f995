"use client";

import { Save } from "lucide-react";
import type { FormEvent } from "react";
import { NotSaved, WorkloadChecks } from "@/components/page/written";
import { Button } from "@/components/ui/button";
import { SelectField, TextAreaField, TextField } from "@/components/ui/field";
import { COMPARISON_WORDS } from "@/lib/domain/alerts/condition";
import {
  draftUnit,
  METRIC_CHOICES,
  type RuleDraft,
  WRITTEN_SELECTORS,
  type WrittenSelector,
  withMetric,
} from "@/lib/domain/alerts/draft";
import { SEVERITY_WORDS } from "@/lib/domain/alerts/message";
import type { RuleFormAnswer } from "@/lib/domain/alerts/rule-view";
import { metricOf, type RuleKind } from "@/lib/domain/alerts/rules";
import { COMPARISONS, type NoData, SEVERITIES } from "@/lib/domain/alerts/types";
import type { Failure } from "@/lib/errors";
import { MetricFields, RunbookFields } from "./rule-form-more";

const KIND_WORDS: Record<RuleKind, string> = {
  gpu_metric: "Measured on each GPU",
  event: "Errors in the kernel log",
  telemetry: "Reports and rules that stay away",
  inventory: "What Lambda says",
  workload_metric: "What runs and services say",
  money: "Money",
  drift: "What was declared",
};

const NO_DATA_WORDS: Record<NoData, string> = {
  unknown: "Unknown: keep it open, never resolve",
  alert: "Take silence for the alert",
  ok: "Take silence for fine",
};

const SELECTORS = WRITTEN_SELECTORS;
const SELECTOR_WORDS: Record<WrittenSelector, string> = {
  team: "Team",
  project: "Project",
  environment: "Environment",
  type: "Instance type",
  instance: "Instance",
  region: "Region",
  model: "GPU model",
  gpu: "GPU by UUID",
  tag: "Tag",
  run: "Run",
};

type Props = {
  draft: RuleDraft;
  onChange: (draft: RuleDraft) => void;
  onSave: () => void;
  isPending: boolean;
  failure: Failure | null;
  known: RuleFormAnswer["known"];
  /** It exists: what it looks at stays, as its alerts are about that. */
  isStored: boolean;
  /** This role changes rules. */
  canWrite: boolean;
};

/** A rule as a person writes it. What the server refuses stands beside its field. */
export function RuleForm({ draft, onChange, onSave, isPending, failure, known, isStored, canWrite }: Props) {
  const errorOf = (field: string) =>
    Object.entries(failure?.fields ?? {}).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1];
  const set = (change: Partial<RuleDraft>) => onChange({ ...draft, ...change });
  const unit = draftUnit(draft.kind, draft.metric);
  const target = metricOf(draft.kind, draft.metric)?.target;
  const hasTargets = target === "gpu" || target === "instance" || target === "run";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <form className="rule-form" onSubmit={submit} noValidate>
      <NotSaved what="rule" failure={failure} />
      <fieldset disabled={!canWrite} className="contents">
        <TextField
          label="Name"
          name="name"
          value={draft.name}
          maxLength={120}
          onChange={(event) => set({ name: event.target.value })}
          error={errorOf("name")}
        />
        <SelectField
          label="Looks at"
          name="metric"
          value={`${draft.kind}.${draft.metric}`}
          onChange={(event) => {
            const [kind, metric] = event.target.value.split(".");
            const choice = METRIC_CHOICES.find((one) => one.kind === kind);
            if (choice && metric) onChange(withMetric(draft, choice.kind, metric));
          }}
          error={errorOf("metric") ?? errorOf("kind")}
        >
          {METRIC_CHOICES.filter(({ kind }) => !isStored || kind === draft.kind).map(({ kind, metrics }) => (
            <optgroup key={kind} label={KIND_WORDS[kind]}>
              {metrics.map(({ metric, label }) => (
                <option key={metric} value={`${kind}.${metric}`}>
                  {label}
                </option>
              ))}
            </optgroup>
          ))}
        </SelectField>
        <div className="form-pair">
          <SelectField
            label="Fires when it is"
            name="comparison"
            value={draft.comparison}
            onChange={(event) => {
              const comparison = COMPARISONS.find((one) => one === event.target.value);
              if (comparison) set({ comparison });
            }}
            error={errorOf("comparison")}
          >
            {COMPARISONS.map((one) => (
              <option key={one} value={one}>
                {COMPARISON_WORDS[one]}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Threshold"
            name="threshold"
            inputMode="decimal"
            unit={unit}
            value={draft.threshold}
            onChange={(event) => set({ threshold: event.target.value })}
            error={errorOf("threshold")}
          />
          <TextField
            label="For at least"
            name="forMinutes"
            inputMode="decimal"
            unit="min"
            value={draft.forMinutes}
            onChange={(event) => set({ forMinutes: event.target.value })}
            error={errorOf("forMinutes")}
          />
          <SelectField
            label="Severity"
            name="severity"
            value={draft.severity}
            onChange={(event) => {
              const severity = SEVERITIES.find((one) => one === event.target.value);
              if (severity) set({ severity });
            }}
            error={errorOf("severity")}
          >
            {SEVERITIES.map((one) => (
              <option key={one} value={one}>
                {SEVERITY_WORDS[one]}
              </option>
            ))}
          </SelectField>
        </div>
        <MetricFields draft={draft} set={set} errorOf={errorOf} unit={unit} budgets={known.budget} />
        {hasTargets && (
          <>
            <fieldset className="workloads">
              <legend className="field-label">Workload</legend>
              <WorkloadChecks<string> chosen={draft.workload} onChange={(workload) => set({ workload })} />
              <p className="field-hint">None ticked: all of them.</p>
              {errorOf("selector.workload") && <p className="field-error">{errorOf("selector.workload")}</p>}
            </fieldset>
            <details open={SELECTORS.some((key) => draft[key] !== "" || errorOf(`selector.${key}`))}>
              <summary className="link">Only some teams, types, instances, models or tags</summary>
              <div className="form-pair pt-2">
                {SELECTORS.map((key) => (
                  <TextField
                    key={key}
                    label={SELECTOR_WORDS[key]}
                    name={key}
                    className="mono"
                    value={draft[key]}
                    onChange={(event) => set({ [key]: event.target.value })}
                    hint={knownWords(
                      key === "team" || key === "type" || key === "instance" || key === "region" ? known[key] : [],
                    )}
                    error={errorOf(`selector.${key}`)}
                  />
                ))}
              </div>
            </details>
          </>
        )}
        <details
          open={["clearThreshold", "keepFiringMinutes", "intervalSeconds", "noData"].some((key) => errorOf(key))}
        >
          <summary className="link">Clearing, missing data, how often</summary>
          <div className="form-pair pt-2">
            <TextField
              label="Clears at"
              name="clearThreshold"
              inputMode="decimal"
              unit={unit}
              value={draft.clearThreshold}
              onChange={(event) => set({ clearThreshold: event.target.value })}
              hint="Empty: at the threshold"
              error={errorOf("clearThreshold")}
            />
            <TextField
              label="Held open after"
              name="keepFiringMinutes"
              inputMode="decimal"
              unit="min"
              value={draft.keepFiringMinutes}
              onChange={(event) => set({ keepFiringMinutes: event.target.value })}
              hint="Against flapping"
              error={errorOf("keepFiringMinutes")}
            />
            <TextField
              label="Judged every"
              name="intervalSeconds"
              inputMode="decimal"
              unit="s"
              value={draft.intervalSeconds}
              onChange={(event) => set({ intervalSeconds: event.target.value })}
              error={errorOf("intervalSeconds")}
            />
            {target === "gpu" && (
              <TextField
                label="Silence is borne for"
                name="lookbackMinutes"
                inputMode="decimal"
                unit="min"
                value={draft.lookbackMinutes}
                onChange={(event) => set({ lookbackMinutes: event.target.value })}
                hint="Empty: three of its intervals"
                error={errorOf("lookbackMinutes")}
              />
            )}
            {target === "gpu" && (
              <SelectField
                label="When data are missing"
                name="noData"
                value={draft.noData}
                onChange={(event) => {
                  const noData = NO_DATA_KEYS.find((one) => one === event.target.value);
                  if (noData) set({ noData });
                }}
                error={errorOf("noData")}
              >
                {NO_DATA_KEYS.map((one) => (
                  <option key={one} value={one}>
                    {NO_DATA_WORDS[one]}
                  </option>
                ))}
              </SelectField>
            )}
          </div>
        </details>
        <TextAreaField
          label="What to do"
          name="action"
          value={draft.action}
          maxLength={1000}
          onChange={(event) => set({ action: event.target.value })}
          hint="Stands on the alert and in every message"
          error={errorOf("action")}
        />
        <TextAreaField
          label="Why this limit"
          name="reason"
          value={draft.reason}
          maxLength={1000}
          onChange={(event) => set({ reason: event.target.value })}
          error={errorOf("reason")}
        />
        <RunbookFields draft={draft} set={set} errorOf={errorOf} />
      </fieldset>
      {canWrite ? (
        <Button look="primary" type="submit" icon={Save} isPending={isPending}>
          {isStored ? "Save the rule" : "Create the rule"}
        </Button>
      ) : (
        <p className="muted">Your role sees rules and does not change them.</p>
      )}
    </form>
  );
}

const NO_DATA_KEYS = ["unknown", "alert", "ok"] as const satisfies NoData[];

function knownWords(words: readonly string[]): string {
  if (words.length === 0) return "Several with commas";
  const shown = words.slice(0, 4).join(", ");
  return `Now: ${shown}${words.length > 4 ? `, ${words.length - 4} more` : ""}`;
}
