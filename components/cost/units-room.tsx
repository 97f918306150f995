"use client";

import { Check, Sigma, TriangleAlert } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { unitUsd } from "@/components/runs/run-words";
import { Badge } from "@/components/ui/badge";
import { useTimeZone } from "@/components/ui/clock";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { Instant } from "@/components/ui/time";
import type { UnitPrices, UnitsAnswer, UnitsQuestion } from "@/lib/domain/cost/units";
import { formatCount, formatNumber, formatPercent, formatPercentChange, formatUsd } from "@/lib/domain/format";
import { formatPeriod } from "@/lib/domain/format-time";
import { WORKLOAD_WORDS } from "@/lib/domain/workload/run";
import { unitsQuery } from "@/lib/queries/cost-outlook";
import { useQuestion } from "./use-question";

const DAYS = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
] as const;

const BY = [
  { value: "workload", label: "Workload" },
  { value: "model", label: "Model" },
  { value: "team", label: "Team" },
] as const;

const NOBODY: Record<UnitsQuestion["by"], string> = {
  workload: "unknown",
  model: "no model named",
  team: "unallocated",
};

const PRICES: readonly { key: keyof UnitPrices; label: string; title: string }[] = [
  { key: "perThousandTasks", label: "1,000 tasks", title: "Requests answered, or tasks done" },
  { key: "perMillionTokens", label: "1M tokens", title: "Tokens that came out" },
  { key: "perMillionAllTokens", label: "1M in and out", title: "Tokens of prompts and of answers" },
  { key: "perThousandSamples", label: "1,000 samples", title: "Training samples seen" },
  { key: "perEpoch", label: "Epoch", title: "Training epochs reached" },
  { key: "perWork", label: "Run", title: "A run, or a service without one" },
];

type Group = UnitsAnswer["groups"][number];

/** What a unit of work costs, by the counters that programs send and the ledger's minutes of their machines. */
export function UnitsRoom({ question, canExport }: { question: UnitsQuestion; canExport: boolean }) {
  const { data } = useLive(unitsQuery(question));
  const { ask } = useQuestion();
  const timeZone = useTimeZone();
  return (
    <>
      <PageTitle
        title="Unit costs"
        meta={
          <>
            <span>{formatPeriod(data.from, data.to, timeZone)}</span>
            <span>by the ledger’s minutes and the counters of programs</span>
          </>
        }
        actions={
          <>
            <Segmented
              label="Split by"
              options={BY}
              value={data.by}
              onChange={(by) => ask({ by: by === "workload" ? undefined : by })}
            />
            <Segmented
              label="How far back"
              options={DAYS}
              value={DAYS.find(({ value }) => value === String(data.days))?.value ?? "30"}
              onChange={(days) => ask({ days: days === "30" ? undefined : days })}
            />
          </>
        }
      />
      <Deck className="cost">
        {data.groups.length === 0 ? (
          <Panel span={12}>
            <Empty
              icon={Sigma}
              title="Nothing was counted"
              text="Write down a run, push counters such as tokens_total with an ingest token, or scrape a server that has them: then what they cost stands here."
            />
          </Panel>
        ) : (
          <>
            <Panel
              span={12}
              isFlush
              title={`What a unit cost, by ${data.by}`}
              actions={
                canExport && (
                  <TableLinks href={`/api/v1/cost/units?days=${data.days}&by=${data.by}`} what="Unit costs" />
                )
              }
              sub="n/a where none were counted"
            >
              <UnitsTable data={data} />
              <Remark data={data} />
            </Panel>
            <CountsPanel data={data} />
          </>
        )}
        <EstimatesPanel data={data} canExport={canExport} />
      </Deck>
    </>
  );
}

function nameOf(group: Group, by: UnitsQuestion["by"]): string {
  if (group.key === "") return NOBODY[by];
  const workload = Object.entries(WORKLOAD_WORDS).find(([key]) => key === group.key)?.[1];
  return by === "workload" && workload ? workload : group.key;
}

