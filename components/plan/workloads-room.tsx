"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { formatCount, formatNumber, formatPercent, formatUsdRate } from "@/lib/domain/format";
import { BENCHMARKS } from "@/lib/domain/plan/benchmarks";
import { figure } from "@/lib/domain/plan/formula";
import { CONTEXT_BYTES, memoryOf, PRECISION_WORDS, SIZE_CLASSES, TASK_WORDS, totalOf } from "@/lib/domain/plan/memory";
import { perGpuFigure } from "@/lib/domain/plan/price-figures";
import type { QuoteView } from "@/lib/domain/plan/quote-view";
import { providerName } from "@/lib/domain/plan/quotes";
import { gpuOf, type SizedOffer } from "@/lib/domain/plan/sizing";
import { gib, offerFigure, totalFigure, weightsFigure } from "@/lib/domain/plan/sizing-figures";
import {
  BATCH_REQUESTS_PER_HOUR,
  shareOfRate,
  WORKLOAD_SOURCE,
  WORKLOAD_TYPES,
  type WorkloadType,
} from "@/lib/domain/plan/workload-types";
import type { PriceRange, SizedWorkload } from "@/lib/domain/plan/workload-view";
import { workloadsQuery } from "@/lib/queries/sizing";
import { Formula } from "./formula";
import { ThroughputPanel } from "./throughput-panel";

/** Kinds of work, what each needs and is held to, and what its GPUs cost today. */
export function WorkloadsRoom() {
  const { data } = useLive(workloadsQuery());
  return (
    <>
      <PageTitle
        title="Workloads"
        meta={
          <>
            <span>{formatCount(WORKLOAD_TYPES.length, "kind")} of work</span>
            <span>sizes and prices are computed, not copied</span>
            <span>{WORKLOAD_SOURCE}</span>
          </>
        }
      />
      <Deck className="sizing">
        {WORKLOAD_TYPES.map((type) => (
          <WorkloadPanel key={type.key} type={type} sized={data.types.find(({ key }) => key === type.key) ?? null} />
        ))}
        <ClassesPanel />
        <PricesPanel prices={data.prices} />
        <ThroughputPanel measured={data.measured} days={data.measuredDays} />
      </Deck>
    </>
  );
}

/** The calculator with the example filled in. */
function sizingHref({ example: { plan } }: WorkloadType): Route {
  const query = new URLSearchParams({
    params: String(plan.parameters / 1e9),
    task: plan.task,
    precision: plan.precision,
    batch: String(plan.batch),
    context: String(plan.context),
  });
  return `/plan/sizing?${query}` as Route;
}

