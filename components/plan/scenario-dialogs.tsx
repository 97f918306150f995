"use client";

import { PiggyBank, Save } from "lucide-react";
import { useState } from "react";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { SelectField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { ScenariosAnswer } from "@/lib/domain/plan/scenario-view";
import type { Draft } from "./scenario-draft";

type Kept = { name: string; isShared: boolean; body: unknown };
export type ScenarioActs = {
  create: Act<Kept, { id: string }>;
  change: Act<Kept & { id: string; version: number }, { id: string }>;
  remove: Act<{ id: string }, { id: string }>;
  toBudget: Act<FormData, { id: string }>;
};

const text = (data: FormData, name: string) => String(data.get(name) ?? "");

/** Keeps a draft by name: what is one's own may be changed, anything may be kept anew. */
export function SaveDialog({
  draft,
  acts,
  onKept,
}: {
  draft: Draft;
  acts: ScenarioActs;
  onKept: (id: string) => void;
}) {
  const mayChange = draft.id !== null && draft.isOwn;
  const save = (data: FormData) => {
    const kept = { name: text(data, "name"), isShared: data.get("isShared") === "on", body: draft.body };
    return mayChange && draft.id !== null && text(data, "how") === "change"
      ? acts.change({ ...kept, id: draft.id, version: draft.version })
      : acts.create(kept);
  };
  return (
    <FormDialog
      trigger={
        <Button size="small" look="primary" icon={Save}>
          Save
        </Button>
      }
      title="Save the scenario"
      about="Shared, everybody who may see cost can open it by its link."
      word="Save"
      act={save}
      fields={["name"]}
      onDone={({ id }) => {
        toast("ok", "Scenario saved");
        onKept(id);
      }}
    >
      {(failure) => (
        <>
          <TextField label="Name" name="name" defaultValue={draft.name} error={failure?.fields.name} />
          {mayChange && (
            <SelectField label="As" name="how" defaultValue="change">
              <option value="change">this scenario, changed</option>
              <option value="new">a new one</option>
            </SelectField>
          )}
          <Checkbox name="isShared" defaultChecked={draft.isShared} label="Shared by link" />
        </>
      )}
    </FormDialog>
  );
}

type BudgetProps = {
  id: string;
  name: string;
  monthly: string;
  known: ScenariosAnswer["known"];
  act: ScenarioActs["toBudget"];
};

/** The month of a scenario as a limit. */
export function BudgetDialog({ id, name, monthly, known, act }: BudgetProps) {
  const [scope, setScope] = useState<"fleet" | keyof ScenariosAnswer["known"]>("team");
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={PiggyBank}>
          Turn into a budget
        </Button>
      }
      title={`A budget of ${monthly} a month`}
      about="With the usual thresholds: 80 and 100 % spent, 100 % forecast. Change them on Cost, Budgets."
      word="Set it up"
      act={act}
      hidden={{ id }}
      fields={["name", "scope", "value"]}
      onDone={() => toast("ok", "The budget is set up", "It is on Cost, Budgets.")}
    >
      {(failure) => (
        <>
          <TextField label="Name" name="name" defaultValue={name} error={failure?.fields.name} />
          <div className="grid grid-cols-2 gap-3">
            <SelectField
              label="For"
              name="scope"
              value={scope}
              onChange={({ target }) =>
                setScope(
                  (["fleet", "team", "project", "environment"] as const).find((one) => one === target.value) ?? "fleet",
                )
              }
            >
              <option value="team">a team</option>
              <option value="project">a project</option>
              <option value="environment">an environment</option>
              <option value="fleet">the whole fleet</option>
            </SelectField>
            {scope !== "fleet" && (
              <SelectField label="Which" name="value" error={failure?.fields.value}>
                {known[scope].map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </SelectField>
            )}
          </div>
        </>
      )}
    </FormDialog>
  );
}
