"use client";

import { useLive } from "@/components/page/use-live";
import { SelectField } from "@/components/ui/field";
import { Panel, type Span } from "@/components/ui/panel";
import { formatCount } from "@/lib/domain/format";
import type { SettingsAnswer } from "@/lib/domain/settings";
import { settingsQuery } from "@/lib/queries/settings";
import { SettingForm } from "./setting-form";
import type { Act } from "./use-act";

const HOUR = 3_600_000;
const IDLE = [HOUR / 2, 2 * HOUR, 12 * HOUR, 24 * HOUR];
const ABSOLUTE = [12 * HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR];

type Props = { act: Act<FormData, SettingsAnswer["session"]>; locked: string | null; span?: Span };

/** How long a sign-in lasts. */
export function SessionLimitsPanel({ act, locked, span }: Props) {
  const { data } = useLive(settingsQuery());
  const { idleMs, absoluteMs } = data.session;
  return (
    <Panel title="Sessions" sub="how long a sign-in lasts" {...(span && { span })}>
      <SettingForm
        key={`${idleMs} ${absoluteMs}`}
        act={act}
        locked={locked}
        fields={["idleMs", "absoluteMs"]}
        done="Session limits are changed, also for open sessions"
      >
        {(failure) => (
          <>
            <Choice
              label="Without use, at most"
              name="idleMs"
              value={idleMs}
              choices={IDLE}
              hint="An open page counts as use."
              error={failure?.fields.idleMs}
            />
            <Choice
              label="In all, at most"
              name="absoluteMs"
              value={absoluteMs}
              choices={ABSOLUTE}
              hint="Strict: 30 min without use, 12 h in all."
              error={failure?.fields.absoluteMs}
            />
          </>
        )}
      </SettingForm>
    </Panel>
  );
}

type ChoiceProps = {
  label: string;
  name: string;
  value: number;
  choices: number[];
  hint: string;
  error: string | undefined;
};

function Choice({ value, choices, ...field }: ChoiceProps) {
  const all = [...new Set([...choices, value])].sort((a, b) => a - b);
  return (
    <SelectField {...field} defaultValue={String(value)}>
      {all.map((ms) => (
        <option key={ms} value={ms}>
          {words(ms)}
        </option>
      ))}
    </SelectField>
  );
}

function words(ms: number): string {
  if (ms >= 2 * 24 * HOUR && ms % (24 * HOUR) === 0) return formatCount(ms / (24 * HOUR), "day");
  if (ms % HOUR === 0) return formatCount(ms / HOUR, "hour");
  return formatCount(Math.round(ms / 60_000), "minute");
}
