"use client";

import { priceWords } from "@/components/cost/price-words";
import { FileImport } from "@/components/page/file-import";
import { Table } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { formatCount } from "@/lib/domain/format";
import type { QuotePreview } from "@/lib/domain/plan/quote-input";
import { TIER_WORDS, UNIT_WORDS } from "@/lib/domain/plan/quote-words";
import { providerName } from "@/lib/domain/plan/quotes";
import type { QuoteActs } from "./quote-room";

const CHANGES = { new: "new", changed: "changed", same: "as it stands" } as const;

export function QuoteImport({ acts }: { acts: QuoteActs }) {
  return (
    <FileImport
      title="Import prices of providers"
      about="CSV with the columns provider, instance_type, gpu, gpu_count, as_of, source, and ondemand_usd_h, spot_usd_h, reserved_1y_usd_h or reserved_3y_usd_h; gpu_mem_gb, vcpus, mem_gib, region, price_unit, tier, status and note where you have them."
      placeholder={
        "provider,instance_type,gpu,gpu_count,gpu_mem_gb,ondemand_usd_h,as_of,source\naws,p5.48xlarge,H100 SXM,8,80,55.04,2026-11-01,AWS price list"
      }
      called="price"
      look={acts.preview}
      write={acts.importFile}
      onDone={({ written, same }) =>
        toast("ok", `${formatCount(written, "price")} imported`, same > 0 ? `${same} stood there already.` : undefined)
      }
    >
      {(preview) => <Lines lines={preview.lines} />}
    </FileImport>
  );
}

function Lines({ lines }: Pick<QuotePreview, "lines">) {
  return (
    <Table label="What the file says" isDense>
      <thead>
        <tr>
          <th scope="col" className="num">
            Line
          </th>
          <th scope="col">Offer</th>
          <th scope="col">Kind</th>
          <th scope="col" className="num">
            Until now
          </th>
          <th scope="col" className="num">
            Price
          </th>
          <th scope="col">Read on</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={`${line.line} ${line.tier}`} className={line.change === "same" ? "muted" : undefined}>
            <td className="num">{line.line}</td>
            <th scope="row" className="font-normal">
              <b>{providerName(line.provider)}</b> {line.typeName}
            </th>
            <td>
              {TIER_WORDS[line.tier]} · {UNIT_WORDS[line.unit]}
            </td>
            <td className="num muted">{line.beforeMicros === null ? "" : priceWords(line.beforeMicros)}</td>
            <td className="num">
              <b>{priceWords(line.micros)}</b>
            </td>
            <td>{line.asOf}</td>
            <td>{CHANGES[line.change]}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
