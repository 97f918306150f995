"use client";

import { FileImport } from "@/components/page/file-import";
import { Table } from "@/components/ui/table";
import { Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { PricePreview } from "@/lib/domain/cost/price-view";
import { formatCount } from "@/lib/domain/format";
import type { PriceActs } from "./price-room";
import { PER_WORDS, priceWords, regionWords, skuWords, TIER_WORDS } from "./price-words";

/** A price list from a file. */
export function PriceImport({ acts, zone }: { acts: PriceActs; zone: string }) {
  return (
    <FileImport
      title="Import a price list"
      about={`CSV with the columns sku, price_usd and from; region, unit, tier, to and note where you have them. Instants without a zone are of ${zone}.`}
      placeholder={"sku,region,tier,price_usd,from,to\ngpu_1x_gh200,*,negotiated,1.99,2026-11-01,"}
      called="price"
      look={acts.previewPrices}
      write={acts.importPrices}
      onDone={({ lines }) =>
        toast("ok", `${formatCount(lines, "price")} imported`, "The ledger follows within a minute.")
      }
    >
      {(preview) => <Lines lines={preview.lines} />}
    </FileImport>
  );
}

function Lines({ lines }: Pick<PricePreview, "lines">) {
  return (
    <Table label="What the file says" isDense>
      <thead>
        <tr>
          <th scope="col" className="num">
            Line
          </th>
          <th scope="col">What</th>
          <th scope="col">Kind</th>
          <th scope="col" className="num">
            Until now
          </th>
          <th scope="col" className="num">
            Price
          </th>
          <th scope="col">From</th>
          <th scope="col">To</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.line}>
            <td className="num">{line.line}</td>
            <th scope="row" className="font-normal">
              {skuWords(line.sku)} <span className="muted">{regionWords(line.region)}</span>
            </th>
            <td>{TIER_WORDS[line.tier]}</td>
            <td className="num muted">{line.beforeMicros === null ? "unknown" : priceWords(line.beforeMicros)}</td>
            <td className="num" title={PER_WORDS[line.unit]}>
              <b>{priceWords(line.micros)}</b>
            </td>
            <td>
              <Instant at={line.from} year />
            </td>
            <td>{line.to === null ? "open" : <Instant at={line.to} year />}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