function UnitsTable({ data }: { data: UnitsAnswer }) {
  return (
    <Table label="Unit costs">
      <thead>
        <tr>
          <th scope="col">{BY.find(({ value }) => value === data.by)?.label}</th>
          <th scope="col" className="num not-phone">
            Runs
          </th>
          <th scope="col" className="num">
            GPU-hours
          </th>
          {PRICES.map(({ key, label, title }) => (
            <th key={key} scope="col" className="num" title={title}>
              {label}
            </th>
          ))}
          <th scope="col" className="num">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {data.groups.map((group) => (
          <tr key={group.key}>
            <th scope="row">{nameOf(group, data.by)}</th>
            <td className="num not-phone text-text-2">{group.works}</td>
            <td className="num text-text-2">{formatNumber(group.gpuMinutes / 60, 1)}</td>
            {PRICES.map(({ key }) => (
              <td key={key} className="num">
                <Price micros={group.prices[key]} />
              </td>
            ))}
            <td className="num">
              <b>{formatUsd(group.costMicros)}</b>
              {group.unknown > 0 && <span className="cost-unknown"> + unknown</span>}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td className="num not-phone">{data.total.works}</td>
          <td className="num">{formatNumber(data.total.gpuMinutes / 60, 1)}</td>
          {PRICES.map(({ key }) => (
            <td key={key} />
          ))}
          <td className="num">{formatUsd(data.total.costMicros)}</td>
        </tr>
      </tfoot>
    </Table>
  );
}

function Price({ micros }: { micros: string | null }) {
  return micros === null ? <span className="muted">n/a</span> : unitUsd(micros);
}

function Remark({ data }: { data: UnitsAnswer }) {
  const { total, fleetMicros } = data;
  const rest = BigInt(fleetMicros) - BigInt(total.costMicros);
  return (
    <p className="units-note">
      A unit’s price is the money of those that counted it by what they counted.{" "}
      {rest > 0n && `${formatUsd(rest)} of ${formatUsd(fleetMicros)} of instances belonged to no run that is known. `}
      {total.unknown > 0 && `${formatCount(total.unknown, "run")} of unknown cost: in no price.`}
    </p>
  );
}

const COUNTS = [
  { key: "tasks", label: "Tasks" },
  { key: "tokens", label: "Tokens" },
  { key: "promptTokens", label: "Prompt tokens" },
  { key: "samples", label: "Samples" },
  { key: "epochs", label: "Epochs" },
] as const;

/** What the prices above were divided by. */
function CountsPanel({ data }: { data: UnitsAnswer }) {
  return (
    <Panel span={6} isFlush title="What was counted" sub="by programs, in the window">
      <Table label="Units counted" isDense>
        <thead>
          <tr>
            <th scope="col">{BY.find(({ value }) => value === data.by)?.label}</th>
            {COUNTS.map(({ key, label }) => (
              <th key={key} scope="col" className="num">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.groups.map((group) => (
            <tr key={group.key}>
              <th scope="row">{nameOf(group, data.by)}</th>
              {COUNTS.map(({ key }) => (
                <td key={key} className="num text-text-2">
                  {group.units[key] === undefined ? <span className="muted">n/a</span> : formatNumber(group.units[key])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

/** What planned runs were to cost when they began, and what they came to. */
function EstimatesPanel({ data, canExport }: { data: UnitsAnswer; canExport: boolean }) {
  const { estimates, estimated } = data;
  return (
    <Panel
      span={data.groups.length === 0 ? 12 : 6}
      isFlush={estimates.length > 0}
      title="Estimate against actual"
      actions={
        canExport &&
        estimates.length > 0 && (
          <TableLinks href={`/api/v1/cost/units?days=${data.days}&table=estimates`} what="Estimates" />
        )
      }
      sub={
        estimated.runs === 0
          ? "of runs with expected hours"
          : `${estimated.good} of ${formatCount(estimated.runs, "run")} within ± 10 % (${formatPercent((100 * estimated.good) / estimated.runs)})`
      }
    >
      {estimates.length === 0 ? (
        <p className="muted">No run that was given expected hours ended in this time.</p>
      ) : (
        <Table label="Runs against their estimates" isDense>
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col" className="not-phone">
                Ended
              </th>
              <th scope="col" className="num">
                Estimate
              </th>
              <th scope="col" className="num">
                Actual
              </th>
              <th scope="col" className="num">
                Off
              </th>
            </tr>
          </thead>
          <tbody>
            {estimates.map((one) => (
              <tr key={one.runId}>
                <th scope="row">
                  <Link className="name-link" href={`/runs/${one.runId}` as Route}>
                    {one.name}
                  </Link>
                </th>
                <td className="not-phone text-text-2">
                  <Instant at={one.endedAt} />
                </td>
                <td className="num text-text-2">{formatUsd(one.estimateMicros)}</td>
                <td className="num">{formatUsd(one.actualMicros)}</td>
                <td className="num">
                  <Badge tone={one.isGood ? "ok" : "warn"} icon={one.isGood ? Check : TriangleAlert}>
                    {formatPercentChange(one.offPct)}
                  </Badge>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}
