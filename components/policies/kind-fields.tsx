"use client";

import { Checkbox } from "@/components/ui/choice";
import { useTimeZone } from "@/components/ui/clock";
import { SelectField, TextField } from "@/components/ui/field";
import { zoneName } from "@/lib/domain/format-time";
import { fromLocalInput, toLocalInput } from "@/lib/domain/local-input";
import type { PolicyChoices } from "@/lib/domain/policies/view";
import type { PolicyDraft } from "./draft";
import { Known } from "./policy-form";

type Params = PolicyDraft["params"];
type Props = {
  draft: PolicyDraft;
  onParams: (params: Params) => void;
  onZone: (zone: string) => void;
  errorOf: (field: string) => string | undefined;
  choices: PolicyChoices;
};

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** What each kind of policy asks. */
export function KindFields(props: Props) {
  switch (props.draft.kind) {
    case "lease":
      return <LeaseFields {...props} />;
    case "schedule":
      return <ScheduleFields {...props} />;
    case "idle_termination":
      return <IdleFields {...props} />;
    case "budget_guard":
      return <GuardFields {...props} />;
    case "capacity_watch":
      return <CapacityFields {...props} />;
  }
}

function text(params: Params, key: string): string {
  const value = params[key];
  return value === null || value === undefined || typeof value === "boolean" ? "" : String(value);
}

type NumberProps = Props & { name: string; label: string; unit: string; hint?: string; min?: number; max?: number };

function NumberField({ draft, onParams, errorOf, name, ...rest }: NumberProps) {
  const { choices: _, onZone: __, ...shown } = rest;
  return (
    <TextField
      {...shown}
      type="number"
      value={text(draft.params, name)}
      onChange={(event) => onParams({ [name]: event.target.value })}
      error={errorOf(`params.${name}`)}
    />
  );
}

function Notice(props: Props) {
  return (
    <NumberField
      {...props}
      name="noticeMinutes"
      label="Notice"
      unit="min"
      min={0}
      max={1440}
      hint="So long before, it says what it will end; anyone on call may keep it."
    />
  );
}

function EndBusy({ draft, onParams }: Props) {
  return (
    <Checkbox
      label="End instances that are working, too"
      hint="Otherwise it waits until nothing is computed. One whose GPUs are not heard is never ended."
      checked={draft.params.endBusy === true}
      onChange={({ target }) => onParams({ endBusy: target.checked })}
    />
  );
}

