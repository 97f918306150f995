"use client";

import { useQuery } from "@tanstack/react-query";
import { BellOff } from "lucide-react";
import { type ReactElement, useDeferredValue, useState } from "react";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { useClock, useTimeZone } from "@/components/ui/clock";
import { SelectField, TextAreaField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { formatCount } from "@/lib/domain/format";
import { zoneName } from "@/lib/domain/format-time";
import { fromLocalInput, toLocalInput } from "@/lib/domain/local-input";
import { type Matcher, parseMatchers } from "@/lib/domain/silences/matchers";
import type { SilenceKind } from "@/lib/domain/silences/silence";
import type { HiddenAlert } from "@/lib/domain/silences/view";
import type { Recurrence } from "@/lib/domain/silences/windows";
import type { Failure } from "@/lib/errors";
import { silencePreviewQuery } from "@/lib/queries/silences";
import { DAY_NAMES } from "./silence-words";

export type SilenceInput = {
  kind: SilenceKind;
  matchers: Matcher[];
  reason: string;
  ticketUrl: string;
  startsAt: number;
  endsAt: number;
  recurrence: Recurrence | null;
};

export type CreateSilence = Act<SilenceInput, { id: string }>;

const FIELDS = ["matchers", "reason", "ticketUrl", "startsAt", "endsAt", "recurrence"] as const;
const HOUR_MS = 3_600_000;
const DURATIONS: readonly (readonly [hours: number, words: string])[] = [
  [1, "1 hour"],
  [4, "4 hours"],
  [24, "1 day"],
  [72, "3 days"],
  [168, "1 week"],
];
const YEAR_MS = 365 * 24 * HOUR_MS;

type Props = {
  create: CreateSilence;
  /** Longer than four hours, and hours that come again. */
  mayLong: boolean;
  /** Conditions to begin with, as text. */
  initial?: string;
  trigger?: ReactElement;
};

/** Places a silence, with what it would keep back shown while it is written. */
export function NewSilenceButton({ create, mayLong, initial = "", trigger }: Props) {
  const timeZone = useTimeZone();
  const now = useClock((at) => Math.floor(at / 60_000) * 60_000);
  return (
    <FormDialog
      trigger={
        trigger ?? (
          <Button look="primary" icon={BellOff}>
            New silence
          </Button>
        )
      }
      title="Keep alerts back"
      about="They keep their state here and go on costing; only messages wait. What was told as firing is still told as resolved."
      word="Place it"
      act={(data: FormData) => create(inputOf(data, now, timeZone))}
      fields={FIELDS}
      onDone={() => toast("ok", "The silence is placed", "It ends by itself; ending it sooner takes one click.")}
    >
      {(failure) => <Fields failure={failure} mayLong={mayLong} initial={initial} now={now} />}
    </FormDialog>
  );
}

function inputOf(data: FormData, now: number, timeZone: string): SilenceInput {
  const text = (field: string) => String(data.get(field) ?? "");
  const kind =
    text("kind") === "quiet_hours" ? "quiet_hours" : text("kind") === "maintenance" ? "maintenance" : "silence";
  const isDated = kind === "maintenance";
  return {
    kind,
    matchers: parseMatchers(text("matchers")) ?? [],
    reason: text("reason"),
    ticketUrl: text("ticketUrl"),
    startsAt: isDated ? (fromLocalInput(text("startsAt"), timeZone) ?? Number.NaN) : now,
    endsAt:
      kind === "quiet_hours"
        ? now + YEAR_MS
        : isDated
          ? (fromLocalInput(text("endsAt"), timeZone) ?? Number.NaN)
          : now + Number(text("hours")) * HOUR_MS,
    recurrence:
      kind === "quiet_hours"
        ? { zone: text("zone"), days: data.getAll("days").map(Number), from: text("from"), to: text("to") }
        : null,
  };
}

function Fields({
  failure,
  mayLong,
  initial,
  now,
}: {
  failure: Failure | null;
  mayLong: boolean;
  initial: string;
  now: number;
}) {
  const [kind, setKind] = useState<SilenceKind>("silence");
  const [text, setText] = useState(initial);
  const matchers = parseMatchers(text);
  const error = text.trim() !== "" && matchers === null ? 'Write it like team="ml", severity!="critical"' : null;
  return (
    <>
      {mayLong && (
        <SelectField
          label="Kind"
          name="kind"
          value={kind}
          onChange={(event) => setKind(event.target.value as SilenceKind)}
        >
          <option value="silence">Silence, from now</option>
          <option value="maintenance">Maintenance, at a planned time</option>
          <option value="quiet_hours">Quiet hours, every week</option>
        </SelectField>
      )}
      <TextField
        label="Which alerts"
        name="matchers"
        required
        className="mono"
        placeholder={'team="ml", instance=~"gh-train-*"'}
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint="All conditions must hold. =~ takes patterns with * and |."
        error={failure?.fields.matchers ?? error}
      />
      <Preview matchers={matchers ?? []} onAdd={(part) => setText(text.trim() === "" ? part : `${text}, ${part}`)} />
      {kind === "silence" && (
        <SelectField label="For" name="hours" defaultValue="1" error={failure?.fields.endsAt}>
          {DURATIONS.filter(([hours]) => mayLong || hours <= 4).map(([hours, words]) => (
            <option key={hours} value={hours}>
              {words}
            </option>
          ))}
        </SelectField>
      )}
      {kind === "maintenance" && <Planned failure={failure} now={now} />}
      {kind === "quiet_hours" && <Weekly failure={failure} />}
      <TextAreaField
        label="Why"
        name="reason"
        required
        maxLength={500}
        rows={2}
        placeholder="a new driver goes in"
        error={failure?.fields.reason}
      />
      <TextField
        label="Ticket"
        name="ticketUrl"
        type="url"
        maxLength={500}
        placeholder="https://…"
        hint="Optional."
        error={failure?.fields.ticketUrl}
      />
    </>
  );
}

function Planned({ failure, now }: { failure: Failure | null; now: number }) {
  const timeZone = useTimeZone();
  const zone = zoneName(now, timeZone);
  const [openedAt] = useState(now);
  return (
    <div className="silence-times">
      <TextField
        label={`From, ${zone}`}
        name="startsAt"
        type="datetime-local"
        required
        defaultValue={toLocalInput(openedAt + HOUR_MS, timeZone)}
        error={failure?.fields.startsAt}
      />
      <TextField
        label={`To, ${zone}`}
        name="endsAt"
        type="datetime-local"
        required
        defaultValue={toLocalInput(openedAt + 3 * HOUR_MS, timeZone)}
        error={failure?.fields.endsAt}
      />
    </div>
  );
}

function Weekly({ failure }: { failure: Failure | null }) {
  const [own] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const wrong =
    failure?.fields.recurrence ??
    Object.entries(failure?.fields ?? {}).find(([field]) => field.startsWith("recurrence"))?.[1];
  return (
    <>
      <fieldset className="silence-days">
        <legend className="field-label">Days on which they begin</legend>
        {DAY_NAMES.map((name, i) => (
          <Checkbox key={name} name="days" value={i + 1} label={name} defaultChecked={i < 5} />
        ))}
      </fieldset>
      <div className="silence-times">
        <TextField label="From" name="from" type="time" required defaultValue="22:00" />
        <TextField
          label="To"
          name="to"
          type="time"
          required
          defaultValue="07:00"
          hint="Earlier than from: the next day."
        />
        <TextField label="Time zone" name="zone" required defaultValue={own} error={wrong} />
      </div>
    </>
  );
}

const OFFERED = ["instance", "team", "alertname", "severity", "workload"] as const;
const MOST_OFFERED = 4;

/** What the conditions would do, before anybody relies on them. */
function Preview({ matchers, onAdd }: { matchers: readonly Matcher[]; onAdd: (part: string) => void }) {
  const asked = useDeferredValue(matchers);
  const { data, isError } = useQuery(silencePreviewQuery(asked));
  if (isError)
    return <p className="field-error">What it would keep back could not be worked out. Nothing was changed.</p>;
  if (!data) return <p className="muted">Looking at what fired…</p>;
  if (asked.length === 0)
    return (
      <div className="silence-offers">
        {OFFERED.flatMap((label) =>
          (data.values[label] ?? []).slice(0, MOST_OFFERED).map((value) => {
            const part = `${label}=${JSON.stringify(value)}`;
            return (
              <Button key={part} onClick={() => onAdd(part)}>
                {part}
              </Button>
            );
          }),
        )}
      </div>
    );
  const { hidesNow, lastWeek } = data;
  return (
    <div className="silence-preview" aria-live="polite">
      <p>
        <b>
          {hidesNow.length === 0 ? "Keeps nothing back now" : `Keeps ${formatCount(hidesNow.length, "alert")} back now`}
        </b>
        {`, and would have kept ${formatCount(lastWeek.episodes, "alert")} back in the last 7 days`}
        {lastWeek.critical > 0 && <>, {lastWeek.critical} of them critical</>}.
      </p>
      <Names alerts={hidesNow.length > 0 ? hidesNow : lastWeek.shown} />
    </div>
  );
}

function Names({ alerts }: { alerts: readonly HiddenAlert[] }) {
  const names = [...new Set(alerts.map(({ ruleName, target }) => `${ruleName}, ${target}`))];
  if (names.length === 0) return null;
  return (
    <ul>
      {names.slice(0, MOST_OFFERED).map((name) => (
        <li key={name}>{name}</li>
      ))}
      {names.length > MOST_OFFERED && <li className="muted">and {names.length - MOST_OFFERED} more</li>}
    </ul>
  );
}
