"use client";

import { useState } from "react";
import { SelectField, TextAreaField, TextField } from "@/components/ui/field";
import { CREDENTIAL_KINDS, type CredentialKind, type TargetRow, type TargetsAnswer } from "@/lib/domain/targets";
import type { Failure } from "@/lib/errors";

export const TARGET_FIELDS = ["name", "url", "everySeconds", "instanceId", "credential", "secret", "mapping"] as const;

const CREDENTIAL_NAMES: Record<CredentialKind, string> = {
  none: "Nothing",
  bearer: "A bearer token",
  basic: "Name and password",
};

type Props = {
  instances: TargetsAnswer["instances"];
  failure: Failure | null;
  /** Of a target that is changed. */
  before?: TargetRow;
};

export function TargetFields({ instances, failure, before }: Props) {
  const [credential, setCredential] = useState<CredentialKind>(before?.credential ?? "none");
  const isKept = before !== undefined && before.credential === credential;
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={100}
        defaultValue={before?.name}
        placeholder="gh-1 dcgm"
        error={failure?.fields.name}
      />
      <TextField
        label="Address of the page"
        name="url"
        type="url"
        required
        maxLength={2000}
        defaultValue={before?.url}
        placeholder="http://10.19.60.10:9400/metrics"
        error={failure?.fields.url}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Every"
          name="everySeconds"
          type="number"
          required
          min={5}
          max={3600}
          defaultValue={before?.everySeconds ?? 15}
          unit="s"
          error={failure?.fields.everySeconds}
        />
        <SelectField
          label="Instance"
          name="instanceId"
          defaultValue={before?.instanceId ?? ""}
          error={failure?.fields.instanceId}
        >
          <option value="">Not said yet</option>
          {instances.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <SelectField
        label="Sent along"
        name="credential"
        value={credential}
        onChange={({ target: { value } }) => setCredential(CREDENTIAL_KINDS.find((kind) => kind === value) ?? "none")}
        error={failure?.fields.credential}
      >
        {CREDENTIAL_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {CREDENTIAL_NAMES[kind]}
          </option>
        ))}
      </SelectField>
      {credential !== "none" && (
        <TextField
          label={credential === "bearer" ? "Token" : "Name and password"}
          name="secret"
          type="password"
          required={!isKept}
          maxLength={4000}
          placeholder={credential === "bearer" ? "" : "name:password"}
          hint={isKept ? "Left empty, the one that is kept stays." : undefined}
          error={failure?.fields.secret}
        />
      )}
      <TextAreaField
        label="Mapping"
        name="mapping"
        defaultValue={before && before.mapping.length > 0 ? JSON.stringify(before.mapping, null, 2) : ""}
        placeholder='[{"from": "gpu_busy_ratio", "to": "utilizationPct", "scale": 100}]'
        hint="Only for metrics that are not known here; DCGM, nvidia_smi and model servers are."
        error={failure?.fields.mapping}
      />
    </>
  );
}
