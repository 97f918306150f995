"use client";

import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { useQuestion } from "@/components/cost/use-question";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { HOURS_OF_MONTH } from "@/lib/domain/cost/waste";
import { formatCount, formatNumber } from "@/lib/domain/format";
import { ARCHITECTURE_WORDS } from "@/lib/domain/plan/gpu-kind";
import { TASK_WORDS } from "@/lib/domain/plan/memory";
import { STATE_WORDS, TIER_WORDS } from "@/lib/domain/plan/quote-words";
import { ageDays, providerName } from "@/lib/domain/plan/quotes";
import { gpuOf, type SizedGpu, type SizedOffer, type SizingQuestion } from "@/lib/domain/plan/sizing";
import { offerFigure, parametersText, usedFigure } from "@/lib/domain/plan/sizing-figures";
import type { SizingAnswer } from "@/lib/domain/plan/sizing-view";
import { sizingQuery } from "@/lib/queries/sizing";
import { Formula } from "./formula";
import { HintsPanels } from "./hints-panels";
import { MemoryBar } from "./memory-bar";
import { SizingForm } from "./sizing-form";
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
    <Table label="GPUs that hold it">
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
  );
}

function GpuRow({ sized, data }: { sized: SizedGpu; data: SizingAnswer }) {
  const { ask } = useQuestion();
  const gpu = gpuOf(sized.key);
  const { gpus, state } = sized.fit;
  const remarks = [...sized.remarks, sized.key === data.best && "cheapest on Lambda"].filter(Boolean).join("; ");
  return (
    <tr className={sized.key === data.shown ? "is-selected" : undefined}>
      <th scope="row">
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
      </th>
      <td className="num text-text-2">{formatNumber(gpu.reportedMib)} MiB</td>
      <td className="num">
        {gpus === null ? (
          <Missing reason="512 do not hold it" />
        ) : (
          <Formula figure={usedFigure(data.plan, gpu, gpus)} />
        )}
      </td>
      <td>
        {state === "good" ? (
          <Badge tone="ok" icon={CircleCheck}>
            Below 85 %
          </Badge>
        ) : state === "tight" ? (
          <Badge tone="warn" icon={TriangleAlert}>
            85 to 90 %
          </Badge>
        ) : (
          <Badge tone="plain" icon={CircleX}>
            Does not fit
          </Badge>
        )}
      </td>
      <OfferCells offer={sized.lambda} isLambda isFitting={gpus !== null} day={data.day} />
      <OfferCells offer={sized.elsewhere} isFitting={gpus !== null} day={data.day} />
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

function priceAge(offer: SizedOffer, day: string): string {
  if (offer.state === "live") return "live";
  const age = ageDays(offer.asOf, day);
  return age === null ? "no date" : `${STATE_WORDS[offer.state].toLowerCase()}, ${age} d old`;
}

function OffersPanel({ data }: { data: SizingAnswer }) {
  const gpu = gpuOf(data.shown);
  return (
    <Panel
      span={12}
      isFlush={data.offers.length > 0}
      title={`Where ${gpu.name} is sold`}
      sub={`${formatCount(data.offers.length, "firm offer")} of the price book; spot, medians, rejected and GPU-only prices are none; ${ARCHITECTURE_WORDS[gpu.architecture]}`}
    >
      {data.offers.length === 0 ? (
        <p className="muted">The price book has no firm offer of it, or no number of them holds the model.</p>
      ) : (
        <Table label={`Offers of ${gpu.name}`} isDense>
          <thead>
            <tr>
              <th scope="col">Offer</th>
              <th scope="col">Kind</th>
              <th scope="col" className="num">
                Machines
              </th>
              <th scope="col" className="num">
                An hour
              </th>
              <th scope="col" className="num">
                A month
              </th>
              <th scope="col">Price of</th>
              <th scope="col">Read this</th>
            </tr>
          </thead>
          <tbody>
            {data.offers.map((offer) => (
              <tr
                key={`${offer.provider} ${offer.typeName} ${offer.region} ${offer.tier} ${offer.unit} ${offer.priceMicros} ${offer.asOf}`}
              >
                <th scope="row">
                  {providerName(offer.provider)} <span className="text-text-2">{offer.typeName}</span>
                </th>
                <td className="text-text-2">{TIER_WORDS[offer.tier]}</td>
                <td className="num text-text-2">{offer.unit === "gpu" ? `${offer.machines} GPUs` : offer.machines}</td>
                <td className="num">
                  <Formula figure={offerFigure(offer, "hour")} />
                </td>
                <td className="num">
                  <Formula figure={offerFigure(offer, "month")} />
                </td>
                <td className={offer.state === "stale" ? "stale" : "text-text-2"}>{priceAge(offer, data.day)}</td>
                <td className="sizing-note text-text-2">
                  {[offer.spareGpus > 0 && `${formatCount(offer.spareGpus, "GPU")} more than needed`, ...offer.remarks]
                    .filter(Boolean)
                    .join("; ")}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}
