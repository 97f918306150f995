import { useId } from "react";
import { Button } from "@/components/ui/button";
import { useTimeZone } from "@/components/ui/clock";
import { SelectField, TextField } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { zoneName } from "@/lib/domain/format-time";
import { LABEL_WORDS, type NeededLabel } from "@/lib/domain/intents/guardrails";
import { BATCH_MOST, namesOf } from "@/lib/domain/intents/names";
import type { LaunchOffers } from "@/lib/domain/intents/offers";
import { spanWords } from "@/lib/domain/intents/span";
import { fromLocalInput, toLocalInput } from "@/lib/domain/local-input";
import { type Draft, toMinute } from "./draft";

type Props = {
  offers: LaunchOffers;
  draft: Draft;
  errors: Record<string, string>;
  onChange: (part: Partial<Draft>) => void;
};

/** What they are called, how many, whose they are, and until when. */
export function LaunchOwner({ offers, draft, errors, onChange }: Props) {
  const names = namesOf(draft.name, draft.count, offers.names);
  const word = { offers, draft, errors, onChange };
  return (
    <Panel title="3. Name, owner and end" sub="cost, alerts and leases go by them">
      <div className="launch-fields">
        <TextField
          label="Name"
          value={draft.name}
          maxLength={60}
          spellCheck={false}
          autoCapitalize="off"
          hint={
            draft.count > 1 || draft.name.includes("{n")
              ? names.length > 3
                ? `${names[0]}, ${names[1]} to ${names.at(-1)}`
                : names.join(", ")
              : "{n} is a running number. The mark of the launch is added."
          }
          error={errors.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <TextField
          label="How many"
          type="number"
          min={1}
          max={BATCH_MOST}
          value={draft.count}
          hint="Each is a launch of its own, 12 s apart."
          error={errors.count}
          onChange={(event) => onChange({ count: bounded(event.target.valueAsNumber) })}
        />
        <Lease {...word} />
        <SelectField
          label="Workload"
          value={draft.workload}
          hint="Rules on utilisation go by it."
          onChange={(event) =>
            onChange({ workload: WORKLOADS.find((known) => known === event.target.value) ?? "unknown" })
          }
        >
          {WORKLOADS.map((workload) => (
            <option key={workload} value={workload}>
              {workload}
            </option>
          ))}
        </SelectField>
        <Word field="team" words={offers.words.teams} {...word} />
        <Word field="project" words={offers.words.projects} {...word} />
        <Word field="owner" words={offers.words.owners} {...word} />
        <Word field="purpose" words={offers.words.purposes} {...word} />
        <Word field="environment" words={offers.words.environments} {...word} />
        <Word field="costCenter" words={offers.words.costCenters} {...word} />
      </div>
    </Panel>
  );
}

function bounded(count: number): number {
  return Number.isFinite(count) ? Math.min(BATCH_MOST, Math.max(1, Math.round(count))) : 1;
}

const HOUR_MS = 3_600_000;
const SPANS = [8 * HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS, 168 * HOUR_MS];

/** Until when it may run; quick choices beside the exact instant. */
function Lease({ offers, draft, errors, onChange }: Props) {
  const zone = useTimeZone();
  const { maxLeaseMs } = offers.guardrails;
  const spans = SPANS.filter((span) => maxLeaseMs === null || span <= maxLeaseMs);
  const until = draft.leaseUntil;
  return (
    <div>
      <TextField
        label={`Runs until (${zoneName(until ?? offers.now, zone)})`}
        type="datetime-local"
        value={until === null ? "" : toLocalInput(until, zone)}
        hint={
          until === null
            ? "No lease: it runs until somebody ends it."
            : "Its lease: told of before, can be extended. What its end does is a policy."
        }
        error={errors.leaseUntil}
        onChange={(event) => onChange({ leaseUntil: fromLocalInput(event.target.value, zone) })}
      />
      <p className="flex flex-wrap gap-1 pt-1">
        {spans.map((span) => (
          <Button
            key={span}
            size="small"
            look="ghost"
            aria-label={`A lease of ${spanWords(span)}`}
            onClick={() => onChange({ leaseUntil: toMinute(offers.now + span) })}
          >
            {spanWords(span)}
          </Button>
        ))}
        {until !== null && (
          <Button size="small" look="ghost" onClick={() => onChange({ leaseUntil: null })}>
            No lease
          </Button>
        )}
      </p>
    </div>
  );
}

/** Free text with the words that are in use already. */
function Word({
  field,
  words,
  offers,
  draft,
  errors,
  onChange,
}: Props & { field: NeededLabel; words: readonly string[] }) {
  const list = useId();
  const name = LABEL_WORDS[field];
  return (
    <>
      <TextField
        label={`${name.charAt(0).toUpperCase()}${name.slice(1)}`}
        list={list}
        value={draft[field]}
        maxLength={64}
        hint={offers.guardrails.labels.includes(field) ? "Needed by the guardrails" : undefined}
        error={errors[field]}
        onChange={(event) => onChange({ [field]: event.target.value })}
      />
      <datalist id={list}>
        {words.map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
    </>
  );
}
