"use client";

import type { Route } from "next";
import { useQuestion } from "@/components/cost/use-question";
import { useLive } from "@/components/page/use-live";
import { SelectField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Lede } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { TableLinks } from "@/components/ui/table-links";
import { formatCount, formatUsd } from "@/lib/domain/format";
import type { CompareAnswer, CompareQuestion } from "@/lib/domain/plan/compare-view";
import { compareQuery } from "@/lib/queries/plan";
import { FleetElsewhere } from "./fleet-elsewhere";
import { OffersTable } from "./offers-table";
import { QuestionField } from "./question-field";

type Ask = ReturnType<typeof useQuestion>["ask"];
type Props = { question: CompareQuestion; canExport: boolean };

/** What something costs everywhere, like with like: a job, a machine for a month, or a month's real fleet. */
export function CompareRoom({ question, canExport }: Props) {
  const { data, failure } = useLive(compareQuery(question));
  const { ask, isPending } = useQuestion();
  return (
    <>
      <CompareLede data={data} />
      {failure && <Note tone="warn">The prices could not be read anew; these are the last ones.</Note>}
      <Deck>
        <Panel
          span={12}
          isFlush
          isRefreshing={isPending}
          title={question.what === "fleet" ? `${data.words} elsewhere` : data.words}
          sub={data.day === data.today ? undefined : `prices as known on ${data.day}`}
          actions={
            canExport && (
              <span className="not-phone">
                <TableLinks href={exportHref(question)} what="The comparison" />
              </span>
            )
          }
        >
          <div className="plan-controls">
            <Segmented
              label="What is compared"
              options={[
                { value: "job", label: "A job" },
                { value: "machine", label: "A machine" },
                { value: "fleet", label: "A month’s fleet" },
              ]}
              value={question.what}
              onChange={(what) => ask({ what: what === "job" ? undefined : what })}
            />
            {question.what === "job" && <JobFields data={data} question={question} ask={ask} />}
            {question.what === "machine" && <MachineFields data={data} question={question} ask={ask} />}
            {question.what === "fleet" && <FleetFields data={data} question={question} ask={ask} />}
            <QuestionField
              label="Prices as of"
              type="date"
              value={question.on ?? ""}
              widthPx={150}
              onAsk={(on) => ask({ on: on === "" ? undefined : on })}
            />
          </div>
          {data.comparison && <OffersTable comparison={data.comparison} />}
          {data.fleet && <FleetElsewhere fleet={data.fleet} />}
        </Panel>
      </Deck>
    </>
  );
}

function exportHref(question: CompareQuestion): string {
  const given = Object.entries(question).flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [[key, String(value)]],
  );
  return `/api/v1/plan/compare?${new URLSearchParams(given)}`;
}

type FieldsProps = { data: CompareAnswer; question: CompareQuestion; ask: Ask };

