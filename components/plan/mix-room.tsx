"use client";

import { Plus, Target, Undo2 } from "lucide-react";
import { useQuestion } from "@/components/cost/use-question";
import { useLive } from "@/components/page/use-live";
import { FormDialog } from "@/components/settings/form-dialog";
import { type Act, useAct } from "@/components/settings/use-act";
import { Button, IconButton } from "@/components/ui/button";
import { useTimeZone } from "@/components/ui/clock";
import { SelectField, TextAreaField, TextField } from "@/components/ui/field";
import { Meter } from "@/components/ui/meter";
import { Note } from "@/components/ui/note";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { toast } from "@/components/ui/toast";
import { formatCount, formatUsd, formatUsdChange, MINUS, THIN } from "@/lib/domain/format";
import { formatInstant } from "@/lib/domain/format-time";
import type { MixAnswer, MixLine, MixQuestion, SpendPreview } from "@/lib/domain/plan/mix-view";
import { mixQuery } from "@/lib/queries/plan";
import { FileImport } from "./file-import";
import { MixHistory } from "./mix-history";

export type MixActs = {
  target: Act<FormData, null>;
  enter: Act<FormData, null>;
  preview: Act<{ text: string }, SpendPreview>;
  importFile: Act<{ text: string }, { lines: number }>;
  remove: Act<{ provider: string; month: string }, null>;
};

type Props = { question: MixQuestion; acts: MixActs; locked: string | null; canExport: boolean };

/** Where the money went in a month, beside where it should have gone. */
export function MixRoom({ question, acts, locked, canExport }: Props) {
  const { data, failure } = useLive(mixQuery(question));
  const { ask, isPending } = useQuestion();
  return (
    <Deck>
      {failure && (
        <div className="s12 plan-notes">
          <Note tone="warn">The shares could not be read anew; these are the last ones.</Note>
        </div>
      )}
      <Panel
        span={8}
        isFlush
        isRefreshing={isPending}
        title="Shares against targets"
        sub={data.isRunning ? "the month runs still" : undefined}
        actions={
          <>
            {canExport && (
              <span className="not-phone">
                <TableLinks href={`/api/v1/plan/mix?month=${data.month}`} what="The shares" />
              </span>
            )}
            {locked === null && <TargetsDialog data={data} act={acts.target} />}
          </>
        }
      >
        <div className="plan-controls">
          <SelectField label="Month" value={data.month} onChange={({ target }) => ask({ month: target.value })}>
            {data.months.map((month) => (
              <option key={month}>{month}</option>
            ))}
          </SelectField>
        </div>
        {data.parts.length === 0 ? (
          <Empty title="Nothing is known of this month" text="Enter a bill, set targets, or choose another month." />
        ) : (
          <Parts data={data} />
        )}
        <div className="plan-notes">
          {data.isPartial && (
            <Note tone="warn">
              <b>No data for {missing(data)}.</b> Shares are of what is known, and nobody is told to move anything until
              the bill is here.
            </Note>
          )}
          {data.unknownRows > 0 && (
            <Note tone="warn">
              {formatCount(data.unknownRows, "row")} of Lambda’s ledger have no price yet, so its share is too small.
            </Note>
          )}
          {Object.keys(data.targets).length === 0 && (
            <Note>No targets are set. With some, each provider’s distance from its share is shown.</Note>
          )}
        </div>
      </Panel>
      <SpendsPanel data={data} acts={acts} locked={locked} />
      <MixHistory data={data} />
    </Deck>
  );
}

function missing({ parts }: MixAnswer): string {
  return parts
    .filter(({ micros, targetPct }) => micros === null && (targetPct ?? 0) > 0)
    .map(({ name }) => name)
    .join(", ");
}

function points(permille: number): string {
  const sign = permille === 0 ? "±" : permille < 0 ? MINUS : "+";
  return `${sign}${(Math.abs(permille) / 10).toFixed(1)}`;
}

function Parts({ data }: { data: MixAnswer }) {
  return (
    <Table label="Shares of providers">
      <thead>
        <tr>
          <th scope="col">Provider</th>
          <th scope="col" className="num">
            Spent
          </th>
          <th scope="col" className="num">
            Share
          </th>
          <th scope="col" className="not-phone">
            <span className="sr-only">Share as a bar, the target as a tick</span>
          </th>
          <th scope="col" className="num">
            Target
          </th>
          <th scope="col" className="num">
            Off by
          </th>
          <th scope="col" className="num">
            To move
          </th>
        </tr>
      </thead>
      <tbody>
        {data.parts.map((part, i) => (
          <PartRow key={part.provider} part={part} slot={slotOf(i)} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Known</th>
          <td className="num">{formatUsd(data.totalMicros)}</td>
          <td colSpan={5} />
        </tr>
      </tfoot>
    </Table>
  );
}

const SLOTS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export function slotOf(index: number): (typeof SLOTS)[number] {
  return SLOTS[index % SLOTS.length] ?? 8;
}

function PartRow({ part, slot }: { part: MixLine; slot: (typeof SLOTS)[number] }) {
  const { name, micros, source, sharePermille, targetPct, offPermille, moveMicros } = part;
  const share = sharePermille === null ? null : `${(sharePermille / 10).toFixed(1)}${THIN}%`;
  return (
    <tr>
      <th scope="row" className="font-normal">
        <b>{name}</b> <span className="muted">{micros === null ? "" : source}</span>
      </th>
      <td className="num">{micros === null ? <span className="muted">no data</span> : formatUsd(micros)}</td>
      <td className="num">{share ?? <Missing reason="no data" />}</td>
      <td className="not-phone">
        {sharePermille !== null && (
          <Meter
            value={sharePermille}
            max={1_000}
            widthPx={120}
            slot={slot}
            label={`${name}: ${share} of what is known`}
            {...(targetPct !== null && { limit: targetPct * 10 })}
          />
        )}
      </td>
      <td className="num">{targetPct === null ? <Missing reason="no targets" /> : `${targetPct}${THIN}%`}</td>
      <td className="num">
        {offPermille === null ? <Missing reason="data or target is missing" /> : `${points(offPermille)} points`}
      </td>
      <td className="num">
        {moveMicros === null ? <Missing reason="data or target is missing" /> : formatUsdChange(moveMicros)}
      </td>
    </tr>
  );
}

function TargetsDialog({ data, act }: { data: MixAnswer; act: MixActs["target"] }) {
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Target}>
          Targets
        </Button>
      }
      title="Which share each provider should have"
      about="Whole per cent, together 100. Leave it empty for no targets."
      word="Save"
      act={act}
      fields={["text"]}
      onDone={() => toast("ok", "Targets saved")}
    >
      {(failure) => (
        <TextAreaField
          label="Provider and share, one a line"
          name="text"
          rows={5}
          defaultValue={data.targetsText}
          placeholder={"AWS 60\nGoogle Cloud 30\nAzure 10"}
          error={failure?.fields.text}
        />
      )}
    </FormDialog>
  );
}

function SpendsPanel({ data, acts, locked }: { data: MixAnswer; acts: MixActs; locked: string | null }) {
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
