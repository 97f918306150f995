"use client";

import { useOptimistic } from "react";
import { useQuestion } from "@/components/cost/use-question";
import { useLive } from "@/components/page/use-live";
import { useTimeZone } from "@/components/ui/clock";
import { KeyFigure } from "@/components/ui/key-figure";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Segmented } from "@/components/ui/segmented";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { HOURS_OF_MONTH } from "@/lib/domain/cost/waste";
import { formatCount, formatPercent, formatUsd } from "@/lib/domain/format";
import { formatPeriod } from "@/lib/domain/format-time";
import {
  heardFigure,
  inSetFigure,
  liveFigure,
  measureFigure,
  overlapFigure,
  totalFigure,
} from "@/lib/domain/plan/savings-figures";
import {
  MEASURE_WORDS,
  type SavingMeasure,
  type SavingsAnswer,
  type SavingsQuestion,
} from "@/lib/domain/plan/savings-view";
import { MEASURES, type Measure } from "@/lib/domain/plan/simulate";
import { asked, savingsQuery } from "@/lib/queries/sizing";
import { DealsPanel } from "./deals-panel";
import { EarlyPanel } from "./early-panel";
import { EvidenceBars } from "./evidence-bars";
import { Formula } from "./formula";
import { SavingsForm } from "./savings-form";
import { MachinesPanel } from "./savings-machines";

const DAYS = [
  { value: "7", label: "7 days" },
  { value: "14", label: "14 days" },
  { value: "30", label: "30 days" },
  { value: "60", label: "60 days" },
] as const;

