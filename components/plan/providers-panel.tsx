import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { formatCount } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { ProviderView } from "@/lib/domain/plan/quote-view";

/** Shares near the whole lose what matters when they are rounded. */
function percent(share: number): string {
  return `${share.toFixed(share > 99 ? 2 : 1)}\u202f%`;
}

/** Providers beside their prices: what our own machines showed is measured, the rest is said to be not. */
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
            <th scope="col">Newest</th>
            <th scope="col">Spot</th>
            <th scope="col">Set-up</th>
            <th scope="col">API</th>
            <th scope="col">Reliability</th>
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

function ProviderRow({ provider: { provider, name, prices, newest, hasSpot, measured } }: { provider: ProviderView }) {
  const not = <span className="muted">not measured</span>;
  return (
    <tr>
      <th scope="row" className="font-medium">
        {name}
      </th>
      <td className="num">{prices}</td>
      <td>{newest ?? <span className="muted">no date</span>}</td>
      <td>
        {hasSpot ? "in the book" : provider === "lambda" ? "none" : <span className="muted">no price known</span>}
      </td>
      <td>
        {measured?.bootMs == null
          ? not
          : `${formatDuration(measured.bootMs)} to active, half of ${formatCount(measured.boots, "boot")} in ${measured.days} d`}
      </td>
      <td>{measured?.answeredPct == null ? not : `${percent(measured.answeredPct)} of looks answered`}</td>
      <td>{measured?.healthyPct == null ? not : `${percent(measured.healthyPct)} of billed minutes healthy`}</td>
    </tr>
  );
}
