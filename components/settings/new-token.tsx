"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { CodeLine } from "@/components/ui/code";
import { SelectField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { PERMISSIONS, type Permission, ROLE_NAMES, ROLES, type Role } from "@/lib/domain/access";
import { formatCount } from "@/lib/domain/format";
import { scopesOf, WALLBOARD_SCOPE } from "@/lib/domain/tokens";
import type { Failure } from "@/lib/errors";
import { FormDialog } from "./form-dialog";
import type { Act } from "./use-act";

export type Made = { id: string; secret: string; installLine: string | null; link: string | null };

const LIVES = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "a year"],
  ["", "until it is revoked"],
] as const;

type Props = { create: Act<FormData, Made> };

type Kind = {
  noun: string;
  about: string;
  word: string;
  /** What of the form the kind settles. */
  hidden: Record<string, string>;
  fields: readonly string[];
  example: string;
  hint?: string;
  /** In days; none: until it is revoked. */
  life: string;
};

const INGEST: Kind = {
  noun: "ingest token",
  about: "For the agents of your instances. It can write samples and nothing else; one token may serve many machines.",
  word: "Create",
  hidden: { kind: "ingest", role: "" },
  fields: ["name", "days"],
  example: "agents, us-east-3",
  life: "",
};

const API: Kind = {
  noun: "API token",
  about:
    "For programs: Prometheus, scripts, notebooks. It may do what its role may, within its scopes: give it the least.",
  word: "Create",
  hidden: { kind: "api" },
  fields: ["name", "role", "scopes", "days"],
  example: "prometheus",
  life: "90",
};

const WALLBOARD: Kind = {
  noun: "wallboard",
  about:
    "A link that shows the fleet, what fires and what burns, without a sign-in and without anybody’s name. It can do nothing.",
  word: "Make the link",
  hidden: { kind: "wallboard", role: "" },
  fields: ["name", "days"],
  example: "Screen in the lab",
  hint: "The screen shows it.",
  life: "365",
};

/** A token for agents; its answer is the line that installs one. */
export const NewIngestToken = ({ create }: Props) => <NewToken kind={INGEST} create={create} />;

/** A token for programs: what a role may, without a sign-in. */
export const NewApiToken = ({ create }: Props) => <NewToken kind={API} create={create} />;

/** A link for a screen on the wall. */
export const NewWallboard = ({ create }: Props) => <NewToken kind={WALLBOARD} create={create} />;

function NewToken({ kind, create }: Props & { kind: Kind }) {
  const title = `New ${kind.noun}`;
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Plus}>
          {title}
        </Button>
      }
      title={title}
      about={kind.about}
      word={kind.word}
      act={create}
      fields={kind.fields}
      hidden={kind.hidden}
      outcome={(made) => <Secret made={made} />}
    >
      {(failure) => (
        <>
          <TextField
            label="Name"
            name="name"
            required
            maxLength={80}
            placeholder={kind.example}
            hint={kind.hint}
            error={failure?.fields.name}
          />
          {kind.fields.includes("role") && <Rights failure={failure} />}
          <Life defaultValue={kind.life} />
        </>
      )}
    </FormDialog>
  );
}

/** The role, and which of its rights: none chosen means all of them. */
function Rights({ failure }: { failure: Failure | null }) {
  const [role, setRole] = useState<Role>("viewer");
  const [chosen, setChosen] = useState<readonly Permission[]>([]);
  const offered = scopesOf(role).filter((scope) => scope !== WALLBOARD_SCOPE);
  const scopes = chosen.filter((scope) => offered.includes(scope));
  return (
    <>
      <SelectField
        label="May at most do what this role may"
        name="role"
        value={role}
        onChange={(event) => setRole(ROLES.find((known) => known === event.target.value) ?? "viewer")}
        error={failure?.fields.role}
      >
        {ROLES.map((one) => (
          <option key={one} value={one}>
            {ROLE_NAMES[one]}
          </option>
        ))}
      </SelectField>
      <input type="hidden" name="scopes" value={scopes.join(",")} />
      <fieldset className="grid gap-1">
        <legend className="field-label">Scopes</legend>
        <p className="field-hint">
          {scopes.length === 0
            ? "None chosen: all rights of the role, except what only a person may do."
            : `${formatCount(scopes.length, "right")} and nothing more.`}
        </p>
        <div className="scope-list">
          {offered.map((scope) => (
            <Checkbox
              key={scope}
              label={<span className="mono">{scope}</span>}
              hint={PERMISSIONS[scope].label}
              checked={scopes.includes(scope)}
              onChange={(event) =>
                setChosen((before) =>
                  event.target.checked ? [...before, scope] : before.filter((one) => one !== scope),
                )
              }
            />
          ))}
        </div>
        {failure?.fields.scopes && <p className="field-error">{failure.fields.scopes}</p>}
      </fieldset>
    </>
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
      {made.link !== null && (
        <div className="grid gap-1">
          <p className="field-label">Open this on the screen</p>
          <CodeLine text={made.link} what="wallboard link" />
          <p className="field-hint">What stands after the # is the token; browsers do not send it to the server.</p>
        </div>
      )}
      <div className="grid gap-1">
        <p className="field-label">{made.installLine === null && made.link === null ? "Token" : "Token alone"}</p>
        <CodeLine text={made.secret} what="token" />
        {made.installLine === null && made.link === null && (
          <p className="field-hint">Send it as “Authorization: Bearer …” to /api/v1/… or /metrics.</p>
        )}
      </div>
    </div>
  );
}