/** What could have been saved of a period that is known, as a month of 730 hours, and what past work it would have cut. */
export function SavingsRoom({ question, canExport }: { question: SavingsQuestion; canExport: boolean }) {
  const { data } = useLive(savingsQuery(question));
  const { ask } = useQuestion();
  const timeZone = useTimeZone();
  const [chosen, choose] = useOptimistic(question.set);
  const toggle = (measure: Measure) => {
    const next = MEASURES.filter((one) => (one === measure) !== chosen.includes(one));
    ask({ set: next.join(",") }, () => choose(next));
  };
  const query = new URLSearchParams(
    Object.entries(asked(question)).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  const isWhole = question.from === undefined && question.to === undefined;
  return (
    <>
      <PageTitle
        title="Savings"
        meta={
          <>
            <span>{formatPeriod(data.from, data.to, timeZone)}</span>
            <span>ledger and telemetry; a month is {HOURS_OF_MONTH} h</span>
            <span>what is missing is never idle</span>
          </>
        }
        actions={
          <Segmented
            label="How far back"
            options={DAYS}
            value={isWhole ? (DAYS.find(({ value }) => value === String(question.days))?.value ?? "30") : "30"}
            onChange={(days) => ask({ days: days === "30" ? undefined : days, from: undefined, to: undefined })}
          />
        }
      />
      <Deck className="sizing">
        <Figures data={data} />
        <Panel
          span={12}
          isFlush
          title="What could be done"
          sub={`each alone, and the chosen ones together; per ${HOURS_OF_MONTH} h`}
          actions={canExport && <TableLinks href={`/api/v1/plan/savings?${query}`} what="Instances" />}
        >
          <div className="not-phone">
            <Measures data={data} chosen={chosen} onToggle={toggle} />
          </div>
          <div className="phone-only">
            {data.measures.map((one) => (
              <MeasureCard
                key={one.measure}
                one={one}
                data={data}
                isChosen={chosen.includes(one.measure)}
                onToggle={toggle}
              />
            ))}
          </div>
          <p className="cost-remark">
            Chosen together, each hour is counted once: what is turned off is not moved, and of several prices the one
            that saves most is taken.
          </p>
        </Panel>
        <SavingsForm question={question} data={data} />
        <MachinesPanel data={data} />
        <EarlyPanel />
        <DealsPanel deals={data.deals} />
      </Deck>
    </>
  );
}

function Figures({ data }: { data: SavingsAnswer }) {
  const { total, monthMicros, unmeasuredMicros } = data;
  const heard = heardFigure(data);
  const whole = Number(monthMicros);
  return (
    <>
      <KeyFigure
        span={3}
        label="The chosen set"
        value={<Formula figure={totalFigure(data)} align="start" />}
        unit="a month"
        note={`${whole > 0 ? `${formatPercent((100 * Number(total.monthMicros)) / whole)} of ${formatUsd(monthMicros)}` : "nothing was paid for"}; ${formatCount(total.machines, "instance")}`}
      />
      <KeyFigure
        span={3}
        label="Of it still running"
        value={<Formula figure={liveFigure(data)} align="start" />}
        unit="a month"
        note="the rest was on instances that are gone"
      />
      <KeyFigure
        span={3}
        label="Counted once"
        value={<Formula figure={overlapFigure(data)} align="start" />}
        note="what the chosen ones have in common"
      />
      <KeyFigure
        span={3}
        label="Minutes heard"
        value={heard === null ? <Missing reason="nothing was paid for" /> : <Formula figure={heard} align="start" />}
        note={
          BigInt(unmeasuredMicros) > 0n
            ? `${formatUsd(unmeasuredMicros)} of the period was not measured hour by hour and is in no saving`
            : "all of the period was measured hour by hour"
        }
      />
    </>
  );
}

function Measures({
  data,
  chosen,
  onToggle,
}: {
  data: SavingsAnswer;
  chosen: readonly Measure[];
  onToggle: (measure: Measure) => void;
}) {
  return (
    <Table label="Measures">
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Chosen</span>
          </th>
          <th scope="col">Measure</th>
          <th scope="col" className="num">
            Instances
          </th>
          <th scope="col" className="num">
            Alone
          </th>
          <th scope="col" className="num">
            In this set
          </th>
          <th scope="col">Past work it would have cut</th>
          <th scope="col">Evidence</th>
          <th scope="col">Risk</th>
        </tr>
      </thead>
      <tbody>
        {data.measures.map((one) => (
          <tr key={one.measure} className={chosen.includes(one.measure) ? "is-selected" : undefined}>
            <td>
              <Tick one={one} isChosen={chosen.includes(one.measure)} onToggle={onToggle} />
            </td>
            <th scope="row">{MEASURE_WORDS[one.measure].title}</th>
            <td className="num text-text-2">{one.machines}</td>
            <td className="num">
              <Alone one={one} windowMs={data.windowMs} />
            </td>
            <td className="num">
              <InSet one={one} windowMs={data.windowMs} />
            </td>
            <td className="sizing-words">{one.past}</td>
            <td className="sizing-words">
              <EvidenceBars level={one.evidence} words={one.evidenceWords} />
            </td>
            <td className="sizing-words text-text-2">{one.risk}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td />
          <th scope="row">{formatCount(chosen.length, "measure")} chosen</th>
          <td className="num">{data.total.machines}</td>
          <td />
          <td className="num">
            <b>
              <Formula figure={totalFigure(data)} />
            </b>
          </td>
          <td colSpan={3} className="text-text-2">
            <Formula figure={overlapFigure(data)} /> counted once
          </td>
        </tr>
      </tfoot>
    </Table>
  );
}

type MeasureProps = { one: SavingMeasure; isChosen: boolean; onToggle: (measure: Measure) => void };

function Tick({ one, isChosen, onToggle }: MeasureProps) {
  return (
    <input
      type="checkbox"
      checked={isChosen}
      onChange={() => onToggle(one.measure)}
      aria-label={`Choose: ${MEASURE_WORDS[one.measure].title}`}
    />
  );
}

function Alone({ one, windowMs }: { one: SavingMeasure; windowMs: number }) {
  if (one.unknown !== null) return <span className="muted sizing-unknown">{one.unknown}</span>;
  return <Formula figure={measureFigure(one, windowMs)} />;
}

function InSet({ one, windowMs }: { one: SavingMeasure; windowMs: number }) {
  const figure = inSetFigure(one, windowMs);
  if (figure === null) return <Missing reason="not chosen" />;
  return (
    <b>
      <Formula figure={figure} />
    </b>
  );
}

function MeasureCard({ one, data, isChosen, onToggle }: MeasureProps & { data: SavingsAnswer }) {
  return (
    <article className="sizing-card">
      <div className="flex items-start gap-2">
        <Tick one={one} isChosen={isChosen} onToggle={onToggle} />
        <div className="min-w-0 flex-1">
          <b>{MEASURE_WORDS[one.measure].title}</b>
          <p className="muted">cuts: {one.past}</p>
          <p className="muted">risk: {one.risk}</p>
          <EvidenceBars level={one.evidence} words={one.evidenceWords} />
        </div>
        <p className="num">
          <Alone one={one} windowMs={data.windowMs} />
          <small className="run-sub">alone, a month</small>
          {one.setMicros !== null && (
            <>
              <InSet one={one} windowMs={data.windowMs} />
              <small className="run-sub">in this set</small>
            </>
          )}
        </p>
      </div>
    </article>
  );
}
