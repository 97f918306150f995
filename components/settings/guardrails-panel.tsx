"use client";

import type { ReactNode } from "react";
import { useLive } from "@/components/page/use-live";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { SelectField, TextField } from "@/components/ui/field";
import { Deck, Panel } from "@/components/ui/panel";
import { toast } from "@/components/ui/toast";
import {
  type Guardrails,
  LABEL_WORDS,
  levelOf,
  NEEDED_LABELS,
  TERMINATE_APPROVALS,
  type TerminateApproval,
  TUNABLE_CHECKS,
  type TunableCheck,
} from "@/lib/domain/intents/guardrails";
import { spanText, spanWords } from "@/lib/domain/intents/span";
import { guardrailsQuery } from "@/lib/queries/launch";
import { Refusal } from "./refusal";
import { type Act, useAct } from "./use-act";

type Props = { act: Act<FormData, Guardrails>; locked: string | null };

const HOUR_MS = 3_600_000;
const EXPIRES = [HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS];
const CHECKS = Object.entries(TUNABLE_CHECKS) as [TunableCheck, (typeof TUNABLE_CHECKS)[TunableCheck]][];

const TERMINATE_WORDS: Record<TerminateApproval, string> = {
  never: "never",
  risky: "where it is busy, silent, protected, reserved, not ours or somebody else’s",
  always: "always",
};

/** What the house allows without asking. Whoever may not change it reads it all the same. */
export function GuardrailsPanel({ act, locked }: Props) {
  const { data } = useLive(guardrailsQuery());
  const { run, failure, isPending } = useAct(act);
  const { guardrails } = data;
  const { approval } = guardrails;
  const wrong = failure?.fields ?? {};
  return (
    <form
      key={JSON.stringify(guardrails)}
      onSubmit={(event) => {
        event.preventDefault();
        run(new FormData(event.currentTarget), () =>
          toast("ok", "The guardrails are changed, from the next launch on"),
        );
      }}
    >
      <fieldset className="contents" disabled={locked !== null}>
        <Deck>
          <Panel span={6} title="What may be launched" sub="empty: anything">
            <div className="grid gap-3">
              <Names
                label="Types"
                name="types"
                values={guardrails.types}
                known={data.types}
                error={wrong.types}
                hint="Names, with spaces or commas between: gpu_1x_gh200."
              />
              <Names
                label="Regions"
                name="regions"
                values={guardrails.regions}
                known={data.regions}
                error={wrong.regions}
                hint="Names, with spaces or commas between: us-east-3."
              />
              {limitsOf(guardrails, data.drivers).map((pair) => (
                <Two key={pair[0]?.name}>
                  {pair.map(({ example, ...field }) => (
                    <TextField
                      key={field.name}
                      {...field}
                      spellCheck={false}
                      placeholder={locked === null ? example : ""}
                      error={wrong[field.name]}
                    />
                  ))}
                </Two>
              ))}
              <fieldset>
                <legend className="field-label pb-1">Labels that a launch needs</legend>
                <div className="flex flex-wrap gap-x-4 gap-y-1">
                  {NEEDED_LABELS.map((label) => (
                    <Checkbox
                      key={label}
                      name={`label.${label}`}
                      label={LABEL_WORDS[label]}
                      defaultChecked={guardrails.labels.includes(label)}
                    />
                  ))}
                </div>
              </fieldset>
            </div>
          </Panel>
          <Panel span={6} title="Checks before a launch" sub="ticked: in the way; else to be read">
            <div className="grid gap-1">
              {CHECKS.map(([key, { label }]) => (
                <Checkbox
                  key={key}
                  name={`block.${key}`}
                  label={label}
                  defaultChecked={levelOf(key, guardrails) === "error"}
                />
              ))}
            </div>
            <p className="muted pt-3 text-12">
              What could not work at all is always in the way: no SSH key, an image for another CPU, a file system of
              another region, an unknown price, a key that Lambda refuses.
            </p>
          </Panel>
          <Panel span={12} title="Four eyes" sub="when a second person is asked">
            <div className="grid max-w-[760px] gap-3">
              <Two>
                <TextField
                  label="Launches above, per hour"
                  name="launchAbove"
                  inputMode="decimal"
                  unit="USD"
                  defaultValue={dollars(approval.launchAboveMicrosPerHour)}
                  hint="All machines of one launch together. Empty: never."
                  error={wrong.launchAbove}
                />
                <SelectField
                  label="An approval can be given for"
                  name="expires"
                  defaultValue={String(approval.expiresMs)}
                  hint="Then the request expires, and nothing is sent."
                  error={wrong.expires}
                >
                  {[...new Set([...EXPIRES, approval.expiresMs])]
                    .sort((a, b) => a - b)
                    .map((ms) => (
                      <option key={ms} value={ms}>
                        {spanWords(ms)}
                      </option>
                    ))}
                </SelectField>
              </Two>
              <SelectField
                label="Terminations"
                name="terminate"
                defaultValue={approval.terminate}
                hint="Automation asks for a second person at busy, silent and protected machines whatever is set here."
                error={wrong.terminate}
              >
                {TERMINATE_APPROVALS.map((value) => (
                  <option key={value} value={value}>
                    {TERMINATE_WORDS[value]}
                  </option>
                ))}
              </SelectField>
              <Refusal failure={failure} fields={FIELDS} />
              {locked === null ? (
                <div>
                  <Button type="submit" look="primary" isPending={isPending}>
                    Save the guardrails
                  </Button>
                </div>
              ) : (
                <p className="muted">{locked}</p>
              )}
            </div>
          </Panel>
        </Deck>
      </fieldset>
    </form>
  );
}

