"use client";

import type { Route } from "next";
import Link from "next/link";
import { useLive } from "@/components/page/use-live";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { formatNumber, formatUsdChange, formatUsdRate } from "@/lib/domain/format";
import { type Figure, figure } from "@/lib/domain/plan/formula";
import {
  CLUSTERS,
  CORRECTIONS,
  type Fact,
  HARDWARE,
  nodesOf,
  SERVICE_SOURCE,
  SERVICES,
  SOFTWARE,
  speedFactor,
  TRAINING_SPEED,
  TRUST_WORDS,
} from "@/lib/domain/plan/lambda-catalogue";
import type { LambdaPrice } from "@/lib/domain/plan/workload-view";
import { workloadsQuery } from "@/lib/queries/sizing";
import { GpusPanel, ProvidersPanel } from "./catalogue-tables";
import { Formula } from "./formula";

/** What Lambda sells and on what it runs: each fact with its source, and which of them contradict each other. */
export function CatalogueRoom() {
  const { data } = useLive(workloadsQuery());
  return (
    <>
      <PageTitle
        title="Catalogue"
        meta={
          <>
            <span>Lambda’s services, hardware and software</span>
            <span>every fact with source and day</span>
            <span>what nobody has checked says so</span>
          </>
        }
      />
      <Deck className="sizing">
        <ServicesPanel />
        <ClustersPanel />
        <SpeedPanel />
        <PricesPanel prices={data.lambda} />
        <ProvidersPanel providers={data.providers} />
        <GpusPanel />
        <FactsPanel title="Hardware" facts={HARDWARE} />
        <FactsPanel title="Software and limits" facts={SOFTWARE} />
        <CorrectionsPanel />
      </Deck>
    </>
  );
}

