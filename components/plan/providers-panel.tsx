import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { formatCount, formatUsdRate } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { Figure } from "@/lib/domain/plan/formula";
import { perGpuFigure } from "@/lib/domain/plan/price-figures";
import { answeredFigure, availabilityFigure, type ProviderFacts, type ProviderView } from "@/lib/domain/plan/providers";
import type { QuoteView } from "@/lib/domain/plan/quote-view";
import { Formula } from "./formula";

/** Providers beside each other: what the book has of them, and what our own machines showed; the rest is said to be not measured. */
export function ProvidersPanel({ providers }: { providers: readonly ProviderView[] }) {
  return (
    <Panel
      span={12}
      isFlush
      title="Providers"
      sub="what is measured here, beside what they ask"
      footer="Set-up, API and reliability are measured where machines of yours run. Nobody’s word is taken for them."
    >
      <Table label="Providers" isDense>
        <thead>
          <tr>
            <th scope="col">Provider</th>
            <th scope="col" className="num">
              Prices
            </th>
            <th scope="col" className="num">
              GPU models
            </th>
            <th scope="col" className="num">
              A100, an hour
            </th>
            <th scope="col">Spot</th>
            <th scope="col">Reserved</th>
            <th scope="col">Set-up</th>
            <th scope="col">API</th>
            <th scope="col">Reliability</th>
            <th scope="col">Newest price</th>
          </tr>
        </thead>
        <tbody>
          {providers.map((provider) => (
            <ProviderRow key={provider.provider} provider={provider} />
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function ProviderRow({ provider }: { provider: ProviderView }) {
  const { measured } = provider;
  return (
    <tr>
      <th scope="row" className="font-medium">
        {provider.name}
      </th>
      <td className="num">{provider.prices}</td>
      <td className="num">{provider.models}</td>
      <td className="num">
        <GpuHour quote={provider.a100} />
      </td>
      <td>{provider.hasSpot ? "in the book" : <Unknown isOurs={provider.provider === "lambda"} />}</td>
      <td>{provider.hasReserved ? "in the book" : <span className="muted">no price known</span>}</td>
      <td>
        {measured === null || measured.bootMs === null ? (
          <NotMeasured />
        ) : (
          <>
            {formatDuration(measured.bootMs)} to active
            <small className="run-sub">
              half of {formatCount(measured.boots, "boot")} in {measured.days} d
            </small>
          </>
        )}
      </td>
      <td>
        <Share measured={measured} of={answeredFigure} words="of looks answered" />
      </td>
      <td>
        <Share measured={measured} of={availabilityFigure} words="of billed minutes healthy" />
      </td>
      <td className="text-text-2">{provider.newest ?? "no date"}</td>
    </tr>
  );
}

function GpuHour({ quote }: { quote: QuoteView | null }) {
  if (quote === null) return <Missing reason="no firm A100 in the book" />;
  const figure = perGpuFigure(quote);
  const price = formatUsdRate(quote.perGpuMicros);
  return (
    <>
      {figure ? <Formula figure={figure}>{price}</Formula> : price}
      <small className="run-sub">{quote.memoryGb === null ? "memory not said" : `${quote.memoryGb} GB`}</small>
    </>
  );
}

function Unknown({ isOurs }: { isOurs: boolean }) {
  return isOurs ? "none" : <span className="muted">no price known</span>;
}

function NotMeasured() {
  return <span className="muted">not measured</span>;
}

type ShareProps = { measured: ProviderFacts | null; of: (measured: ProviderFacts) => Figure | null; words: string };

function Share({ measured, of, words }: ShareProps) {
  const figure = measured && of(measured);
  if (!figure) return <NotMeasured />;
  return (
    <>
      <Formula figure={figure} align="start" />
      <small className="run-sub">{words}</small>
    </>
  );
}
