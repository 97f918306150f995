"use client";

import { Plus, Undo2 } from "lucide-react";
import { FileImport } from "@/components/page/file-import";
import { FormDialog } from "@/components/settings/form-dialog";
import { useAct } from "@/components/settings/use-act";
import { Button, IconButton } from "@/components/ui/button";
import { useTimeZone } from "@/components/ui/clock";
import { TextField } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { formatCount, formatUsd } from "@/lib/domain/format";
import { formatInstant } from "@/lib/domain/format-time";
import type { MixAnswer, SpendPreview } from "@/lib/domain/plan/mix-view";
import type { MixActs } from "./mix-room";

/** Bills of other providers: typed, imported, taken back. */
export function SpendsPanel({ data, acts, locked }: { data: MixAnswer; acts: MixActs; locked: string | null }) {
  return (
    <Panel
      span={4}
      isFlush
      title="Bills of others"
      actions={
        locked === null && (
          <>
            <FileImport
              title="Import bills of other providers"
              about="CSV with the columns provider, month and amount_usd; note where you have one."
              placeholder={"provider,month,amount_usd,note\naws,2026-10,12345.67,invoice 0815"}
              called="bill"
              look={acts.preview}
              write={acts.importFile}
              onDone={({ lines }) => toast("ok", `${formatCount(lines, "bill")} imported`)}
            >
              {(preview) => <PreviewLines lines={preview.lines} />}
            </FileImport>
            <SpendDialog month={data.month} act={acts.enter} />
          </>
        )
      }
    >
      {data.spends.length === 0 ? (
        <Empty
          title="No bill of another provider"
          text={locked ?? "Type one or import a file; until then there is no data."}
        />
      ) : (
        <Table label="Bills of other providers" isDense>
          <thead>
            <tr>
              <th scope="col">Provider</th>
              <th scope="col">Month</th>
              <th scope="col" className="num">
                Spent
              </th>
              {locked === null && (
                <th scope="col">
                  <span className="sr-only">Take back</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data.spends.map((spend) => (
              <SpendRow
                key={`${spend.provider} ${spend.month}`}
                spend={spend}
                act={acts.remove}
                isLocked={locked !== null}
              />
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

type SpendRowProps = { spend: MixAnswer["spends"][number]; act: MixActs["remove"]; isLocked: boolean };

function SpendRow({ spend, act, isLocked }: SpendRowProps) {
  const { run, isPending } = useAct(act);
  const zone = useTimeZone();
  const { provider, name, month, micros, note, by, at } = spend;
  return (
    <tr>
      <th scope="row" className="font-normal">
        <b>{name}</b>
        {note !== "" && <div className="muted text-12">{note}</div>}
      </th>
      <td>{month}</td>
      <td className="num" title={`${by ?? "somebody"}, ${formatInstant(at, { timeZone: zone, year: true })}`}>
        {formatUsd(micros)}
      </td>
      {!isLocked && (
        <td>
          <IconButton
            size="small"
            icon={Undo2}
            label={`Take back ${name}, ${month}`}
            isPending={isPending}
            onClick={() => run({ provider, month }, () => toast("ok", "Taken back", "There is no data for it again."))}
          />
        </td>
      )}
    </tr>
  );
}

function SpendDialog({ month, act }: { month: string; act: MixActs["enter"] }) {
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Plus}>
          Enter
        </Button>
      }
      title="Enter a bill"
      about="What another provider billed for a month. Entered again it takes the place of what was there."
      word="Enter"
      act={act}
      fields={["provider", "month", "amount", "note"]}
      onDone={() => toast("ok", "Bill entered")}
    >
      {(failure) => (
        <>
          <TextField label="Provider" name="provider" placeholder="AWS" error={failure?.fields.provider} />
          <div className="grid grid-cols-2 gap-3">
            <TextField label="Month" name="month" defaultValue={month} error={failure?.fields.month} />
            <TextField label="Spent" name="amount" inputMode="decimal" unit="$" error={failure?.fields.amount} />
          </div>
          <TextField label="Note" name="note" error={failure?.fields.note} />
        </>
      )}
    </FormDialog>
  );
}

function PreviewLines({ lines }: Pick<SpendPreview, "lines">) {
  return (
    <Table label="What the file says" isDense>
      <thead>
        <tr>
          <th scope="col" className="num">
            Line
          </th>
          <th scope="col">Provider</th>
          <th scope="col">Month</th>
          <th scope="col" className="num">
            Until now
          </th>
          <th scope="col" className="num">
            Spent
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ line, provider, month, beforeMicros, micros }) => (
          <tr key={line}>
            <td className="num">{line}</td>
            <th scope="row" className="font-normal">
              {provider}
            </th>
            <td>{month}</td>
            <td className="num muted">{beforeMicros === null ? "no data" : formatUsd(beforeMicros)}</td>
            <td className="num">
              <b>{formatUsd(micros)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
