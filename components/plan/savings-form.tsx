"use client";

import { useQuestion } from "@/components/cost/use-question";
import { Checkbox } from "@/components/ui/choice";
import { SelectField } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { WORKLOADS, type Workload } from "@/lib/domain/fleet/workloads";
import { MOST_DAYS, type SavingsAnswer, type SavingsQuestion } from "@/lib/domain/plan/savings-view";
import { AskField } from "./ask-field";

const NAMES: Record<Workload, string> = {
  training: "Training",
  inference: "Inference",
  batch: "Batch",
  dev: "Development",
  unknown: "Not said",
};
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** What the simulator takes for granted; every change is in the address, so a link shows the same. */
export function SavingsForm({ question, data }: { question: SavingsQuestion; data: SavingsAnswer }) {
  const { ask } = useQuestion();
  const hour = (label: string, name: "off" | "on", otherwise: number) => (
    <SelectField
      label={label}
      value={String(question[name])}
      onChange={({ target }) => ask({ [name]: target.value === String(otherwise) ? undefined : target.value })}
    >
      {HOURS.map((one) => (
        <option key={one} value={one}>
          {String(one).padStart(2, "0")}:00
        </option>
      ))}
    </SelectField>
  );
  const toggle = (workload: Workload) => {
    const next = WORKLOADS.filter((one) => (one === workload) !== question.who.includes(one));
    ask({ who: next.join(",") });
  };
  return (
    <Panel
      span={12}
      title="Taken for granted"
      sub={`${data.offHoursOfWeek} of the 168 hours of a week are off, in ${data.zone}`}
    >
      <div className="sizing-form">
        {hour("Off from", "off", 20)}
        {hour("On again at", "on", 8)}
        <AskField
          label="Epochs of ten, at most"
          value={String(question.keep)}
          min={1}
          max={9}
          onAsk={(keep) => ask({ keep })}
        />
        <AskField
          label="Discount of a commitment"
          unit="%"
          value={question.discount === undefined ? "" : String(question.discount)}
          placeholder="as offered"
          min={0}
          max={90}
          step="any"
          onAsk={(discount) => ask({ discount })}
        />
        <AskField
          label="First day"
          type="date"
          value={question.from ?? ""}
          max={data.toDay}
          onAsk={(from) => ask({ from })}
        />
        <AskField
          label="Last day"
          type="date"
          value={question.to ?? ""}
          onAsk={(to) => ask({ to })}
          hint={`at most ${MOST_DAYS} days`}
        />
      </div>
      <div className="sizing-choices">
        <Checkbox
          label="Weekends are off"
          checked={question.weekends}
          onChange={({ target }) => ask({ weekends: target.checked ? undefined : "false" })}
        />
        <Checkbox
          label="Held memory is idle too"
          hint="programs that hold memory without work; automation leaves them alone unless it is told otherwise"
          checked={question.held}
          onChange={({ target }) => ask({ held: target.checked ? undefined : "false" })}
        />
        <fieldset>
          <legend className="field-label">On the schedule</legend>
          {WORKLOADS.map((workload) => (
            <Checkbox
              key={workload}
              label={NAMES[workload]}
              checked={question.who.includes(workload)}
              onChange={() => toggle(workload)}
            />
          ))}
        </fieldset>
      </div>
    </Panel>
  );
}
