import { ArrowDown, ArrowUp } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import type { PriceChangeLine, PricesAnswer } from "@/lib/domain/cost/price-view";
import { formatPercentChange } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import { priceWords, SOURCE_WORDS, skuWords } from "./price-words";

/** When prices changed within a year. None of them re-prices what was before it. */
export function PriceChangesPanel({ data, canExport }: { data: PricesAnswer; canExport: boolean }) {
  return (
    <Panel
      span={4}
      isFlush
      title="Price changes"
      sub="of the last 12 months"
      actions={
        canExport &&
        data.changes.length > 0 && <TableLinks href="/api/v1/cost/prices?table=changes" what="Price changes" />
      }
    >
      {data.changes.length === 0 ? (
        <p className="muted panel-words">None was seen. What was before a change keeps its price.</p>
      ) : (
        <Table label="Price changes" isTight>
          <thead>
            <tr>
              <th scope="col">What, when</th>
              <th scope="col" className="num">
                Price
              </th>
              <th scope="col" className="num">
                Change
              </th>
            </tr>
          </thead>
          <tbody>
            {data.changes.map((change) => (
              <ChangeRow
                key={`${change.sku} ${change.region} ${change.tier} ${change.at}`}
                change={change}
                zone={data.zone}
              />
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function ChangeRow({ change, zone }: { change: PriceChangeLine; zone: string }) {
  const before = Number(change.beforeMicros);
  const isDearer = BigInt(change.micros) > BigInt(change.beforeMicros);
  return (
    <tr>
      <th scope="row" className="py-2 font-normal leading-snug">
        <span className="font-medium">{skuWords(change.sku)}</span>
        <div className="muted text-12">
          {formatDay(change.at, zone, true)}, {SOURCE_WORDS[change.source]}
        </div>
      </th>
      <td className="num">
        {priceWords(change.micros)}
        <div className="muted text-12">from {priceWords(change.beforeMicros)}</div>
      </td>
      <td className="num">
        {before > 0 && (
          <Badge tone={isDearer ? "warn" : "ok"} icon={isDearer ? ArrowUp : ArrowDown}>
            {formatPercentChange(((Number(change.micros) - before) / before) * 100)}
          </Badge>
        )}
      </td>
    </tr>
  );
}
