"use client";

import { Gavel, Undo2 } from "lucide-react";
import { useState } from "react";
import { priceWords } from "@/components/cost/price-words";
import { useAct } from "@/components/settings/use-act";
import { IconButton } from "@/components/ui/button";
import { Missing } from "@/components/ui/quantity";
import { type Sort, SortHead, Table } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { QuoteView } from "@/lib/domain/plan/quote-view";
import { TIER_WORDS, UNIT_WORDS } from "@/lib/domain/plan/quote-words";
import { JudgeDialog } from "./judge-dialog";
import { QuoteAge, QuoteName, QuoteStateMark } from "./quote-marks";
import type { QuoteActs } from "./quote-room";

type Props = { quotes: readonly QuoteView[]; acts: QuoteActs; locked: string | null };

const KEYS: Record<string, (quote: QuoteView) => string | number> = {
  offer: ({ providerName, typeName }) => `${providerName} ${typeName}`.toLowerCase(),
  gpu: ({ model, memoryGb }) => `${model} ${String(memoryGb ?? 0).padStart(6, "0")}`,
  price: ({ micros }) => Number(micros),
  gpuPrice: ({ perGpuMicros }) => Number(perGpuMicros),
  gbPrice: ({ perGbMicros }) => Number(perGbMicros ?? Number.MAX_SAFE_INTEGER),
  age: ({ age }) => age ?? Number.MAX_SAFE_INTEGER,
};

/** The prices, by GPU at first; each with what it is the price of, its age and who says it. */
export function QuotesTable({ quotes, acts, locked }: Props) {
  const [sort, setSort] = useState<Sort>({ by: "gpu", isDescending: false });
  const head = (column: string, words: string, isNumeric = false) => (
    <SortHead column={column} sort={sort} onSort={setSort} isNumeric={isNumeric}>
      {words}
    </SortHead>
  );
  return (
    <Table label="Prices of providers" className="plan-offers" isTight>
      <thead>
        <tr>
          {head("offer", "Offer")}
          {head("gpu", "GPU")}
          <th scope="col">Kind</th>
          {head("price", "$ / h", true)}
          {head("gpuPrice", "$ / GPU-h", true)}
          {head("gbPrice", "$ / GB-h", true)}
          <th scope="col">State</th>
          {head("age", "Price of")}
          {locked === null && (
            <th scope="col">
              <span className="sr-only">Judge or take back</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {sorted(quotes, sort).map((quote) => (
          <QuoteRow key={quote.id} quote={quote} acts={acts} locked={locked} />
        ))}
      </tbody>
    </Table>
  );
}

function dollars(micros: string, digits: number): string {
  return (Number(micros) / 1e6).toFixed(digits);
}

function sorted(quotes: readonly QuoteView[], { by, isDescending }: Sort): QuoteView[] {
  const key = KEYS[by] ?? (() => 0);
  const sign = isDescending ? -1 : 1;
  return [...quotes].sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    return left === right ? Number(a.perGpuMicros) - Number(b.perGpuMicros) : left < right ? -sign : sign;
  });
}

function QuoteRow({ quote, acts, locked }: { quote: QuoteView; acts: QuoteActs; locked: string | null }) {
  const { run, isPending } = useAct(acts.withdraw);
  const isRejected = quote.state === "rejected";
  const isJudged = quote.asOf !== null && !quote.id.startsWith("live-");
  const isWithdrawable = quote.origin === "entered" && isJudged;
  return (
    <tr className={quote.isCurrent ? undefined : "muted"}>
      <th scope="row" className="font-normal">
        <QuoteName quote={quote} />
        <div className="plan-quote-note muted">
          {quote.source}
          {quote.by !== null && `, ${quote.by}`}
          {quote.note !== "" && `. ${quote.note}`}
        </div>
      </th>
      <td>
        {quote.gpus > 1 && `${quote.gpus} × `}
        {quote.model}
        <span className="muted">
          {quote.board !== null && ` ${quote.board}`}
          {quote.memoryGb === null ? ", memory not said" : ` · ${quote.memoryGb} GB`}
          {quote.architecture === "arm64" && " · ARM64"}
        </span>
      </td>
      <td>
        {TIER_WORDS[quote.tier]}
        <span className="muted"> · {UNIT_WORDS[quote.unit]}</span>
      </td>
      <td className="num">
        <b className={isRejected ? "line-through" : undefined}>{priceWords(quote.micros)}</b>
      </td>
      <td className="num">${dollars(quote.perGpuMicros, 3)}</td>
      <td className="num">
        {quote.perGbMicros === null ? <Missing reason="the memory is not said" /> : `$${dollars(quote.perGbMicros, 4)}`}
      </td>
      <td>{quote.isCurrent ? <QuoteStateMark state={quote.state} /> : <span className="muted">Superseded</span>}</td>
      <td>
        <QuoteAge quote={quote} />
      </td>
      {locked === null && (
        <td>
          <span className="inline-flex gap-1">
            {isJudged && (
              <JudgeDialog
                act={acts.judge}
                quote={quote}
                trigger={
                  <IconButton size="small" icon={Gavel} label={`Judge ${quote.providerName} ${quote.typeName}`} />
                }
              />
            )}
            {isWithdrawable && (
              <IconButton
                size="small"
                icon={Undo2}
                label={`Take back ${quote.providerName} ${quote.typeName}`}
                isPending={isPending}
                onClick={() =>
                  run({ quoteId: quote.id }, () => toast("ok", "Taken back", "It stays in the audit trail."))
                }
              />
            )}
          </span>
        </td>
      )}
    </tr>
  );
}