function ServicesPanel() {
  return (
    <Panel span={12} isFlush title="Services" sub={SERVICE_SOURCE}>
      <Table label="Services">
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Size</th>
            <th scope="col">Billing</th>
            <th scope="col">Commitment</th>
            <th scope="col">Charge type</th>
            <th scope="col">Read this</th>
          </tr>
        </thead>
        <tbody>
          {SERVICES.map(({ name, size, billing, commitment, charge, note }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{size}</td>
              <td className="sizing-note">{billing}</td>
              <td>{commitment}</td>
              <td>{charge}</td>
              <td className="sizing-note text-text-2">{note}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function ClustersPanel() {
  return (
    <Panel span={6} isFlush title="Clusters" sub="1-Click Clusters, eight GPUs a node">
      <Table label="Clusters" isDense>
        <thead>
          <tr>
            <th scope="col">Size</th>
            <th scope="col" className="num">
              GPUs
            </th>
            <th scope="col" className="num">
              Nodes
            </th>
          </tr>
        </thead>
        <tbody>
          {CLUSTERS.map(({ name, fromGpus, toGpus }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="num">
                {fromGpus} to {toGpus}
              </td>
              <td className="num">
                {nodesOf(fromGpus)} to {nodesOf(toGpus)}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function SpeedPanel() {
  return (
    <Panel
      span={6}
      isFlush
      title="Training speed"
      sub="the course’s chart, unverified; a scenario takes a factor of your own"
    >
      <Table label="Training speed" isDense>
        <thead>
          <tr>
            <th scope="col">GPU</th>
            <th scope="col" className="num">
              Against a V100
            </th>
            <th scope="col" className="num">
              Against an A100
            </th>
          </tr>
        </thead>
        <tbody>
          {TRAINING_SPEED.map(({ gpu, factor }) => (
            <tr key={gpu}>
              <th scope="row">{gpu}</th>
              <td className="num">{formatNumber(factor, 1)} ×</td>
              <td className="num text-text-2">{formatNumber(speedFactor(gpu, "A100"), 3)} ×</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function againstFigure(one: LambdaPrice, base: LambdaPrice): Figure {
  const change = BigInt(one.perGpuMicros) - BigInt(base.perGpuMicros);
  const source = (price: LambdaPrice) => ({
    label: price.isLive ? "Lambda’s list, live" : "price book",
    ...(price.asOf !== null && { asOf: price.asOf }),
  });
  return figure({
    name: `A GPU-hour of ${one.typeName} against ${base.typeName}`,
    value: formatUsdChange(change.toString()),
    amount: Number(change) / 1e6,
    formula: "{price} ÷ {gpus} − {base}",
    numbers: [
      {
        key: "price",
        name: "price of the machine",
        value: formatUsdRate(one.micros),
        amount: Number(one.micros) / 1e6,
        source: source(one),
      },
      { key: "gpus", name: "GPUs", value: String(one.gpus), amount: one.gpus },
      {
        key: "base",
        name: `a GPU-hour of ${base.typeName}`,
        value: formatUsdRate(base.perGpuMicros),
        amount: Number(base.perGpuMicros) / 1e6,
        source: source(base),
      },
    ],
    notes: ["A difference of price, not of what a GPU does for it."],
  });
}

/** Lambda's own prices: now, before, and against the plain A100. */
function PricesPanel({ prices }: { prices: readonly LambdaPrice[] }) {
  const base =
    prices.find(({ typeName }) => typeName === "gpu_1x_a100_sxm4") ??
    prices.find(({ gpu }) => gpu.includes("A100")) ??
    null;
  return (
    <Panel
      span={12}
      isFlush
      title="Lambda’s prices"
      sub="live where the list has the type; the price before with its day; Lambda has no spot offers and no H200"
      actions={
        <Link className="link" href={"/launch" as Route}>
          Availability by region
        </Link>
      }
    >
      <Table label="Lambda’s prices" isDense>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">GPU</th>
            <th scope="col" className="num">
              An hour
            </th>
            <th scope="col" className="num">
              A GPU-hour
            </th>
            <th scope="col" className="num">
              Against {base?.typeName ?? "A100"}
            </th>
            <th scope="col" className="num">
              Before
            </th>
            <th scope="col" className="num">
              Change
            </th>
            <th scope="col">Of</th>
          </tr>
        </thead>
        <tbody>
          {prices.map((one) => (
            <tr key={`${one.typeName} ${one.micros}`}>
              <th scope="row">{one.typeName}</th>
              <td className="text-text-2">{one.gpu}</td>
              <td className="num">{formatUsdRate(one.micros)}</td>
              <td className="num text-text-2">{formatUsdRate(one.perGpuMicros)}</td>
              <td className="num">
                {base === null ? (
                  <Missing reason="no A100 in the book" />
                ) : one === base ? (
                  "reference"
                ) : (
                  <Formula figure={againstFigure(one, base)} />
                )}
              </td>
              <td className="num text-text-2">
                {one.before === null ? <Missing reason="no other price is known" /> : formatUsdRate(one.before.micros)}
                {one.before && <small className="run-sub">{one.before.asOf}</small>}
              </td>
              <td className="num">{one.before === null ? "" : `${one.before.changePct.replace("-", "−")} %`}</td>
              <td className="text-text-2">{one.isLive ? "live" : (one.asOf ?? "no date")}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function FactsPanel({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <Panel span={6} isFlush title={title}>
      <Table label={title} isDense>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Value</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {facts.map(({ what, value, source, asOf, trust, note }) => (
            <tr key={what}>
              <th scope="row" className="sizing-note">
                {what}
              </th>
              <td className="sizing-note">
                {value}
                {note && <small className="run-sub">{note}</small>}
              </td>
              <td className="sizing-note text-text-2">
                {source}
                <small className="run-sub">
                  {asOf ?? "no date"}, {TRUST_WORDS[trust]}
                </small>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

/** What the documents have wrong, put right. */
function CorrectionsPanel() {
  return (
    <Panel
      span={12}
      title="Put right"
      sub="where documents contradict each other or have no basis; the wrong figures are not repeated"
    >
      <ul className="sizing-list">
        {CORRECTIONS.map(({ about, right }) => (
          <li key={about}>
            {about}
            <small>{right}</small>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