/** What is typed into one line each, two beside one another. */
function limitsOf(guardrails: Guardrails, drivers: readonly string[]) {
  const money = { inputMode: "decimal" as const, unit: "USD", example: "" };
  const span = (ms: number | null) => (ms === null ? "" : spanText(ms));
  return [
    [
      {
        label: "At most per hour, of one person",
        name: "maxPerson",
        defaultValue: dollars(guardrails.maxPersonMicrosPerHour),
        hint: "Of what that person launched and still runs.",
        ...money,
      },
      {
        label: "At most per hour, of the fleet",
        name: "maxFleet",
        defaultValue: dollars(guardrails.maxFleetMicrosPerHour),
        hint: "With what boots and what is asked for.",
        ...money,
      },
    ],
    [
      {
        label: "Names look like",
        name: "namePattern",
        defaultValue: guardrails.namePattern,
        hint: "* stands for anything, ? for one character.",
        example: "nlp-*",
      },
      {
        label: "Driver at least",
        name: "minDriver",
        defaultValue: guardrails.minDriver,
        hint: drivers.length > 0 ? `In use: ${drivers.slice(0, 3).join(", ")}` : "Checked after the boot.",
        example: drivers[0] ?? "570.86",
      },
    ],
    [
      {
        label: "A lease, unless said otherwise",
        name: "lease",
        defaultValue: span(guardrails.leaseMs),
        hint: "8h, 3d, 1d12h. Empty: none.",
        example: "3d",
      },
      {
        label: "A lease, at most",
        name: "maxLease",
        defaultValue: span(guardrails.maxLeaseMs),
        hint: "Then every launch needs one.",
        example: "14d",
      },
    ],
  ];
}

const FIELDS = [
  "types",
  "regions",
  "maxPerson",
  "maxFleet",
  "namePattern",
  "minDriver",
  "lease",
  "maxLease",
  "launchAbove",
  "expires",
  "terminate",
];

function Two({ children }: { children: ReactNode }) {
  return <div className="grid gap-3 sm:grid-cols-2">{children}</div>;
}

type NamesProps = {
  label: string;
  name: string;
  values: readonly string[];
  known: readonly string[];
  hint: string;
  error: string | undefined;
};

/** Several names in one field; those that Lambda does not list stand in its hint. */
function Names({ values, known, hint, ...field }: NamesProps) {
  const unknown = values.filter((value) => !known.includes(value));
  return (
    <TextField
      {...field}
      spellCheck={false}
      defaultValue={values.join(", ")}
      placeholder="all"
      hint={unknown.length > 0 ? `Lambda does not list ${unknown.join(", ")} now.` : hint}
    />
  );
}

/** Micro-dollars as people type them: "12000", "0.20". */
function dollars(micros: string | null): string {
  if (micros === null) return "";
  const digits = micros.padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  return `${digits.slice(0, -6)}${fraction === "" ? "" : `.${fraction.padEnd(2, "0")}`}`;
}
