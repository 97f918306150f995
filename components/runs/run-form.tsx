"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleStop, Pencil, Plus, Trash2 } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Confirm } from "@/components/settings/confirm";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { useClock, useTimeZone } from "@/components/ui/clock";
import { SelectField, TextAreaField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { WORKLOADS, type Workload } from "@/lib/domain/fleet/workloads";
import { zoneName } from "@/lib/domain/format-time";
import { fromLocalInput, toLocalInput } from "@/lib/domain/local-input";
import { WORKLOAD_WORDS } from "@/lib/domain/workload/run";
import type { RunAnswer } from "@/lib/domain/workload/view";
import type { Failure } from "@/lib/errors";
import { runPlacesQuery } from "@/lib/queries/runs";

type What = {
  name: string;
  workload: Workload;
  startedAt: number | null;
  endedAt: number | null;
  expectedHours: string;
  note: string;
};

export type RunVerbs = {
  create: Act<What & { instanceId: string; gpuIds: number[] }, { id: string; externalId: string }>;
  change: Act<What & { runId: string }, { id: string }>;
  end: Act<{ runId: string }, { id: string }>;
  remove: Act<{ runId: string; reason: string }, { id: string }>;
};

const FIELDS = ["name", "workload", "instanceId", "gpuIds", "startedAt", "endedAt", "expectedHours", "note"] as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

function whatOf(data: FormData, timeZone: string): What {
  const text = (field: string) => String(data.get(field) ?? "");
  return {
    name: text("name"),
    workload: WORKLOADS.find((known) => known === text("workload")) ?? "unknown",
    startedAt: fromLocalInput(text("startedAt"), timeZone),
    endedAt: text("endedAt") === "" ? null : fromLocalInput(text("endedAt"), timeZone),
    expectedHours: text("expectedHours"),
    note: text("note"),
  };
}

/** Writes down a run by hand. */
export function NewRunButton({ create }: { create: RunVerbs["create"] }) {
  const router = useRouter();
  const timeZone = useTimeZone();
  return (
    <FormDialog
      trigger={
        <Button look="primary" icon={Plus}>
          New run
        </Button>
      }
      title="New run"
      about="A job or a service on an instance. Programs can push the same with an ingest token."
      word="Write it down"
      act={(data: FormData) =>
        create({
          ...whatOf(data, timeZone),
          instanceId: String(data.get("instanceId") ?? ""),
          gpuIds: data.getAll("gpuIds").map(Number),
        })
      }
      fields={FIELDS}
      onDone={({ id, externalId }) => {
        toast("ok", "The run is written down", `Values with the label run="${externalId}" hang on it.`);
        router.push(`/runs/${id}` as Route);
      }}
    >
      {(failure) => (
        <>
          <PlaceFields failure={failure} />
          <WhatFields failure={failure} />
        </>
      )}
    </FormDialog>
  );
}

/** The instance, and of one with several GPUs which of them. */
function PlaceFields({ failure }: { failure: Failure | null }) {
  const { data, isPending, isError } = useQuery(runPlacesQuery());
  const [instanceId, setInstanceId] = useState("");
  const gpus = data?.instances.find(({ id }) => id === instanceId)?.gpus ?? [];
  return (
    <>
      <SelectField
        label="Instance"
        name="instanceId"
        required
        value={instanceId}
        onChange={(event) => setInstanceId(event.target.value)}
        error={
          failure?.fields.instanceId ??
          (isError ? "The instances could not be loaded. Close this and try again." : null)
        }
      >
        <option value="">{isPending ? "Loading…" : "Choose an instance"}</option>
        {data?.instances.map(({ id, name, typeName }) => (
          <option key={id} value={id}>
            {name}
            {typeName && `, ${typeName}`}
          </option>
        ))}
      </SelectField>
      {gpus.length > 1 && (
        <fieldset className="run-gpus">
          <legend className="field-label">GPUs, none for all of them</legend>
          {gpus.map(({ id, position }) => (
            <Checkbox key={`${instanceId} ${id}`} name="gpuIds" value={id} label={`GPU ${position}`} />
          ))}
          {failure?.fields.gpuIds && <p className="field-error">{failure.fields.gpuIds}</p>}
        </fieldset>
      )}
    </>
  );
}

function WhatFields({ failure, run }: { failure: Failure | null; run?: RunAnswer["run"] }) {
  const timeZone = useTimeZone();
  // A form keeps the instant at which it was opened.
  const [openedAt] = useState(useClock((now) => Math.floor(now / MINUTE_MS) * MINUTE_MS));
  const zone = zoneName(openedAt, timeZone);
  const local = (at: number | null) => (at === null ? "" : toLocalInput(at, timeZone));
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={120}
        placeholder="atlas 7B, third try"
        defaultValue={run?.name}
        error={failure?.fields.name}
      />
      <SelectField
        label="Workload"
        name="workload"
        defaultValue={run?.workload ?? "training"}
        error={failure?.fields.workload}
      >
        {WORKLOADS.map((workload) => (
          <option key={workload} value={workload}>
            {WORKLOAD_WORDS[workload]}
          </option>
        ))}
      </SelectField>
      <div className="run-times">
        <TextField
          label={`Started, ${zone}`}
          name="startedAt"
          type="datetime-local"
          required
          defaultValue={local(run?.startedAt ?? openedAt)}
          error={failure?.fields.startedAt}
        />
        <TextField
          label={`Ended, ${zone}`}
          name="endedAt"
          type="datetime-local"
          defaultValue={local(run?.state === "ended" ? run.endedAt : null)}
          hint="Empty while it goes on."
          error={failure?.fields.endedAt}
        />
        <TextField
          label="Expected hours"
          name="expectedHours"
          inputMode="decimal"
          unit="h"
          defaultValue={run?.expectedMs == null ? "" : String(Number((run.expectedMs / HOUR_MS).toFixed(2)))}
          hint="Past them it is overdue."
          error={failure?.fields.expectedHours}
        />
      </div>
      <TextAreaField
        label="Note"
        name="note"
        maxLength={500}
        rows={2}
        defaultValue={run?.note ?? ""}
        error={failure?.fields.note}
      />
    </>
  );
}

