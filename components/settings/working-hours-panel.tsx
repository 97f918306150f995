"use client";

import { useLive } from "@/components/page/use-live";
import { Checkbox } from "@/components/ui/choice";
import { TextField } from "@/components/ui/field";
import { Panel, type Span } from "@/components/ui/panel";
import type { SettingsAnswer } from "@/lib/domain/settings";
import { settingsQuery } from "@/lib/queries/settings";
import { SettingForm } from "./setting-form";
import type { Act } from "./use-act";

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

type Hours = SettingsAnswer["workingHours"];
type Props = { set: Act<Hours, Hours>; locked: string | null; span?: Span };

/** By when somebody looks although nobody was woken. */
export function WorkingHoursPanel({ set, locked, span }: Props) {
  const { data } = useLive(settingsQuery());
  const { days, from } = data.workingHours;
  return (
    <Panel
      title="Working hours"
      sub={`an alert’s page says what waiting for them costs; in ${data.accounting.zone}`}
      {...(span && { span })}
    >
      <SettingForm
        key={`${days.join()} ${from}`}
        act={(form: FormData) => set({ days: form.getAll("days").map(Number), from: String(form.get("from") ?? "") })}
        locked={locked}
        fields={["days", "from"]}
        done="Working hours are set"
      >
        {(failure) => (
          <>
            <fieldset className="flex flex-wrap gap-4">
              <legend className="field-label">Days</legend>
              {DAYS.map((name, i) => (
                <Checkbox key={name} name="days" value={i + 1} label={name} defaultChecked={days.includes(i + 1)} />
              ))}
            </fieldset>
            {failure?.fields.days && <p className="field-error">{failure.fields.days}</p>}
            <TextField
              label="They begin at"
              name="from"
              type="time"
              required
              defaultValue={from}
              error={failure?.fields.from}
            />
          </>
        )}
      </SettingForm>
    </Panel>
  );
}