function JobFields({ data, question, ask }: FieldsProps) {
  const known = data.kinds.some(({ key }) => key === question.gpu);
  return (
    <>
      <SelectField label="GPU" value={question.gpu} onChange={({ target }) => ask({ gpu: target.value })}>
        {!known && <option value={question.gpu}>{question.gpu} GB</option>}
        {data.kinds.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Board"
        value={question.board ?? ""}
        onChange={({ target }) => ask({ board: target.value || undefined })}
      >
        <option value="">Any</option>
        {["SXM", "PCIe", "NVL", "NVLink"].map((board) => (
          <option key={board}>{board}</option>
        ))}
      </SelectField>
      <QuestionField label="GPUs" value={String(question.gpus)} widthPx={72} onAsk={(gpus) => ask({ gpus })} />
      <QuestionField label="Hours" value={question.hours} unit="h" widthPx={96} onAsk={(hours) => ask({ hours })} />
      <SelectField
        label="Kind"
        value={question.tier}
        onChange={({ target }) => ask({ tier: target.value === "firm" ? undefined : target.value })}
      >
        <option value="firm">On demand</option>
        <option value="spot">Spot</option>
      </SelectField>
      <QuestionField
        label="Kept on disk"
        value={question.storage}
        unit="GiB"
        widthPx={104}
        onAsk={(storage) => ask({ storage })}
      />
      <QuestionField
        label="Sent out"
        value={question.egress}
        unit="GB"
        widthPx={96}
        onAsk={(egress) => ask({ egress })}
      />
      {question.storage !== "0" && (
        <QuestionField
          label="Elsewhere a GiB·month"
          value={question.storageUsd}
          unit="$"
          placeholder="not said"
          widthPx={140}
          onAsk={(storageUsd) => ask({ storageUsd: storageUsd || undefined })}
        />
      )}
      {question.egress !== "0" && (
        <QuestionField
          label="Elsewhere a GB sent"
          value={question.egressUsd}
          unit="$"
          placeholder="not said"
          widthPx={140}
          onAsk={(egressUsd) => ask({ egressUsd: egressUsd || undefined })}
        />
      )}
    </>
  );
}

function MachineFields({ data, question, ask }: FieldsProps) {
  return (
    <SelectField label="Machine" value={question.type} onChange={({ target }) => ask({ type: target.value })}>
      {data.types.map(({ name, gpu }) => (
        <option key={name} value={name}>
          {name}, {gpu}
        </option>
      ))}
    </SelectField>
  );
}

function FleetFields({ data, question, ask }: FieldsProps) {
  return (
    <>
      <SelectField
        label="Month"
        value={data.fleet?.month ?? ""}
        onChange={({ target }) => ask({ month: target.value })}
      >
        {data.fleet?.months.map((month) => (
          <option key={month}>{month}</option>
        ))}
      </SelectField>
      <SelectField label="To" value={question.to} onChange={({ target }) => ask({ to: target.value || undefined })}>
        <option value="">The cheapest like offer</option>
        {data.providers.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}

function absolute(micros: string): string {
  return micros.replace("-", "");
}

function priceAge(age: number | null): string {
  return age === null ? "without a day" : age <= 0 ? "of today" : `${formatCount(age, "day")} old`;
}

function CompareLede({ data }: { data: CompareAnswer }) {
  if (data.fleet) {
    const { coveredPct, used, stale } = data.fleet;
    return (
      <Lede aside={`${stale} of ${used} prices elsewhere are stale`}>
        {used === 0 ? (
          <>
            Nobody else in the book sells what ran in <b>{data.fleet.month}</b>.
          </>
        ) : (
          <>
            What ran in {data.fleet.month} would have cost{" "}
            <b>
              {formatUsd(absolute(data.fleet.changeMicros))} {data.fleet.changeMicros.startsWith("-") ? "less" : "more"}
            </b>{" "}
            elsewhere{coveredPct !== null && `, as far as like offers are known: for ${coveredPct} % of the GPU-hours`}.
          </>
        )}
      </Lede>
    );
  }
  const offers = data.comparison?.offers ?? [];
  const like = offers.filter(({ likeness }) => likeness === "like");
  const base = offers.find(({ isBase }) => isBase);
  const others = like.filter(({ isBase, quote }) => !isBase && quote.provider !== "lambda");
  const cheapest = [...others].sort((a, b) => (BigInt(a.totalMicros) < BigInt(b.totalMicros) ? -1 : 1))[0];
  const stale = offers.filter(({ quote }) => quote.state === "stale").length;
  return (
    <Lede
      aside={
        <>
          {formatCount(stale, "price")} older than 30 d ·{" "}
          <Link className="link underline" href={"/plan/prices" as Route}>
            Prices
          </Link>
        </>
      }
    >
      {base ? (
        <>
          {data.words}: <b>{base.total.value}</b> at Lambda
        </>
      ) : (
        <>
          {data.words}: <b>Lambda has no like offer</b>
        </>
      )}
      {cheapest
        ? `; the cheapest like offer elsewhere is ${cheapest.quote.providerName}, ${cheapest.total.value}, by a price ${priceAge(cheapest.quote.age)}.`
        : "; nobody else in the book sells the same."}
    </Lede>
  );
}
