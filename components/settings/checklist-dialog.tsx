"use client";

import { Plus, X } from "lucide-react";
import { type ReactElement, useId, useState } from "react";
import { Button, IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { SelectField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { WORKLOADS, type Workload } from "@/lib/domain/fleet/workloads";
import { CHECKLIST_ITEMS_MOST, type Checklist } from "@/lib/domain/intents/checklist";
import type { Saved, SavedChange, SavedFields } from "@/lib/domain/saved";
import { Refusal } from "./refusal";
import { type Act, useAct } from "./use-act";

type Props = {
  trigger: ReactElement;
  /** Null: a new one, which begins with `first`. */
  row: Saved<Checklist> | null;
  first: Checklist;
  create: Act<SavedFields, { id: string }>;
  change: Act<SavedChange, { id: string }>;
};

type Point = { key: string; text: string; isRequired: boolean };

const pointsOf = ({ items }: Checklist): Point[] => items.map((item) => ({ key: crypto.randomUUID(), ...item }));

/** A checklist: whose machines it is for, and its points. */
export function ChecklistDialog({ trigger, row, first, create, change }: Props) {
  const form = useId();
  const start = row?.body ?? first;
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(row?.name ?? "");
  const [team, setTeam] = useState(start.team);
  const [workload, setWorkload] = useState<Workload | null>(start.workload);
  const [points, setPoints] = useState<Point[]>([]);
  const making = useAct(create);
  const changing = useAct(change);
  const { failure, isPending } = row ? changing : making;

  const open = (next: boolean) => {
    setOpen(next);
    making.clear();
    changing.clear();
    if (!next) return;
    setName(row?.name ?? "");
    setTeam(start.team);
    setWorkload(start.workload);
    setPoints(pointsOf(start));
  };
  const set = (key: string, part: Partial<Point>) =>
    setPoints(points.map((point) => (point.key === key ? { ...point, ...part } : point)));
  const submit = () => {
    const items = points.filter(({ text }) => text.trim() !== "").map(({ text, isRequired }) => ({ text, isRequired }));
    const fields = { name, isShared: true, body: { team, workload, items } };
    const done = () => {
      setOpen(false);
      toast("ok", "Checklist saved", name);
    };
    if (row) changing.run({ id: row.id, version: row.version, ...fields }, done);
    else making.run(fields, done);
  };

  return (
    <Dialog
      trigger={trigger}
      open={isOpen}
      onOpenChange={open}
      title={row ? `Checklist ${row.name}` : "New checklist"}
      about="Asked before a machine ends. Of several that fit, the closest holds: team and workload, team, workload, everybody."
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button type="submit" form={form} look="primary" isPending={isPending}>
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
          submit();
        }}
      >
        <TextField
          label="Name"
          required
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={failure?.fields.name}
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="Team"
            hint="Empty: every team"
            maxLength={64}
            value={team}
            onChange={(event) => setTeam(event.target.value)}
          />
          <SelectField
            label="Workload"
            value={workload ?? ""}
            onChange={(event) => setWorkload(WORKLOADS.find((one) => one === event.target.value) ?? null)}
          >
            <option value="">every workload</option>
            {WORKLOADS.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </SelectField>
        </div>
        <fieldset className="check-boxes">
          <legend>Points</legend>
          {points.map((point, at) => (
            <div key={point.key} className="checklist-point">
              <TextField
                label={`Point ${at + 1}`}
                isLabelHidden
                maxLength={160}
                value={point.text}
                onChange={(event) => set(point.key, { text: event.target.value })}
              />
              <Checkbox
                label="must be ticked"
                checked={point.isRequired}
                onChange={(event) => set(point.key, { isRequired: event.target.checked })}
              />
              <IconButton
                icon={X}
                label={`Remove point ${at + 1}`}
                onClick={() => setPoints(points.filter(({ key }) => key !== point.key))}
              />
            </div>
          ))}
          <div>
            <Button
              size="small"
              icon={Plus}
              disabled={points.length >= CHECKLIST_ITEMS_MOST}
              onClick={() => setPoints([...points, { key: crypto.randomUUID(), text: "", isRequired: false }])}
            >
              Add a point
            </Button>
          </div>
        </fieldset>
        <Refusal failure={failure} fields={["name"]} />
      </form>
    </Dialog>
  );
}
