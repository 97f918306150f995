"use client";

import { Gavel, Undo2 } from "lucide-react";
import { useState } from "react";
import { priceWords } from "@/components/cost/price-words";
import { useAct } from "@/components/settings/use-act";
import { Button, IconButton } from "@/components/ui/button";
import { Missing } from "@/components/ui/quantity";
import { RowCard } from "@/components/ui/row-card";
import { type Sort, SortHead, Table } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { perGbFigure, perGpuFigure } from "@/lib/domain/plan/price-figures";
import type { QuoteView } from "@/lib/domain/plan/quote-view";
import { TIER_WORDS, UNIT_WORDS } from "@/lib/domain/plan/quote-words";
import { Formula } from "./formula";
import { JudgeDialog } from "./judge-dialog";
import { QuoteAge, QuoteName, QuoteStateMark } from "./quote-marks";
import type { QuoteActs } from "./quote-room";

/** A phone begins with so many; a filter finds the others sooner than a thumb. */
const CARDS = 30;

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
  const [isWhole, setWhole] = useState(false);
  const head = (column: string, words: string, isNumeric = false) => (
    <SortHead column={column} sort={sort} onSort={setSort} isNumeric={isNumeric}>
      {words}
    </SortHead>
  );
  const shown = sorted(quotes, sort);
  return (
    <>
      <div className="phone-only">
        <ul>
          {(isWhole ? shown : shown.slice(0, CARDS)).map((quote) => (
            <QuoteCard key={quote.id} quote={quote} acts={acts} locked={locked} />
          ))}
        </ul>
        {!isWhole && shown.length > CARDS && (
          <p className="panel-words">
            <Button onClick={() => setWhole(true)}>Show all {shown.length}</Button>
          </p>
        )}
      </div>
      <div className="not-phone">
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
            {shown.map((quote) => (
              <QuoteRow key={quote.id} quote={quote} acts={acts} locked={locked} />
            ))}
          </tbody>
        </Table>
      </div>
    </>
  );
}

function sorted(quotes: readonly QuoteView[], { by, isDescending }: Sort): QuoteView[] {
  const key = KEYS[by] ?? (() => 0);
  const sign = isDescending ? -1 : 1;
  return [...quotes].sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    return left === right ? Number(a.perGpuMicros) - Number(b.perGpuMicros) : left < right ? -sign : sign;
  });
}

type RowProps = { quote: QuoteView; acts: QuoteActs; locked: string | null };

function Source({ quote }: { quote: QuoteView }) {
  return (
    <>
      {quote.source}
      {quote.by !== null && `, ${quote.by}`}
      {quote.note !== "" && `. ${quote.note}`}
    </>
  );
}

function Card({ quote }: { quote: QuoteView }) {
  return (
    <>
      {quote.gpus > 1 && `${quote.gpus} × `}
      {quote.model}
      <span className="muted">
        {quote.board !== null && ` ${quote.board}`}
        {quote.memoryGb === null ? ", memory not said" : ` · ${quote.memoryGb} GB`}
        {quote.architecture === "arm64" && " · ARM64"}
      </span>
    </>
  );
}

function Kind({ quote }: { quote: QuoteView }) {
  return (
    <>
      {TIER_WORDS[quote.tier]}
      <span className="muted"> · {UNIT_WORDS[quote.unit]}</span>
    </>
  );
}

function State({ quote }: { quote: QuoteView }) {
  return quote.isCurrent ? <QuoteStateMark state={quote.state} /> : <span className="muted">Superseded</span>;
}

function Price({ quote }: { quote: QuoteView }) {
  return <b className={quote.state === "rejected" ? "line-through" : undefined}>{priceWords(quote.micros)}</b>;
}

function PerGpu({ quote }: { quote: QuoteView }) {
  const figure = perGpuFigure(quote);
  return figure ? <Formula figure={figure} /> : <>${(Number(quote.perGpuMicros) / 1e6).toFixed(3)}</>;
}

function PerGb({ quote }: { quote: QuoteView }) {
  const figure = perGbFigure(quote);
  return figure ? <Formula figure={figure} /> : <Missing reason="the memory is not said" />;
}

function Acts({ quote, acts }: Pick<RowProps, "quote" | "acts">) {
  const { run, isPending } = useAct(acts.withdraw);
  const isJudged = quote.asOf !== null && !quote.id.startsWith("live-");
  const isWithdrawable = quote.origin === "entered" && isJudged;
  return (
    <span className="inline-flex gap-1">
      {isJudged && (
        <JudgeDialog
          act={acts.judge}
          quote={quote}
          trigger={<IconButton size="small" icon={Gavel} label={`Judge ${quote.providerName} ${quote.typeName}`} />}
        />
      )}
      {isWithdrawable && (
        <IconButton
          size="small"
          icon={Undo2}
          label={`Take back ${quote.providerName} ${quote.typeName}`}
          isPending={isPending}
          onClick={() => run({ quoteId: quote.id }, () => toast("ok", "Taken back", "It stays in the audit trail."))}
        />
      )}
    </span>
  );
}

function QuoteCard({ quote, acts, locked }: RowProps) {
  return (
    <RowCard
      name={<QuoteName quote={quote} />}
      about={
        <>
          <span>
            <Card quote={quote} />
          </span>
          <span>
            <Kind quote={quote} />
          </span>
          <span className="flex flex-wrap gap-x-3">
            <State quote={quote} />
            <QuoteAge quote={quote} />
          </span>
        </>
      }
      value={<Price quote={quote} />}
      more={
        <>
          <span>
            <PerGpu quote={quote} /> / GPU-h
          </span>
          <span>
            <PerGb quote={quote} /> / GB-h
          </span>
          {locked === null && <Acts quote={quote} acts={acts} />}
        </>
      }
    >
      <Source quote={quote} />
    </RowCard>
  );
}

function QuoteRow({ quote, acts, locked }: RowProps) {
  return (
    <tr className={quote.isCurrent ? undefined : "muted"}>
      <th scope="row" className="font-normal">
        <QuoteName quote={quote} />
        <div className="plan-quote-note muted">
          <Source quote={quote} />
        </div>
      </th>
      <td>
        <Card quote={quote} />
      </td>
      <td>
        <Kind quote={quote} />
      </td>
      <td className="num">
        <Price quote={quote} />
      </td>
      <td className="num">
        <PerGpu quote={quote} />
      </td>
      <td className="num">
        <PerGb quote={quote} />
      </td>
      <td>
        <State quote={quote} />
      </td>
      <td>
        <QuoteAge quote={quote} />
      </td>
      {locked === null && (
        <td>
          <Acts quote={quote} acts={acts} />
        </td>
      )}
    </tr>
  );
}
