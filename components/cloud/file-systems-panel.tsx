"use client";

import { Plus } from "lucide-react";
import { useLive } from "@/components/page/use-live";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Missing } from "@/components/ui/quantity";
import { toast } from "@/components/ui/toast";
import type { CloudAnswer, FileSystemRow } from "@/lib/domain/cloud/view";
import { formatStorage, formatUsd } from "@/lib/domain/format";
import { cloudQuery } from "@/lib/queries/cloud";
import { CloudName, CloudPanel } from "./cloud-panel";
import { UsedBy } from "./used-by";

type Make = Act<FormData, { id: string }>;
type Props = { create: Make; remove: Make; locked: string | null };

const HEADS = [
  { words: "Name" },
  { words: "Region", isWide: true },
  { words: "Held by" },
  { words: "Used", isNumber: true },
  { words: "720 hours cost", isNumber: true },
];

/** What outlives machines, and goes on costing. */
export function FileSystemsPanel({ create, remove, locked }: Props) {
  const { data } = useLive(cloudQuery());
  return (
    <CloudPanel
      title="File systems"
      sub="they outlive their machines and go on costing; sizes are Lambda's, some hours old"
      action={<NewFileSystem create={create} regions={data.regions} />}
      heads={HEADS}
      empty={
        data.readAt.fileSystems === null ? "Not read from Lambda yet." : "None. A machine’s own disk ends with it."
      }
      locked={locked}
      rows={data.fileSystems.map((one) => (
        <tr key={one.id}>
          <CloudName>{one.name}</CloudName>
          <td className="not-phone">{one.region}</td>
          <td className="is-wrapping">
            {one.usedBy.length === 0 && !one.isAttached ? (
              <Badge tone="warn">Nobody</Badge>
            ) : (
              <UsedBy names={one.usedBy} />
            )}
          </td>
          <td className="num">
            {one.bytesUsed === null ? <Missing reason="Lambda has not said" /> : formatStorage(one.bytesUsed)}
          </td>
          <td className="num">
            {one.monthMicros === null ? (
              <Missing reason="its size or the price of storage is not known" />
            ) : (
              formatUsd(BigInt(one.monthMicros))
            )}
          </td>
          <td>{locked === null && <Delete fileSystem={one} remove={remove} />}</td>
        </tr>
      ))}
    />
  );
}

function NewFileSystem({ create, regions }: { create: Make; regions: CloudAnswer["regions"] }) {
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Plus}>
          New file system
        </Button>
      }
      title="New file system"
      about="It costs by what is in it, from the first byte until it is deleted. Machines of its region can hold it; it is attached at launch."
      word="Make it"
      act={create}
      fields={["name", "region"]}
      onDone={() => toast("ok", "The file system is there")}
    >
      {(failure) => (
        <>
          <TextField
            label="Name"
            name="name"
            required
            maxLength={60}
            placeholder="datasets"
            error={failure?.fields.name}
          />
          <SelectField label="Region" name="region" required defaultValue="" error={failure?.fields.region}>
            <option value="" disabled>
              Choose one
            </option>
            {regions.map(({ name, description }) => (
              <option key={name} value={name}>
                {description ? `${name}, ${description}` : name}
              </option>
            ))}
          </SelectField>
        </>
      )}
    </FormDialog>
  );
}

function Delete({ fileSystem, remove }: { fileSystem: FileSystemRow; remove: Make }) {
  const { id, name, bytesUsed, usedBy } = fileSystem;
  const isHeld = usedBy.length > 0 || fileSystem.isAttached === true;
  return (
    <span className="row-actions">
      <FormDialog
        trigger={
          <Button
            size="small"
            look="ghost"
            disabled={isHeld}
            title={isHeld ? "A machine holds it; end that first" : undefined}
            aria-label={`Delete ${name}`}
          >
            Delete…
          </Button>
        }
        title={`Delete ${name}?`}
        word="Delete for ever"
        act={remove}
        fields={["typed"]}
        hidden={{ fileSystemId: id }}
        onDone={() => toast("ok", `${name} is deleted`)}
      >
        {(failure) => (
          <>
            <Note tone="crit">
              {bytesUsed === null ? "All" : formatStorage(bytesUsed)} in it is erased at once. Nothing brings it back.
            </Note>
            <TextField label={`Type ${name}`} name="typed" required autoComplete="off" error={failure?.fields.typed} />
          </>
        )}
      </FormDialog>
    </span>
  );
}
