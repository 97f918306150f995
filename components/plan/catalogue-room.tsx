"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { KeyFigure } from "@/components/ui/key-figure";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { formatNumber, formatUsdRate } from "@/lib/domain/format";
import {
  againstFigure,
  gpuHourFigure,
  nodesFigure,
  sinceFigure,
  speedFigure,
} from "@/lib/domain/plan/catalogue-figures";
import {
  CLUSTERS,
  CORRECTIONS,
  downMinutes,
  type Fact,
  HARDWARE,
  SERVICE_SOURCE,
  SERVICES,
  SOFTWARE,
  TRAINING_SPEED,
  TRUST_WORDS,
} from "@/lib/domain/plan/lambda-catalogue";
import {
  AVAILABILITY_PCT,
  availabilityFigure,
  downtimeLeftFigure,
  type ProviderView,
} from "@/lib/domain/plan/providers";
import type { LambdaPrice } from "@/lib/domain/plan/workload-view";
import { workloadsQuery } from "@/lib/queries/sizing";
import { GpusPanel } from "./catalogue-tables";
import { Formula } from "./formula";
import { ProvidersPanel } from "./providers-panel";

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
        <Availability providers={data.providers} />
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

/** What the course says of uptime, held against what was seen of Lambda here. */
function Availability({ providers }: { providers: readonly ProviderView[] }) {
  const measured = providers.find((one) => one.measured !== null)?.measured ?? null;
  const share = measured && availabilityFigure(measured);
  const left = measured && downtimeLeftFigure(measured);
  return (
    <>
      <KeyFigure
        span={6}
        label={`Availability${measured ? `, ${measured.days} days` : ""}`}
        value={share ? <Formula figure={share} align="start" /> : <Missing reason="nothing ran" />}
        note={`${AVAILABILITY_PCT} % are stated, which no agreement with Lambda promises`}
      />
      <KeyFigure
        span={6}
        label={`Downtime left of ${AVAILABILITY_PCT} %`}
        value={left ? <Formula figure={left} align="start" /> : <Missing reason="nothing ran" />}
        note={`${downMinutes(AVAILABILITY_PCT, 30).toFixed(1)} min for each machine that runs 30 days`}
      />
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
                <Formula figure={nodesFigure(fromGpus)} /> to <Formula figure={nodesFigure(toGpus)} />
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
              <td className="num text-text-2">
                <Against gpu={gpu} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function Against({ gpu }: { gpu: string }) {
  const figure = speedFigure(gpu, "A100");
  return figure ? <Formula figure={figure} /> : <Missing reason="not in the chart" />;
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
              <td className="num text-text-2">
                {one.gpus > 1 ? <Formula figure={gpuHourFigure(one)} /> : formatUsdRate(one.perGpuMicros)}
              </td>
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
              <td className="num">
                <Change price={one} />
              </td>
              <td className="text-text-2">{one.isLive ? "live" : (one.asOf ?? "no date")}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function Change({ price }: { price: LambdaPrice }) {
  const figure = sinceFigure(price);
  return figure && <Formula figure={figure} />;
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
