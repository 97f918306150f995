"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Tag } from "lucide-react";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { SelectField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { type Labels, WORKLOADS } from "@/lib/domain/fleet/workloads";
import type { Result } from "@/lib/errors";

type Props = {
  instanceId: string;
  name: string;
  labels: Labels;
  change: (input: Labels & { instanceId: string }) => Promise<Result<{ id: string }>>;
};

const FIELDS = [
  ["team", "Team"],
  ["project", "Project"],
  ["owner", "Owner"],
  ["environment", "Environment"],
  ["costCenter", "Cost centre"],
] as const;

/** Whose it is and what it does. What it cost until now stays with whom it was. */
export function LabelsDialog({ instanceId, name, labels, change }: Props) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [refusal, setRefusal] = useState<{ message: string; fields: Record<string, string> } | null>(null);
  const [isPending, start] = useTransition();
  const form = `labels-${instanceId}`;

  const submit = (data: FormData) =>
    start(async () => {
      setRefusal(null);
      const read = (field: string) => String(data.get(field) ?? "");
      const workload = WORKLOADS.find((known) => known === read("workload")) ?? "unknown";
      const [team, project, owner] = [read("team"), read("project"), read("owner")];
      const [environment, costCenter] = [read("environment"), read("costCenter")];
      const result = await change({ instanceId, team, project, owner, environment, costCenter, workload });
      if (!result.ok) return setRefusal(result.error);
      toast("ok", "Labels changed", `${name}, from now on.`);
      await client.invalidateQueries({ queryKey: ["fleet"] });
      setOpen(false);
    });

  return (
    <>
      <Button size="small" icon={Tag} onClick={() => setOpen(true)}>
        Edit
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        isNarrow
        title={`Labels of ${name}`}
        about="They hold from now on: what it cost before stays with whom it was."
        actions={
          <>
            <DialogClose />
            <Button look="primary" type="submit" form={form} isPending={isPending}>
              Save
            </Button>
          </>
        }
      >
        <form
          id={form}
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            submit(new FormData(event.currentTarget));
          }}
        >
          {FIELDS.map(([field, label]) => (
            <TextField
              key={field}
              label={label}
              name={field}
              maxLength={64}
              defaultValue={labels[field]}
              error={refusal?.fields[field]}
            />
          ))}
          <SelectField
            label="Workload"
            name="workload"
            defaultValue={labels.workload}
            hint="Rules on utilisation go by it."
          >
            {WORKLOADS.map((workload) => (
              <option key={workload} value={workload}>
                {workload}
              </option>
            ))}
          </SelectField>
          <div role="alert">
            {refusal && Object.keys(refusal.fields).length === 0 && <Note tone="crit">{refusal.message}</Note>}
          </div>
        </form>
      </Dialog>
    </>
  );
}
