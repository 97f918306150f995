import { Checkbox } from "@/components/ui/choice";
import { Note } from "@/components/ui/note";
import { WORKLOADS, type Workload } from "@/lib/domain/fleet/workloads";
import type { Failure } from "@/lib/errors";

/* What the forms share by which a person writes a rule or a policy. */

/** Why what was written was not saved: beside its field, or here. */
export function NotSaved({ what, failure }: { what: string; failure: Failure | null }) {
  if (!failure) return null;
  return (
    <Note tone="crit">
      <b>The {what} was not saved.</b>{" "}
      {Object.keys(failure.fields).length > 0 ? "What is wrong stands beside its field." : failure.message}
    </Note>
  );
}

type WorkloadProps<T extends string> = {
  chosen: readonly (T | Workload)[];
  onChange: (chosen: (T | Workload)[]) => void;
};

/** For which workloads; none ticked means all of them. */
export function WorkloadChecks<T extends string>({ chosen, onChange }: WorkloadProps<T>) {
  return WORKLOADS.map((one) => (
    <Checkbox
      key={one}
      label={one}
      checked={chosen.some((other) => other === one)}
      onChange={({ target }) => onChange(target.checked ? [...chosen, one] : chosen.filter((other) => other !== one))}
    />
  ));
}
