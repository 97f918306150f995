"use client";

import { Plus } from "lucide-react";
import { useLive } from "@/components/page/use-live";
import { Confirm } from "@/components/settings/confirm";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { TextAreaField, TextField } from "@/components/ui/field";
import { Age } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { SshKeyRow } from "@/lib/domain/cloud/view";
import { cloudQuery } from "@/lib/queries/cloud";
import { CloudName, CloudPanel } from "./cloud-panel";
import { UsedBy } from "./used-by";

type Remove = Act<{ keyId: string }, { id: string }>;
type Props = { add: Act<FormData, { id: string }>; remove: Remove; locked: string | null };

const HEADS = [
  { words: "Name" },
  { words: "Machines launched with it" },
  { words: "First seen", isNumber: true, isWide: true },
];

/** The keys that a launch may put on a machine. */
export function SshKeysPanel({ add, remove, locked }: Props) {
  const { data } = useLive(cloudQuery());
  return (
    <CloudPanel
      title="SSH keys"
      sub="in Lambda's account; a launch puts exactly one of them on its machine"
      action={<NewKey add={add} />}
      heads={HEADS}
      empty={data.readAt.sshKeys === null ? "Not read from Lambda yet." : "None. Nothing can be launched without one."}
      locked={locked}
      rows={data.sshKeys.map((key) => (
        <tr key={key.id}>
          <CloudName>{key.name}</CloudName>
          <td className="is-wrapping">
            <UsedBy names={key.usedBy} />
          </td>
          <td className="num not-phone">
            <Age at={key.since} />
          </td>
          <td>{locked === null && <RemoveKey sshKey={key} remove={remove} />}</td>
        </tr>
      ))}
    />
  );
}

function NewKey({ add }: { add: Props["add"] }) {
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Plus}>
          Add a key
        </Button>
      }
      title="Add an SSH key"
      about="The public half only. Whoever holds the other half gets onto machines that are launched with it."
      word="Add"
      act={add}
      fields={["name", "publicKey"]}
      onDone={() => toast("ok", "The key is in the account")}
    >
      {(failure) => (
        <>
          <TextField
            label="Name"
            name="name"
            required
            maxLength={64}
            placeholder="anna-laptop"
            error={failure?.fields.name}
          />
          <TextAreaField
            label="Public key"
            name="publicKey"
            required
            rows={4}
            className="mono"
            placeholder="ssh-ed25519 AAAA… anna@laptop"
            error={failure?.fields.publicKey}
          />
        </>
      )}
    </FormDialog>
  );
}

function RemoveKey({ sshKey, remove }: { sshKey: SshKeyRow; remove: Remove }) {
  return (
    <span className="row-actions">
      <Confirm
        trigger={
          <Button size="small" look="ghost" aria-label={`Remove ${sshKey.name}`}>
            Remove…
          </Button>
        }
        title={`Remove ${sshKey.name}?`}
        word="Remove"
        done={`${sshKey.name} is removed`}
        act={remove}
        input={{ keyId: sshKey.id }}
      >
        New machines cannot be launched with it. Machines that run keep it: this ends nobody’s access to them.
      </Confirm>
    </span>
  );
}
