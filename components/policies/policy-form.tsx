"use client";

import { Save } from "lucide-react";
import type { FormEvent, ReactNode } from "react";
import { NotSaved, WorkloadChecks } from "@/components/page/written";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import type { PolicyChoices } from "@/lib/domain/policies/view";
import type { Failure } from "@/lib/errors";
import type { PolicyDraft } from "./draft";
import { KindFields } from "./kind-fields";

type Props = {
  draft: PolicyDraft;
  onChange: (draft: PolicyDraft) => void;
  onSave: () => void;
  isPending: boolean;
  failure: Failure | null;
  choices: PolicyChoices;
  canWrite: boolean;
  /** What saving does to a policy that stands. */
  remark: ReactNode;
};

/** A policy as a person writes it. What the server refuses stands beside its field. */
export function PolicyForm({ draft, onChange, onSave, isPending, failure, choices, canWrite, remark }: Props) {
  const errorOf = (field: string) =>
    Object.entries(failure?.fields ?? {}).find(([name]) => name.replace(/^policy\./, "").startsWith(field))?.[1];
  const set = (change: Partial<PolicyDraft>) => onChange({ ...draft, ...change });
  const select = (change: Partial<PolicyDraft["selector"]>) => set({ selector: { ...draft.selector, ...change } });
  const hasMachines =
    draft.kind !== "capacity_watch" && !(draft.kind === "budget_guard" && draft.params.act !== "terminate");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <form className="policy-form" onSubmit={submit} noValidate>
      <NotSaved what="policy" failure={failure} />
      <fieldset disabled={!canWrite} className="contents">
        <TextField
          label="Name"
          name="name"
          value={draft.name}
          maxLength={120}
          onChange={(event) => set({ name: event.target.value })}
          error={errorOf("name")}
        />
        <KindFields
          draft={draft}
          onParams={(params) => set({ params: { ...draft.params, ...params } })}
          onZone={(zone) => set({ zone })}
          errorOf={errorOf}
          choices={choices}
        />
        {hasMachines && (
          <fieldset className="policy-part">
            <legend className="field-label">Which instances</legend>
            <div className="policy-checks">
              <WorkloadChecks chosen={draft.selector.workload} onChange={(workload) => select({ workload })} />
            </div>
            <div className="form-pair">
              {(["team", "type", "instance"] as const).map((key) => (
                <TextField
                  key={key}
                  label={{ team: "Teams", type: "Types", instance: "Instances" }[key]}
                  list={`policy-${key}`}
                  placeholder="any"
                  value={draft.selector[key]}
                  onChange={(event) => select({ [key]: event.target.value })}
                  error={errorOf(`selector.${key}`)}
                />
              ))}
            </div>
            <p className="field-hint">
              Separate by commas. What is left open fits all. Protected, reserved and outside instances are never ended.
            </p>
            <Known id="policy-team" words={choices.teams} />
            <Known id="policy-type" words={choices.types} />
            <Known id="policy-instance" words={choices.instances} />
          </fieldset>
        )}
        <div className="form-pair">
          <TextField
            label="At most"
            type="number"
            min={1}
            max={100}
            unit="acts an hour"
            value={draft.maxPerHour}
            onChange={(event) => set({ maxPerHour: event.target.value })}
            error={errorOf("maxPerHour")}
          />
          <TextField
            label="Cool-down"
            type="number"
            min={0}
            unit="min"
            value={draft.cooldownMinutes}
            onChange={(event) => set({ cooldownMinutes: event.target.value })}
            hint="Between two acts on the same instance."
            error={errorOf("cooldownMinutes")}
          />
        </div>
        {canWrite && (
          <div className="policy-save">
            <Button type="submit" look="primary" icon={Save} isPending={isPending}>
              Save
            </Button>
            <span className="muted">{remark}</span>
          </div>
        )}
      </fieldset>
    </form>
  );
}

export function Known({ id, words }: { id: string; words: readonly string[] }) {
  return (
    <datalist id={id}>
      {words.map((word) => (
        <option key={word} value={word} />
      ))}
    </datalist>
  );
}
