"use client";

import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CodeLine } from "@/components/ui/code";
import { SelectField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { PERMISSIONS, ROLE_NAMES, ROLES } from "@/lib/domain/access";
import { FormDialog } from "./form-dialog";
import type { Act } from "./use-act";

export type Made = { id: string; secret: string; installLine: string | null };

const LIVES = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "a year"],
  ["", "until it is revoked"],
] as const;

type Props = { create: Act<FormData, Made> };

/** A token for agents; its answer is the line that installs one. */
export function NewIngestToken({ create }: Props) {
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Plus}>
          New ingest token
        </Button>
      }
      title="New ingest token"
      about="For the agents of your instances. It can write samples and nothing else; one token may serve many machines."
      word="Create"
      act={create}
      fields={["name", "days"]}
      hidden={{ kind: "ingest", role: "" }}
      outcome={(made) => <Secret made={made} />}
    >
      {(failure) => (
        <>
          <TextField
            label="Name"
            name="name"
            required
            maxLength={80}
            placeholder="agents, us-east-3"
            error={failure?.fields.name}
          />
          <Life defaultValue="" />
        </>
      )}
    </FormDialog>
  );
}

/** A token for programs: what a role may, without a sign-in. */
export function NewApiToken({ create }: Props) {
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Plus}>
          New API token
        </Button>
      }
      title="New API token"
      about="For programs: Prometheus, scripts, notebooks. It may do what its role may, so give it the least."
      word="Create"
      act={create}
      fields={["name", "role", "days"]}
      hidden={{ kind: "api" }}
      outcome={(made) => <Secret made={made} />}
    >
      {(failure) => (
        <>
          <TextField
            label="Name"
            name="name"
            required
            maxLength={80}
            placeholder="prometheus"
            error={failure?.fields.name}
          />
          <SelectField
            label="May do what this role may"
            name="role"
            defaultValue="viewer"
            hint={`Viewer: ${PERMISSIONS["fleet:read"].label.toLowerCase()}, ${PERMISSIONS["cost:read"].label.toLowerCase()}.`}
            error={failure?.fields.role}
          >
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {ROLE_NAMES[role]}
              </option>
            ))}
          </SelectField>
          <Life defaultValue="90" />
        </>
      )}
    </FormDialog>
  );
}

function Life({ defaultValue }: { defaultValue: string }) {
  return (
    <SelectField label="Works" name="days" defaultValue={defaultValue}>
      {LIVES.map(([days, words]) => (
        <option key={days} value={days}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}

function Secret({ made }: { made: Made }) {
  return (
    <div className="grid gap-3">
      <Note tone="warn">
        <b>Copy it now.</b> Only a hash is kept, so it can never be shown again. Whoever has it may use it.
      </Note>
      {made.installLine !== null && (
        <div className="grid gap-1">
          <p className="field-label">On each machine, as a user who may sudo</p>
          <CodeLine text={made.installLine} what="install line" />
          <p className="field-hint">
            x86-64 and ARM64; needs curl and the NVIDIA driver. Instances launched from the dashboard need none of this:
            they bring the agent along.
          </p>
        </div>
      )}
      <div className="grid gap-1">
        <p className="field-label">{made.installLine === null ? "Token" : "Token alone"}</p>
        <CodeLine text={made.secret} what="token" />
        {made.installLine === null && (
          <p className="field-hint">Send it as “Authorization: Bearer …” to /api/v1/… or /metrics.</p>
        )}
      </div>
    </div>
  );
}
