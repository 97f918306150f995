"use client";

import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { useQuestion } from "@/components/cost/use-question";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { RowCard } from "@/components/ui/row-card";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { HOURS_OF_MONTH } from "@/lib/domain/cost/waste";
import { formatNumber } from "@/lib/domain/format";
import { TASK_WORDS } from "@/lib/domain/plan/memory";
import { providerName } from "@/lib/domain/plan/quotes";
import { gpuOf, type SizedGpu, type SizedOffer, type SizingQuestion } from "@/lib/domain/plan/sizing";
import { offerFigure, parametersText, usedFigure } from "@/lib/domain/plan/sizing-figures";
import type { SizingAnswer } from "@/lib/domain/plan/sizing-view";
import { sizingQuery } from "@/lib/queries/sizing";
import { Formula } from "./formula";
import { HintsPanels } from "./hints-panels";
import { MemoryBar } from "./memory-bar";
import { SizingForm } from "./sizing-form";
import { OffersPanel, priceAge } from "./sizing-offers";
import { ThroughputPanel } from "./throughput-panel";

/** From a model to its memory, to the GPUs that hold it, to what they cost: a formula, not a measurement. */
export function SizingRoom({ question, canExport }: { question: SizingQuestion; canExport: boolean }) {
  const { data } = useLive(sizingQuery(question));
  const query = new URLSearchParams(
    Object.entries(question).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return (
    <>
      <PageTitle
        title="Sizing"
        meta={
          <>
            <span>
              {parametersText(data.plan.parameters)}, {TASK_WORDS[data.plan.task]}
            </span>
            <span>a formula, not a measurement</span>
            <span>US dollars, before tax</span>
          </>
        }
      />
      <Deck className="sizing">
        <Panel span={5} title="What is to run" sub="layers and width as models of that size usually have them">
          <SizingForm question={question} plan={data.plan} />
        </Panel>
        <Panel span={7} title="Memory" sub="part by part; marks are what cards report">
          <MemoryBar plan={data.plan} memory={data.memory} />
        </Panel>
        <Panel
          span={12}
          isFlush
          title="GPUs that hold it"
          sub={`from T4 to B200; good up to 85 % of what a card reports, tight up to 90 %; a month is ${HOURS_OF_MONTH} h`}
          actions={canExport && <TableLinks href={`/api/v1/plan/sizing?${query}`} what="GPUs" />}
        >
          <Gpus data={data} />
        </Panel>
        <OffersPanel data={data} />
        <HintsPanels data={data} />
        <ThroughputPanel measured={data.measured} days={data.measuredDays} />
      </Deck>
    </>
  );
}

function Gpus({ data }: { data: SizingAnswer }) {
  return (
    <>
      <ul className="phone-only">
        {data.gpus.map((sized) => (
          <GpuCard key={sized.key} sized={sized} data={data} />
        ))}
      </ul>
      <div className="not-phone">
        <Table label="GPUs that hold it" isTight>
          <thead>
            <tr>
              <th scope="col">GPUs</th>
              <th scope="col" className="num">
                Reports
              </th>
              <th scope="col" className="num">
                Used of each
              </th>
              <th scope="col">Fits</th>
              <th scope="col">Lambda</th>
              <th scope="col" className="num">
                An hour
              </th>
              <th scope="col" className="num">
                A month
              </th>
              <th scope="col">Cheapest elsewhere</th>
              <th scope="col" className="num">
                An hour
              </th>
              <th scope="col" className="num">
                A month
              </th>
            </tr>
          </thead>
          <tbody>
            {data.gpus.map((sized) => (
              <GpuRow key={sized.key} sized={sized} data={data} />
            ))}
          </tbody>
        </Table>
      </div>
    </>
  );
}

type GpuProps = { sized: SizedGpu; data: SizingAnswer };

function GpuName({ sized, data }: GpuProps) {
  const { ask } = useQuestion();
  const gpu = gpuOf(sized.key);
  const { gpus } = sized.fit;
  const remarks = [...sized.remarks, sized.key === data.best && "cheapest on Lambda"].filter(Boolean).join("; ");
  return (
    <>
      {gpus === null ? (
        gpu.name
      ) : (
        <button
          type="button"
          className="name-link"
          onClick={() => ask({ gpu: sized.key })}
          aria-label={`All offers of ${gpu.name}`}
        >
          {gpus} × {gpu.name}
        </button>
      )}
      {remarks && <small className="run-sub">{remarks}</small>}
    </>
  );
}

function Used({ sized, data }: GpuProps) {
  const { gpus } = sized.fit;
  if (gpus === null) return <Missing reason="512 do not hold it" />;
  return <Formula figure={usedFigure(data.plan, gpuOf(sized.key), gpus)} />;
}

function Fits({ sized }: Pick<GpuProps, "sized">) {
  const { state } = sized.fit;
  if (state === "good")
    return (
      <Badge tone="ok" icon={CircleCheck}>
        Below 85 %
      </Badge>
    );
  return state === "tight" ? (
    <Badge tone="warn" icon={TriangleAlert}>
      85 to 90 %
    </Badge>
  ) : (
    <Badge tone="plain" icon={CircleX}>
      Does not fit
    </Badge>
  );
}

function GpuCard({ sized, data }: GpuProps) {
  const { lambda, elsewhere, fit } = sized;
  const offer = lambda ?? elsewhere;
  return (
    <RowCard
      name={<GpuName sized={sized} data={data} />}
      about={
        <>
          <span>
            <Fits sized={sized} />
          </span>
          {fit.gpus !== null && (
            <span>
              <Used sized={sized} data={data} /> used of each
            </span>
          )}
        </>
      }
      value={offer ? <Formula figure={offerFigure(offer, "month")} /> : <Missing reason="no firm price in the book" />}
      more={
        offer && (
          <>
            <span>a month {lambda ? "at Lambda" : `at ${providerName(offer.provider)}`}</span>
            <span>
              <Formula figure={offerFigure(offer, "hour")} />
            </span>
            {lambda && elsewhere && (
              <span>
                <Formula figure={offerFigure(elsewhere, "month")} /> at {providerName(elsewhere.provider)}
              </span>
            )}
          </>
        )
      }
      isMarked={sized.key === data.shown}
    />
  );
}

function GpuRow({ sized, data }: GpuProps) {
  const isFitting = sized.fit.gpus !== null;
  return (
    <tr className={sized.key === data.shown ? "is-selected" : undefined}>
      <th scope="row">
        <GpuName sized={sized} data={data} />
      </th>
      <td className="num text-text-2">{formatNumber(gpuOf(sized.key).reportedMib)} MiB</td>
      <td className="num">
        <Used sized={sized} data={data} />
      </td>
      <td>
        <Fits sized={sized} />
      </td>
      <OfferCells offer={sized.lambda} isLambda isFitting={isFitting} day={data.day} />
      <OfferCells offer={sized.elsewhere} isFitting={isFitting} day={data.day} />
    </tr>
  );
}

type OfferCellsProps = { offer: SizedOffer | null; isLambda?: boolean; isFitting: boolean; day: string };

function OfferCells({ offer, isLambda = false, isFitting, day }: OfferCellsProps) {
  if (offer === null) {
    const reason = isFitting ? "no firm price in the book" : "it does not fit";
    return (
      <>
        <td className="muted">{isFitting ? (isLambda ? "not sold" : "no offer") : ""}</td>
        <td className="num">
          <Missing reason={reason} />
        </td>
        <td className="num">
          <Missing reason={reason} />
        </td>
      </>
    );
  }
  return (
    <>
      <td>
        {isLambda ? "" : `${providerName(offer.provider)} `}
        <span className={isLambda ? undefined : "text-text-2"}>
          {offer.machines > 1 ? `${offer.machines} × ` : ""}
          {offer.typeName}
        </span>
        <small className="run-sub">{priceAge(offer, day)}</small>
      </td>
      <td className="num">
        <Formula figure={offerFigure(offer, "hour")}>
          <span className={offer.state === "stale" ? "stale" : undefined}>{offerFigure(offer, "hour").value}</span>
        </Formula>
      </td>
      <td className="num">
        <Formula figure={offerFigure(offer, "month")}>
          <span className={offer.state === "stale" ? "stale" : undefined}>{offerFigure(offer, "month").value}</span>
        </Formula>
      </td>
    </>
  );
}