/** What can be done with a run; terminate is not among it. */
export function RunActions({ run, verbs }: { run: RunAnswer["run"]; verbs: Omit<RunVerbs, "create"> }) {
  const router = useRouter();
  const timeZone = useTimeZone();
  return (
    <>
      <FormDialog
        trigger={<Button icon={Pencil}>Edit</Button>}
        title={`Edit ${run.name}`}
        about="Where it runs stays: its cost hangs on it. A run in the wrong place is removed and written down again."
        word="Save"
        act={(data: FormData) => verbs.change({ ...whatOf(data, timeZone), runId: run.id })}
        fields={FIELDS}
        onDone={() => toast("ok", "The run is changed")}
      >
        {(failure) => <WhatFields failure={failure} run={run} />}
      </FormDialog>
      {run.state === "running" && (
        <Confirm
          trigger={<Button icon={CircleStop}>End now</Button>}
          title={`End ${run.name} now?`}
          word="End the run"
          done="The run has ended"
          act={verbs.end}
          input={{ runId: run.id }}
        >
          It is written down as ended at this moment, and its cost stops. Nothing on the instance is stopped, and the
          instance goes on billing.
        </Confirm>
      )}
      <FormDialog
        trigger={
          <Button look="danger" icon={Trash2}>
            Remove…
          </Button>
        }
        title={`Remove ${run.name}?`}
        about="For a run that should not be there. Its metrics stay with the instance, and the reason stays in Activity."
        word="Remove the run"
        act={(data: FormData) => verbs.remove({ runId: run.id, reason: String(data.get("reason") ?? "") })}
        fields={["reason"]}
        onDone={() => {
          toast("ok", `${run.name} is removed`);
          router.push("/runs" as Route);
        }}
      >
        {(failure) => (
          <TextField
            label="Why"
            name="reason"
            required
            maxLength={300}
            placeholder="pushed twice"
            error={failure?.fields.reason}
          />
        )}
      </FormDialog>
    </>
  );
}