function Template(props: Props & { label: string; none: string }) {
  const { draft, onParams, errorOf, choices, label, none } = props;
  return (
    <SelectField
      label={label}
      value={text(draft.params, "templateId")}
      onChange={({ target }) => onParams({ templateId: target.value === "" ? null : target.value })}
      error={errorOf("params.templateId")}
      hint={choices.templates.length === 0 ? "There is no launch template yet; Launch keeps them." : undefined}
    >
      <option value="">{none}</option>
      {choices.templates.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function LeaseFields(props: Props) {
  return (
    <>
      <div className="form-pair">
        <NumberField {...props} name="warnHours" label="Warn before" unit="h" min={1} max={336} />
        <Notice {...props} />
      </div>
      <EndBusy {...props} />
    </>
  );
}

function IdleFields(props: Props) {
  const { draft, onParams } = props;
  return (
    <>
      <div className="form-pair">
        <NumberField
          {...props}
          name="afterMinutes"
          label="Idle for"
          unit="min"
          min={30}
          max={1440}
          hint="Effective utilisation of at most 5 % in every minute. A minute that is missing is not idle."
        />
        <Notice {...props} />
      </div>
      <Checkbox
        label="With memory held as well"
        hint="Otherwise only empty ones: no process, less than 1 GiB held."
        checked={draft.params.withHeld === true}
        onChange={({ target }) => onParams({ withHeld: target.checked })}
      />
    </>
  );
}

function ScheduleFields(props: Props) {
  const { draft, onParams, onZone, errorOf } = props;
  const days = Array.isArray(draft.params.days) ? draft.params.days : [];
  return (
    <>
      <fieldset className="policy-part">
        <legend className="field-label">Working hours</legend>
        <div className="policy-checks">
          {DAYS.map((name, i) => (
            <Checkbox
              key={name}
              label={name}
              checked={days.includes(i + 1)}
              onChange={({ target }) =>
                onParams({ days: target.checked ? [...days, i + 1] : days.filter((day) => day !== i + 1) })
              }
            />
          ))}
        </div>
        <div className="form-pair">
          {(["from", "to"] as const).map((key) => (
            <TextField
              key={key}
              label={key === "from" ? "From" : "To"}
              type="time"
              value={text(draft.params, key)}
              onChange={(event) => onParams({ [key]: event.target.value })}
              error={errorOf(`params.${key}`)}
            />
          ))}
          <TextField
            label="Time zone"
            value={draft.zone}
            onChange={(event) => onZone(event.target.value)}
            hint="Such as Europe/Berlin; clock changes are followed."
            error={errorOf("zone")}
          />
        </div>
      </fieldset>
      <TextField
        label="Holidays"
        value={text(draft.params, "holidays")}
        placeholder="2026-12-25, 2027-01-01"
        onChange={(event) => onParams({ holidays: event.target.value })}
        hint="Days on which nobody works, separated by commas."
        error={errorOf("params.holidays")}
      />
      <Template {...props} label="In the morning" none="Launch nothing" />
      <div className="form-pair">
        <NumberField
          {...props}
          name="waitMinutes"
          label="Waits for busy ones"
          unit="min"
          min={30}
          max={720}
          hint="Then it leaves them alone until the next evening."
        />
        <Notice {...props} />
      </div>
      <EndBusy {...props} />
    </>
  );
}

function GuardFields(props: Props) {
  const { draft, onParams, errorOf, choices } = props;
  const select = (name: string) => ({
    value: text(draft.params, name),
    onChange: ({ target }: { target: { value: string } }) => onParams({ [name]: target.value }),
    error: errorOf(`params.${name}`),
  });
  return (
    <>
      <div className="form-pair">
        <SelectField label="Budget" {...select("budgetId")}>
          <option value="">Choose a budget</option>
          {choices.budgets.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label="When" {...select("on")}>
          <option value="actual">so much is spent</option>
          <option value="forecast">so much is forecast</option>
          <option value="burn">the rate of now comes to</option>
        </SelectField>
        <NumberField {...props} name="pct" label="Of the budget" unit="%" min={1} max={1000} />
      </div>
      <SelectField label="Then" {...select("act")}>
        <option value="stop_launches">Stop new launches</option>
        <option value="ask">Ask a second person before each launch</option>
        <option value="terminate">End unprotected instances, one after the other</option>
      </SelectField>
      {draft.params.act === "terminate" && (
        <>
          <div className="form-pair">
            <SelectField label="In which order" {...select("order")}>
              <option value="idle_first">Idle first, the longest idle before</option>
              <option value="dearest_first">The dearest first</option>
              <option value="newest_first">The newest first</option>
            </SelectField>
            <Notice {...props} />
          </div>
          <EndBusy {...props} />
        </>
      )}
    </>
  );
}

function CapacityFields(props: Props) {
  const { draft, onParams, errorOf, choices } = props;
  const timeZone = useTimeZone();
  const until = typeof draft.params.until === "number" ? draft.params.until : null;
  return (
    <>
      <div className="form-pair">
        <TextField
          label="Types, the best first"
          list="policy-types"
          value={text(draft.params, "typeNames")}
          onChange={(event) => onParams({ typeNames: event.target.value })}
          error={errorOf("params.typeNames")}
        />
        <TextField
          label="Regions, the best first"
          list="policy-regions"
          placeholder="any"
          value={text(draft.params, "regions")}
          onChange={(event) => onParams({ regions: event.target.value })}
          error={errorOf("params.regions")}
        />
        <TextField
          label="Price up to"
          placeholder="any"
          unit="$ an hour"
          value={text(draft.params, "maxUsdPerHour")}
          onChange={(event) => onParams({ maxUsdPerHour: event.target.value })}
          error={errorOf("params.maxUsdPerHour")}
        />
        <TextField
          label={`Until${until === null ? "" : `, ${zoneName(until, timeZone)}`}`}
          type="datetime-local"
          value={until === null ? "" : toLocalInput(until, timeZone)}
          onChange={(event) => onParams({ until: fromLocalInput(event.target.value, timeZone) })}
          error={errorOf("params.until")}
        />
      </div>
      <Known id="policy-types" words={choices.types} />
      <Known id="policy-regions" words={choices.regions} />
      <SelectField
        label="Then"
        value={text(draft.params, "act")}
        onChange={({ target }) => onParams({ act: target.value })}
        error={errorOf("params.act")}
      >
        <option value="notify">Only say so, by an alert</option>
        <option value="launch">Launch from a template</option>
      </SelectField>
      {draft.params.act === "launch" && (
        <div className="form-pair">
          <Template {...props} label="From" none="Choose a template" />
          <NumberField
            {...props}
            name="count"
            label="How many"
            unit="instances"
            min={1}
            max={20}
            hint="Each once, however often capacity comes and goes."
          />
        </div>
      )}
    </>
  );
}
