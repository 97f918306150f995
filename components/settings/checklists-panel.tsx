"use client";

import { Plus } from "lucide-react";
import { useLive } from "@/components/page/use-live";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import type { Checklist, ChecklistItem } from "@/lib/domain/intents/checklist";
import type { Saved, SavedChange, SavedFields, SavedId } from "@/lib/domain/saved";
import { checklistsQuery } from "@/lib/queries/intents";
import { ChecklistDialog } from "./checklist-dialog";
import { Confirm } from "./confirm";
import type { Act } from "./use-act";

type Made = { id: string };
type Props = {
  create: Act<SavedFields, Made>;
  change: Act<SavedChange, Made>;
  remove: Act<SavedId, Made>;
  /** Why this role only looks; null: it may change them. */
  locked: string | null;
};

/** What teams want looked at before a machine ends, and what is asked where they said nothing. */
export function ChecklistsPanel({ create, change, remove, locked }: Props) {
  const { data } = useLive(checklistsQuery());
  const first: Checklist = { team: "", workload: null, items: data.usual.unknown };
  return (
    <Panel
      span={12}
      title="Before a machine ends"
      sub="asked in the terminate dialog; the ticks are kept with the request"
      isFlush
      actions={
        locked === null && (
          <ChecklistDialog
            trigger={
              <Button size="small" look="primary" icon={Plus}>
                New checklist
              </Button>
            }
            row={null}
            first={first}
            create={create}
            change={change}
          />
        )
      }
    >
      {locked !== null && <Note>{locked}</Note>}
      <Table label="Checklists">
        <thead>
          <tr>
            <th scope="col">Checklist</th>
            <th scope="col">For</th>
            <th scope="col">Points</th>
            <th scope="col" className="num">
              Changed
            </th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{row.name}</th>
              <td className="text-text-2">{scopeWords(row.body)}</td>
              <td>
                <Points items={row.body.items} />
              </td>
              <td className="num muted">
                <Age at={row.updatedAt} isBare />
              </td>
              <td className="num">{locked === null && <Acts row={row} {...{ first, create, change, remove }} />}</td>
            </tr>
          ))}
          {WORKLOADS.map((workload) => (
            <tr key={workload}>
              <th scope="row">
                <span className="text-text-2">Usual points</span>
              </th>
              <td className="text-text-2">
                {workload === "unknown" ? "machines of no known workload" : workload}, where no list fits
              </td>
              <td>
                <Points items={data.usual[workload]} />
              </td>
              <td className="num muted">built in</td>
              <td />
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function scopeWords({ team, workload }: Checklist): string {
  if (team === "" && workload === null) return "every machine";
  if (team === "") return `${workload} of every team`;
  return workload === null ? `team ${team}` : `${workload} of team ${team}`;
}

function Points({ items }: { items: readonly ChecklistItem[] }) {
  if (items.length === 0) return <span className="muted">nothing is asked</span>;
  return (
    <ul className="py-[6px]">
      {items.map(({ text, isRequired }) => (
        <li key={text}>
          {text}
          {isRequired && <span className="text-warn"> (must be ticked)</span>}
        </li>
      ))}
    </ul>
  );
}

type ActsProps = Omit<Props, "locked"> & { row: Saved<Checklist>; first: Checklist };

function Acts({ row, first, create, change, remove }: ActsProps) {
  return (
    <span className="inline-flex gap-2">
      <ChecklistDialog
        trigger={<Button size="small">Edit</Button>}
        row={row}
        first={first}
        create={create}
        change={change}
      />
      <Confirm
        trigger={
          <Button size="small" look="danger">
            Remove
          </Button>
        }
        title={`Remove the checklist ${row.name}?`}
        word="Remove"
        done="Checklist removed"
        act={remove}
        input={{ id: row.id }}
      >
        Machines it was for are asked the next list that fits, or the usual points. Requests keep what was ticked.
      </Confirm>
    </span>
  );
}
