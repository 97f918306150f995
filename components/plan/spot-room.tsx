"use client";

import { CircleCheck, CircleMinus } from "lucide-react";
import { useQuestion } from "@/components/cost/use-question";
import { useLive } from "@/components/page/use-live";
import { SelectField } from "@/components/ui/field";
import { KeyFigure } from "@/components/ui/key-figure";
import { Note } from "@/components/ui/note";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { formatPercent } from "@/lib/domain/format";
import type { SpotAnswer, SpotQuestion } from "@/lib/domain/plan/spot-view";
import { spotQuery } from "@/lib/queries/plan";
import { Formula } from "./formula";
import { QuestionField } from "./question-field";
import { QuoteAge, QuoteName } from "./quote-marks";

type Ask = ReturnType<typeof useQuestion>["ask"];

/** Spot or on demand for a piece of work: the matrix, both expected costs, and what speaks for which. */
export function SpotRoom({ question }: { question: SpotQuestion }) {
  const { data, failure } = useLive(spotQuery(question));
  const { ask, isPending } = useQuestion();
  return (
    <Deck>
      {failure && (
        <div className="s12 plan-notes">
          <Note tone="warn">The prices could not be read anew; these are the last ones.</Note>
        </div>
      )}
      <Panel span={12} isFlush isRefreshing={isPending} title="The work">
        <Fields data={data} question={question} ask={ask} />
        <div className="plan-notes">
          <Note tone={data.choice === "spot" ? "ok" : "info"}>
            <b>{data.choice === "spot" ? "Spot" : "On demand"}</b>: {data.because}.
          </Note>
        </div>
      </Panel>
      <KeyFigure
        span={3}
        label="On demand"
        value={data.hasFirm ? <Formula figure={data.onDemand} align="start" /> : <Missing reason="no price" />}
        note={
          data.firmOffer ? (
            <OfferNote offer={data.firmOffer} />
          ) : data.hasFirm ? (
            "at the price you typed"
          ) : (
            "nobody in the book sells it"
          )
        }
      />
      <KeyFigure
        span={3}
        label="Spot, with lost work"
        value={data.spot ? <Formula figure={data.spot} align="start" /> : <Missing reason="no spot price" />}
        note={
          data.spotOffer ? (
            <OfferNote offer={data.spotOffer} />
          ) : data.hasSpot ? (
            "at the price you typed"
          ) : (
            "nobody in the book sells it"
          )
        }
      />
      <KeyFigure
        span={3}
        label="Saved by spot"
        value={data.saved ? <Formula figure={data.saved} align="start" /> : <Missing reason="no spot price" />}
        note={
          data.savedPct === null
            ? ""
            : `${formatPercent(data.savedPct)}; the prices alone promise ${formatPercent(data.promisedPct)}`
        }
      />
      <KeyFigure
        span={3}
        label="Interruptions to expect"
        value={
          data.interruptions === null ? (
            <Missing reason="no spot price" />
          ) : (
            <Formula figure={data.interruptions} align="start" />
          )
        }
        note="in all runs, by your assumption"
      />
      <MatrixPanel data={data} />
      <DiscountsPanel data={data} />
    </Deck>
  );
}

function OfferNote({ offer }: { offer: NonNullable<SpotAnswer["spotOffer"]> }) {
  return (
    <>
      <QuoteName quote={offer} /> · <QuoteAge quote={offer} />
    </>
  );
}

function Fields({ data, question, ask }: { data: SpotAnswer; question: SpotQuestion; ask: Ask }) {
  const isKnown = data.kinds.some(({ key }) => key === question.gpu);
  const field = (name: keyof SpotQuestion, label: string, unit?: string, placeholder?: string) => (
    <QuestionField
      label={label}
      value={String(question[name])}
      widthPx={120}
      {...(unit !== undefined && { unit })}
      {...(placeholder !== undefined && { placeholder })}
      onAsk={(value) => ask({ [name]: value || undefined })}
    />
  );
  return (
    <div className="plan-controls">
      <SelectField label="GPU" value={question.gpu} onChange={({ target }) => ask({ gpu: target.value })}>
        {!isKnown && <option value={question.gpu}>{question.gpu} GB</option>}
        {data.kinds.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </SelectField>
      {field("gpus", "GPUs")}
      {field("runs", "Runs")}
      {field("hours", "A run takes", "h")}
      <SelectField
        label="May it stop?"
        value={question.guaranteed}
        onChange={({ target }) => ask({ guaranteed: target.value === "no" ? undefined : target.value })}
      >
        <option value="no">It may</option>
        <option value="yes">It may not</option>
      </SelectField>
      {field("checkpoint", "Checkpoint every", "min", "none")}
      {field("interruptions", "Taken away", "/ 24 h")}
      {field("restart", "To begin again", "min")}
      {field("transfer", "Data per session", "$", "0")}
      {field("within", "Done within", "h", "whenever")}
      {field("firmUsd", "On demand GPU-h", "$", "the book’s")}
      {field("spotUsd", "Spot GPU-h", "$", "the book’s")}
    </div>
  );
}

const VOTES = { on_demand: "on demand", spot: "spot" } as const;

function MatrixPanel({ data }: { data: SpotAnswer }) {
  return (
    <Panel span={7} isFlush title="What speaks for which" sub="the matrix of the provisioning review">
      <Table label="What speaks for spot or on demand">
        <thead>
          <tr>
            <th scope="col">Factor</th>
            <th scope="col">Here</th>
            <th scope="col">Speaks for</th>
            <th scope="col" className="not-phone">
              Why
            </th>
          </tr>
        </thead>
        <tbody>
          {data.matrix.map(({ factor, given, speaksFor, why }) => (
            <tr key={factor}>
              <th scope="row" className="font-medium">
                {factor}
                <small className="run-sub phone-only spot-why">{why}</small>
              </th>
              <td>{given}</td>
              <td>
                {speaksFor === null ? (
                  <span className="status tone-mute">
                    <CircleMinus size={14} aria-hidden="true" />
                    neither
                  </span>
                ) : (
                  <span className={speaksFor === "spot" ? "status tone-ok" : "status tone-info"}>
                    <CircleCheck size={14} aria-hidden="true" />
                    {VOTES[speaksFor]}
                  </span>
                )}
              </td>
              <td className="is-wrapping plan-remarks not-phone text-text-2">{why}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function DiscountsPanel({ data }: { data: SpotAnswer }) {
  return (
    <Panel
      span={5}
      isFlush
      title="Measured discounts"
      sub="one source, one day, both prices"
      footer="Ranges such as 50 to 90 % are claims. These are differences between two prices of one thing."
    >
      <Table label="Measured spot discounts" isDense>
        <thead>
          <tr>
            <th scope="col">Offer</th>
            <th scope="col" className="num">
              Cheaper by
            </th>
            <th scope="col">On</th>
          </tr>
        </thead>
        <tbody>
          {data.discounts.map(({ provider, typeName, off, asOf, source }) => (
            <tr key={`${provider} ${typeName} ${asOf} ${source}`}>
              <th scope="row" className="font-normal">
                <b>{provider}</b> <span className="text-text-2">{typeName}</span>
              </th>
              <td className="num">
                <Formula figure={off} />
              </td>
              <td className="text-text-2">{asOf ?? "no date"}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
