"use client";

import { Plus } from "lucide-react";
import { useLive } from "@/components/page/use-live";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { CloudAnswer, FileSystemRow } from "@/lib/domain/cloud/view";
import { formatStorage, formatUsd } from "@/lib/domain/format";
import { cloudQuery } from "@/lib/queries/cloud";
import { UsedBy } from "./used-by";

type Make = Act<FormData, { id: string }>;
type Props = { create: Make; remove: Make; locked: string | null };

/** What outlives machines, and goes on costing. */
export function FileSystemsPanel({ create, remove, locked }: Props) {
  const { data } = useLive(cloudQuery());
  return (
    <Panel
      title="File systems"
      sub="they outlive their machines and go on costing; sizes are Lambda's, some hours old"
      actions={locked === null && <NewFileSystem create={create} regions={data.regions} />}
      span={12}
      isFlush
    >
      {data.fileSystems.length === 0 ? (
        <p className="muted panel-words">
          {data.readAt.fileSystems === null ? "Not read from Lambda yet." : "None. A machine’s own disk ends with it."}
        </p>
      ) : (
        <Table label="File systems">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" className="not-phone">
                Region
              </th>
              <th scope="col">Held by</th>
              <th scope="col" className="num">
                Used
              </th>
              <th scope="col" className="num">
                720 hours cost
              </th>
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.fileSystems.map((one) => (
              <tr key={one.id}>
                <th scope="row" className="mono font-medium">
                  {one.name}
                </th>
                <td className="not-phone">{one.region}</td>
                <td>
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
          </tbody>
        </Table>
      )}
      {locked !== null && <p className="muted panel-words">{locked}</p>}
    </Panel>
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
