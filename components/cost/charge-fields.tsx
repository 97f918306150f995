import { TextField } from "@/components/ui/field";

export const OWNER_FIELDS = ["team", "project", "environment", "costCenter"] as const;

/** Who bears it, in words; empty: by the rules of allocation, else nobody. */
export function OwnerFields({ fields }: { fields: Record<string, string> }) {
  return (
    <div className="grid grid-cols-2 gap-3 max-[700px]:grid-cols-1">
      <TextField label="Team" name="team" error={fields.team} hint="Empty: as the allocation rules say" />
      <TextField label="Project" name="project" error={fields.project} />
      <TextField label="Environment" name="environment" error={fields.environment} />
      <TextField label="Cost centre" name="costCenter" error={fields.costCenter} />
    </div>
  );
}

export function DayFields({ today, fields }: { today: string; fields: Record<string, string> }) {
  return (
    <div className="grid grid-cols-2 gap-3 max-[700px]:grid-cols-1">
      <TextField label="First day" name="fromDay" type="date" required defaultValue={today} error={fields.fromDay} />
      <TextField label="Last day" name="toDay" type="date" required defaultValue={today} error={fields.toDay} />
    </div>
  );
}
