"use client";

import { Target } from "lucide-react";
import { useQuestion } from "@/components/cost/use-question";
import { useLive } from "@/components/page/use-live";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { SelectField, TextAreaField } from "@/components/ui/field";
import { Meter } from "@/components/ui/meter";
import { Note } from "@/components/ui/note";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { RowCard } from "@/components/ui/row-card";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { toast } from "@/components/ui/toast";
import { formatCount, formatUsd, THIN } from "@/lib/domain/format";
import { moveFigure, offFigure, shareFigure } from "@/lib/domain/plan/mix-figures";
import type { MixAnswer, MixLine, MixQuestion, SpendPreview } from "@/lib/domain/plan/mix-view";
import { sumFigure } from "@/lib/domain/plan/price-figures";
import { mixQuery } from "@/lib/queries/plan";
import { Formula } from "./formula";
import { MixHistory } from "./mix-history";
import { SpendsPanel } from "./mix-spends";

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

function Parts({ data }: { data: MixAnswer }) {
  return (
    <>
      <ul className="phone-only">
        {data.parts.map((part) => (
          <PartCard key={part.provider} part={part} data={data} />
        ))}
      </ul>
      <div className="not-phone">
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
              <th scope="col">
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
              <PartRow key={part.provider} part={part} data={data} slot={slotOf(i)} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Known</th>
              <td className="num">
                <Formula figure={knownFigure(data)} />
              </td>
              <td colSpan={5} />
            </tr>
          </tfoot>
        </Table>
      </div>
    </>
  );
}

const SLOTS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export function slotOf(index: number): (typeof SLOTS)[number] {
  return SLOTS[index % SLOTS.length] ?? 8;
}

function knownFigure({ parts, totalMicros, month }: MixAnswer) {
  return sumFigure(
    `Known spend of ${month}`,
    totalMicros,
    parts.flatMap(({ name, micros }) => (micros === null ? [] : [{ name, micros }])),
  );
}

type PartProps = { part: MixLine; data: MixAnswer };

function Spent({ micros }: Pick<MixLine, "micros">) {
  return micros === null ? <span className="muted">no data</span> : formatUsd(micros);
}

function Share({ part, data }: PartProps) {
  const figure = shareFigure(part, data);
  return figure ? <Formula figure={figure} /> : <Missing reason="no data" />;
}

function Off({ part }: Pick<PartProps, "part">) {
  const figure = offFigure(part);
  return figure ? <Formula figure={figure} /> : <Missing reason="data or target is missing" />;
}

function Move({ part, data }: PartProps) {
  const figure = moveFigure(part, data);
  return figure ? <Formula figure={figure} /> : <Missing reason="data or target is missing" />;
}

function PartCard({ part, data }: PartProps) {
  const { name, micros, source, targetPct } = part;
  return (
    <RowCard
      name={<b>{name}</b>}
      about={
        <>
          {micros !== null && <span>{source}</span>}
          <span>{targetPct === null ? "no target" : `target ${targetPct}${THIN}%`}</span>
        </>
      }
      value={<Share part={part} data={data} />}
      more={
        <>
          <span>
            <Spent micros={micros} />
          </span>
          {part.offPermille !== null && (
            <span>
              <Off part={part} />
            </span>
          )}
          {part.moveMicros !== null && (
            <span>
              <Move part={part} data={data} /> to move
            </span>
          )}
        </>
      }
    />
  );
}

function PartRow({ part, data, slot }: PartProps & { slot: (typeof SLOTS)[number] }) {
  const { name, micros, source, sharePermille, targetPct } = part;
  return (
    <tr>
      <th scope="row" className="font-normal">
        <b>{name}</b> <span className="muted">{micros === null ? "" : source}</span>
      </th>
      <td className="num">
        <Spent micros={micros} />
      </td>
      <td className="num">
        <Share part={part} data={data} />
      </td>
      <td>
        {sharePermille !== null && (
          <Meter
            value={sharePermille}
            max={1_000}
            widthPx={120}
            slot={slot}
            label={`${name}: ${(sharePermille / 10).toFixed(1)}${THIN}% of what is known`}
            {...(targetPct !== null && { limit: targetPct * 10 })}
          />
        )}
      </td>
      <td className="num">{targetPct === null ? <Missing reason="no targets" /> : `${targetPct}${THIN}%`}</td>
      <td className="num">
        <Off part={part} />
      </td>
      <td className="num">
        <Move part={part} data={data} />
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