function WorkloadPanel({ type, sized }: { type: WorkloadType; sized: SizedWorkload | null }) {
  const { model, plan } = type.example;
  return (
    <Panel
      span={6}
      title={type.name}
      sub={`${type.intensity} intensity`}
      actions={
        <Link className="link" href={sizingHref(type)}>
          Size it
        </Link>
      }
    >
      <dl className="facts workload-facts">
        <dt>Memory</dt>
        <dd>{type.memory}</dd>
        <dt>Pattern</dt>
        <dd>{type.pattern}</dd>
        <dt>Label</dt>
        <dd>
          <Badge tone="plain">{type.label}</Badge>
        </dd>
        <dt>Example</dt>
        <dd>{model}</dd>
        <dt>As</dt>
        <dd>
          {TASK_WORDS[plan.task]}, {PRECISION_WORDS[plan.precision]}
        </dd>
        <dt>Batch and context</dt>
        <dd>
          {plan.batch}, {formatNumber(plan.context)} tokens
        </dd>
        <dt>Needs</dt>
        <dd>
          <Formula figure={totalFigure(plan)}>{gib(totalOf(memoryOf(plan)) + CONTEXT_BYTES)}</Formula>
        </dd>
        <dt>Cheapest that fits</dt>
        <dd>
          {sized?.gpu == null || sized.gpus === null ? (
            <Missing reason="no firm price is known of a GPU that holds it" />
          ) : (
            `${sized.gpus} × ${gpuOf(sized.gpu).name}, ${formatPercent(sized.usedPct)} used`
          )}
        </dd>
        <OfferLine name="On Lambda" offer={sized?.lambda ?? null} />
        <OfferLine name="Elsewhere" offer={sized?.elsewhere ?? null} />
      </dl>
      <ul className="sizing-list sizing-slo pt-2">
        {type.slos.map(({ what, value, note }) => (
          <li key={what}>
            {what}: <b>{value}</b>
            {note && <small>{note}</small>}
          </li>
        ))}
        {type.key === "batch" && <BatchShare />}
        {type.advice.map((one) => (
          <li key={one} className="text-text-2">
            {one}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What that rate really is: a small part of the smallest card. */
function BatchShare() {
  const [bench] = BENCHMARKS;
  if (!bench?.requestsPerSecond) return null;
  const { perSecond, pct } = shareOfRate(BATCH_REQUESTS_PER_HOUR, bench.requestsPerSecond);
  return (
    <li>
      <Formula
        align="start"
        figure={figure({
          name: `${formatNumber(BATCH_REQUESTS_PER_HOUR)} requests an hour`,
          value: formatPercent(pct),
          amount: pct,
          formula: "{requests} ÷ 3600 ÷ {speed} × 100",
          numbers: [
            {
              key: "requests",
              name: "requests an hour",
              value: formatNumber(BATCH_REQUESTS_PER_HOUR),
              amount: BATCH_REQUESTS_PER_HOUR,
            },
            {
              key: "speed",
              name: `requests a second of ${bench.model} on a T4, stated`,
              value: String(bench.requestsPerSecond),
              amount: bench.requestsPerSecond,
            },
          ],
        })}
      >
        {formatNumber(perSecond, 2)} a second, {formatPercent(pct)} of one T4
      </Formula>
      <small>such a machine is idle nearly always: share it, or start it for the batch</small>
    </li>
  );
}

function OfferLine({ name, offer }: { name: string; offer: SizedOffer | null }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {offer === null ? (
          <Missing reason="no firm offer is known" />
        ) : (
          <>
            {offer.provider === "lambda" ? "" : `${providerName(offer.provider)} `}
            {offer.machines > 1 ? `${offer.machines} × ` : ""}
            {offer.typeName}
            {offer.provider === "lambda" ? "" : ` (${gpuOf(offer.gpu).name})`},{" "}
            <Formula figure={offerFigure(offer, "hour")} />, <Formula figure={offerFigure(offer, "month")} /> a month
          </>
        )}
      </dd>
    </>
  );
}

const CLASS_EXAMPLES: Readonly<Record<string, string>> = {
  "under-1b": "GPT-2",
  "1b-7b": "GPT-J 6B",
  "7b-20b": "Llama 7B and 13B",
  "20b-70b": "Llama 65B",
  "70b-up": "Llama 70B, GPT-3 (175B)",
};

/** Classes of size with what their weights take. */
function ClassesPanel() {
  return (
    <Panel
      span={6}
      isFlush
      title="Sizes of models"
      sub="weights alone: two bytes for each parameter, four in FP32; a boundary belongs to the class above it"
    >
      <Table label="Sizes of models" isDense>
        <thead>
          <tr>
            <th scope="col">Parameters</th>
            <th scope="col">Such as</th>
            <th scope="col" className="num">
              16 bits
            </th>
            <th scope="col" className="num">
              FP32
            </th>
          </tr>
        </thead>
        <tbody>
          {SIZE_CLASSES.map(({ key, name, from, to }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td className="text-text-2">{CLASS_EXAMPLES[key]}</td>
              <td className="num">
                <Weights from={from} to={to} precision="bf16" />
              </td>
              <td className="num">
                <Weights from={from} to={to} precision="fp32" />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="cost-remark">
        One requirement has GPT-3 under 70B and Llama 7B in two classes; each model is in one class here. 65B in 16 bits
        are <Formula figure={weightsFigure(65e9, "bf16")} align="start" />.
      </p>
    </Panel>
  );
}

function Weights({ from, to, precision }: { from: number; to: number; precision: "bf16" | "fp32" }) {
  return (
    <>
      {from > 0 ? <Formula figure={weightsFigure(from, precision)} /> : "0"} to{" "}
      {Number.isFinite(to) ? <Formula figure={weightsFigure(to, precision)} /> : "more"}
    </>
  );
}

function PricesPanel({ prices }: { prices: readonly PriceRange[] }) {
  return (
    <Panel
      span={6}
      isFlush
      title="What GPUs cost"
      sub="firm prices of a GPU-hour in the price book; spot apart"
      actions={
        <Link className="link" href={"/plan/prices" as Route}>
          Price book
        </Link>
      }
    >
      <Table label="Prices of GPUs" isDense>
        <thead>
          <tr>
            <th scope="col">GPU</th>
            <th scope="col" className="num">
              Lowest
            </th>
            <th scope="col" className="num">
              Highest
            </th>
            <th scope="col" className="num">
              Lambda
            </th>
            <th scope="col" className="num">
              Spot
            </th>
            <th scope="col" className="num">
              Offers
            </th>
          </tr>
        </thead>
        <tbody>
          {prices.map((range) => (
            <tr key={range.gpu}>
              <th scope="row">{gpuOf(range.gpu).name}</th>
              <Price quote={range.low} isNamed />
              <Price quote={range.high} isNamed />
              <Price quote={range.lambda} />
              <Price quote={range.spot} />
              <td className="num text-text-2">
                {range.offers}
                <small className="run-sub">{range.fresh} fresh</small>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function Price({ quote, isNamed = false }: { quote: QuoteView | null; isNamed?: boolean }) {
  if (quote === null)
    return (
      <td className="num">
        <Missing reason="no such price in the book" />
      </td>
    );
  const figure = perGpuFigure(quote);
  return (
    <td className="num">
      {figure ? (
        <Formula figure={figure}>{formatUsdRate(quote.perGpuMicros)}</Formula>
      ) : (
        <span title={`${quote.source}, ${quote.asOf ?? "no date"}`}>{formatUsdRate(quote.perGpuMicros)}</span>
      )}
      {isNamed && <small className="run-sub">{quote.providerName}</small>}
    </td>
  );
}
