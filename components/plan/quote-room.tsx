"use client";

import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useQuestion } from "@/components/cost/use-question";
import { useLive } from "@/components/page/use-live";
import type { Act } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Deck, Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { FilteredToNothing } from "@/components/ui/states";
import { TableLinks } from "@/components/ui/table-links";
import { formatCount } from "@/lib/domain/format";
import type { QuotePreview } from "@/lib/domain/plan/quote-input";
import type { QuotesAnswer, QuotesQuestion } from "@/lib/domain/plan/quote-view";
import { quotesQuery } from "@/lib/queries/plan";
import { ProvidersPanel } from "./providers-panel";
import { QuestionField } from "./question-field";
import { QuoteDialog } from "./quote-dialog";
import { QuoteImport } from "./quote-import";
import { QuotesTable } from "./quotes-table";

export type QuoteActs = {
  add: Act<FormData, null>;
  preview: Act<{ text: string }, QuotePreview>;
  importFile: Act<{ text: string }, { written: number; same: number }>;
  judge: Act<FormData, null>;
  withdraw: Act<{ quoteId: string }, null>;
};

type Shown = "now" | "all";
type Props = { question: QuotesQuestion; acts: QuoteActs; locked: string | null; canExport: boolean };

/** Everything that anybody said a GPU costs, and what of it stands. */
export function QuoteRoom({ question, acts, locked, canExport }: Props) {
  const { data, failure } = useLive(quotesQuery(question));
  const { ask, isPending } = useQuestion();
  const [shown, setShown] = useState<Shown>("now");
  const [model, setModel] = useState("");
  const [text, setText] = useState("");
  const models = useMemo(() => [...new Set(data.quotes.map((quote) => quote.model))].sort(), [data]);
  const quotes = useMemo(() => filtered(data, shown, model, text), [data, shown, model, text]);
  const clear = () => {
    setModel("");
    setText("");
  };
  const counts = countsOf(data);
  return (
    <Deck>
      {(failure || data.doubts.length > 0) && (
        <div className="s12 plan-notes">
          {failure && <Note tone="warn">The prices could not be read anew; these are the last ones.</Note>}
          {data.doubts.map(({ quoteId, provider, typeName, words }) => (
            <Note key={quoteId} tone="warn">
              <b>
                {provider} {typeName}
              </b>{" "}
              is not priced as so many single GPUs: {words}.
            </Note>
          ))}
        </div>
      )}
      <Panel
        span={12}
        isFlush
        isRefreshing={isPending}
        title="Prices"
        sub={`${counts.live} live, ${counts.dated} dated, ${counts.stale} older than 30 d, ${counts.rejected} rejected`}
        actions={
          <>
            {canExport && (
              <span className="not-phone">
                <TableLinks href={`/api/v1/plan/quotes${question.on ? `?on=${question.on}` : ""}`} what="The prices" />
              </span>
            )}
            {locked === null && (
              <>
                <QuoteImport acts={acts} />
                <QuoteDialog
                  act={acts.add}
                  day={data.day}
                  trigger={
                    <Button size="small" icon={Plus}>
                      Add
                    </Button>
                  }
                />
              </>
            )}
          </>
        }
      >
        <div className="plan-controls">
          <Segmented<Shown>
            label="Which prices"
            options={[
              { value: "now", label: "Standing" },
              { value: "all", label: "History" },
            ]}
            value={shown}
            onChange={setShown}
          />
          <SelectField label="GPU" value={model} onChange={({ target }) => setModel(target.value)}>
            <option value="">Every model</option>
            {models.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </SelectField>
          <TextField
            label="Provider, type or source"
            value={text}
            onChange={({ target }) => setText(target.value)}
            type="search"
          />
          <QuestionField
            label="As known on"
            type="date"
            value={question.on ?? ""}
            widthPx={150}
            onAsk={(on) => ask({ on: on === "" ? undefined : on })}
          />
        </div>
        {quotes.length === 0 ? (
          <FilteredToNothing
            title={`0 of ${data.quotes.length} prices match`}
            filter={[model, text].filter(Boolean).join(" ")}
            onClear={clear}
          />
        ) : (
          <QuotesTable quotes={quotes} acts={acts} locked={locked} />
        )}
        <p className="muted panel-words">
          {locked ??
            `${formatCount(counts.bundled, "price")} came with this version, put together on ${data.catalogueDay}; Lambda’s own are read every few minutes. What you enter or judge takes the place of the same price and is in the audit trail. A bundled price that you judge stays in the history.`}
        </p>
      </Panel>
      <ProvidersPanel providers={data.providers} />
    </Deck>
  );
}

function filtered({ quotes }: QuotesAnswer, shown: Shown, model: string, text: string) {
  const wanted = text.trim().toLowerCase();
  return quotes.filter(
    (quote) =>
      (shown === "all" || quote.isCurrent) &&
      (model === "" || quote.model === model) &&
      (wanted === "" ||
        `${quote.providerName} ${quote.provider} ${quote.typeName} ${quote.gpu} ${quote.source} ${quote.region}`
          .toLowerCase()
          .includes(wanted)),
  );
}

function countsOf({ quotes }: QuotesAnswer) {
  const standing = quotes.filter(({ isCurrent }) => isCurrent);
  const of = (state: string) => standing.filter((quote) => quote.state === state).length;
  return {
    live: of("live"),
    stale: of("stale"),
    rejected: of("rejected"),
    dated: standing.filter(({ asOf, state }) => asOf !== null && state !== "live").length,
    bundled: quotes.filter(({ origin }) => origin === "bundled").length,
  };
}
