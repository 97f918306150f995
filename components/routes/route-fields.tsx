"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Button, IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { SelectField, TextField } from "@/components/ui/field";
import { formatCount } from "@/lib/domain/format";
import type { RouteRow } from "@/lib/domain/notify/route-input";
import { ROUTE_DEFAULTS } from "@/lib/domain/notify/routes";
import { type Matcher, matcherText, parseMatchers } from "@/lib/domain/silences/matchers";
import type { Failure } from "@/lib/errors";
import { silencePreviewQuery } from "@/lib/queries/silences";
import { type DraftStep, draftSteps, HOUR_MS, MINUTE_MS, SECOND_MS } from "./route-draft";

export type Channels = readonly { id: string; name: string; enabled: boolean }[];

type Props = { route: RouteRow | null; channels: Channels; failure: Failure | null };

/** The form of a route: which alerts, where to, how together, and who is next. */
export function RouteFormFields({ route, channels, failure }: Props) {
  const wrong = failure?.fields;
  const times = route ?? ROUTE_DEFAULTS;
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={80}
        placeholder="Critical alerts of the ML team"
        defaultValue={route?.name}
        error={wrong?.name}
      />
      <Which initial={route ? matcherText(route.matchers) : ""} error={errorOf(failure, "matchers")} />
      <SelectField
        label="Go to"
        name="channelId"
        required
        defaultValue={route?.channelId ?? channels[0]?.id}
        error={wrong?.channelId}
      >
        {channels.map(({ id, name, enabled }) => (
          <option key={id} value={id}>
            {enabled ? name : `${name} (off)`}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Together in one message by"
        name="groupBy"
        className="mono"
        maxLength={400}
        placeholder="alertname, team"
        defaultValue={(route?.groupBy ?? ["alertname"]).join(", ")}
        hint="Labels, separated by commas. Empty: everything of this route together."
        error={errorOf(failure, "groupBy")}
      />
      <div className="route-times">
        <TextField
          label="First after"
          name="wait"
          unit="s"
          inputMode="numeric"
          required
          defaultValue={times.groupWaitMs / SECOND_MS}
          error={wrong?.groupWaitMs}
        />
        <TextField
          label="News every"
          name="interval"
          unit="min"
          inputMode="decimal"
          required
          defaultValue={times.groupIntervalMs / MINUTE_MS}
          error={wrong?.groupIntervalMs}
        />
        <TextField
          label="Repeat every"
          name="repeat"
          unit="h"
          inputMode="decimal"
          required
          defaultValue={times.repeatMs / HOUR_MS}
          error={wrong?.repeatMs}
        />
      </div>
      <Steps
        initial={route ? draftSteps(route.escalation) : []}
        channels={channels}
        error={errorOf(failure, "escalation")}
      />
      <Checkbox
        name="goesOn"
        label="Ask the routes after it too"
        hint="Otherwise an alert that fits goes no further."
        defaultChecked={route?.goesOn ?? false}
      />
      <Checkbox
        name="enabled"
        label="In use"
        hint="Switched off, it is passed over."
        defaultChecked={route?.enabled ?? true}
      />
    </>
  );
}

/** Of a list, whichever of its parts was refused. */
function errorOf(failure: Failure | null, field: string): string | undefined {
  return Object.entries(failure?.fields ?? {}).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1];
}

function Which({ initial, error }: { initial: string; error: string | undefined }) {
  const [text, setText] = useState(initial);
  const matchers = parseMatchers(text);
  const unread = matchers === null ? 'Write it like team="ml", severity="critical"' : undefined;
  return (
    <>
      <TextField
        label="Which alerts"
        name="matchers"
        className="mono"
        maxLength={2_000}
        placeholder={'team="ml", severity="critical"'}
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint="All conditions must hold. =~ takes patterns with * and |. Empty: every alert."
        error={error ?? unread}
      />
      <Fitting matchers={matchers ?? []} onAdd={(part) => setText(text.trim() === "" ? part : `${text}, ${part}`)} />
    </>
  );
}

const OFFERED = ["severity", "team", "alertname"] as const;
const MOST_OFFERED = 3;

/** What would have fitted, before anybody relies on it. */
function Fitting({ matchers, onAdd }: { matchers: readonly Matcher[]; onAdd: (part: string) => void }) {
  const asked = useDeferredValue(matchers);
  const { data, isError } = useQuery(silencePreviewQuery(asked));
  if (isError) return <p className="field-error">What fits could not be worked out. Nothing was changed.</p>;
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
  return (
    <p className="silence-preview" aria-live="polite">
      <b>
        Fits{" "}
        {data.hidesNow.length === 0 ? "nothing that fires now" : `${formatCount(data.hidesNow.length, "alert")} now`}
      </b>
      {`, and ${formatCount(data.lastWeek.episodes, "alert")} of the last 7 days`}
      {data.lastWeek.critical > 0 && `, ${data.lastWeek.critical} of them critical`}.
    </p>
  );
}

type StepsProps = { initial: readonly DraftStep[]; channels: Channels; error: string | undefined };

const MOST_STEPS = 10;

function Steps({ initial, channels, error }: StepsProps) {
  const [steps, setSteps] = useState(() => initial.map((step, key) => ({ key, step })));
  const [next, setNext] = useState(initial.length);
  return (
    <fieldset className="route-steps">
      <legend className="field-label">While nobody acknowledges, after minutes or dollars spent</legend>
      {steps.map(({ key, step }, i) => (
        <div key={key} className="route-step">
          <TextField
            label={`Step ${i + 1}: after`}
            name="stepAmount"
            inputMode="decimal"
            required
            defaultValue={step.amount}
          />
          <SelectField label={`Step ${i + 1}: measured in`} isLabelHidden name="stepUnit" defaultValue={step.unit}>
            <option value="min">minutes</option>
            <option value="usd">dollars</option>
          </SelectField>
          <SelectField
            label={`Step ${i + 1}: tell`}
            isLabelHidden
            name="stepChannel"
            defaultValue={step.channelId || channels[0]?.id}
          >
            {channels.map(({ id, name }) => (
              <option key={id} value={id}>
                to {name}
              </option>
            ))}
          </SelectField>
          <IconButton
            icon={X}
            look="ghost"
            label={`Remove step ${i + 1}`}
            onClick={() => setSteps(steps.filter((one) => one.key !== key))}
          />
        </div>
      ))}
      {error && <p className="field-error">{error}</p>}
      {steps.length < MOST_STEPS && (
        <div>
          <Button
            size="small"
            icon={Plus}
            onClick={() => {
              setSteps([...steps, { key: next, step: { amount: "15", unit: "min", channelId: "" } }]);
              setNext(next + 1);
            }}
          >
            Tell another channel too
          </Button>
        </div>
      )}
    </fieldset>
  );
}
