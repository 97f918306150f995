"use client";

import { ListFilter, Waypoints, X } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useDeferredValue, useMemo, useState } from "react";
import { useLive } from "@/components/page/use-live";
import { IconButton } from "@/components/ui/button";
import { CodeLine } from "@/components/ui/code";
import { SelectField, TextField } from "@/components/ui/field";
import { Lede } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { Empty, FilteredToNothing } from "@/components/ui/states";
import { TableLinks } from "@/components/ui/table-links";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { formatCount } from "@/lib/domain/format";
import { matchesRun } from "@/lib/domain/workload/filter";
import { WORKLOAD_WORDS } from "@/lib/domain/workload/run";
import { type RunsAnswer, RunsQuestion } from "@/lib/domain/workload/view";
import { runsQuery } from "@/lib/queries/runs";
import { NewRunButton, type RunVerbs } from "./run-form";
import { RunsCards } from "./runs-cards";
import { RunsTable } from "./runs-table";

const STATES = [
  { value: "all", label: "All" },
  { value: "running", label: "Running" },
  { value: "overdue", label: "Overdue" },
  { value: "ended", label: "Ended" },
] as const;

type Props = {
  /** Null: this role sees runs and writes none down. */
  create: RunVerbs["create"] | null;
  publicUrl: string;
  canExport: boolean;
};

/** Jobs and services with what they cost, those that go on first; the address keeps what was asked. */
export function RunsPanel({ create, publicUrl, canExport }: Props) {
  const { data } = useLive(runsQuery({}));
  const given = useSearchParams();
  const path = usePathname();
  const [asked, setAsked] = useState(() => RunsQuestion.parse(Object.fromEntries(given)));
  const deferred = useDeferredValue(asked);
  const rows = useMemo(() => data.rows.filter((row) => matchesRun(row, deferred)), [data.rows, deferred]);

  const ask = (part: Partial<RunsQuestion>) => {
    const next = { ...asked, ...part };
    setAsked(next);
    const query = new URLSearchParams();
    if (next.q.trim()) query.set("q", next.q);
    if (next.workload !== "all") query.set("workload", next.workload);
    if (next.state !== "all") query.set("state", next.state);
    // The rows are here already: the address changes without asking the server again.
    window.history.replaceState(null, "", query.size > 0 ? `${path}?${query}` : path);
  };
  const clear = () => ask({ q: "", workload: "all", state: "all" });

  if (data.totals.runs === 0) return <NoRuns create={create} publicUrl={publicUrl} />;
  return (
    <>
      <Lede>{sentence(data)}</Lede>
      <div className="runs-bar">
        <search className="min-w-0 flex-1">
          <TextField
            label="Filter runs"
            isLabelHidden
            icon={ListFilter}
            name="q"
            autoComplete="off"
            spellCheck={false}
            placeholder="name, id or instance"
            value={asked.q}
            onChange={(event) => ask({ q: event.target.value })}
            onKeyDown={(event) => event.key === "Escape" && ask({ q: "" })}
          />
        </search>
        {asked.q !== "" && <IconButton icon={X} label="Clear the words" onClick={() => ask({ q: "" })} />}
        <SelectField
          label="Workload"
          isLabelHidden
          value={asked.workload}
          onChange={(event) => ask({ workload: RunsQuestion.shape.workload.parse(event.target.value) })}
        >
          <option value="all">All workloads</option>
          {WORKLOADS.map((workload) => (
            <option key={workload} value={workload}>
              {WORKLOAD_WORDS[workload]}
            </option>
          ))}
        </SelectField>
        <Segmented label="State" options={STATES} value={asked.state} onChange={(state) => ask({ state })} />
        {canExport && (
          <TableLinks
            href={`/api/v1/runs?${new URLSearchParams({ q: asked.q, workload: asked.workload, state: asked.state })}`}
            what="Runs"
            isInBar
          />
        )}
        <span className="runs-new">{create && <NewRunButton create={create} />}</span>
      </div>
      <Deck>
        {rows.length === 0 ? (
          <Panel span={12}>
            <FilteredToNothing
              title={`0 of ${formatCount(data.rows.length, "run")} match`}
              filter={[asked.q, asked.workload !== "all" && asked.workload, asked.state !== "all" && asked.state]
                .filter(Boolean)
                .join(" ")}
              onClear={clear}
            />
          </Panel>
        ) : (
          <>
            <Panel span={12} isFlush className="fleet-wide">
              <RunsTable rows={rows} />
            </Panel>
            <section className="fleet-phone s12" aria-label="Runs">
              <RunsCards rows={rows} />
            </section>
          </>
        )}
      </Deck>
      <p className="page-remark">
        A run costs the minutes of its instance’s ledger, by its share of the GPUs.{" "}
        {data.isCut && `The newest ${data.rows.length} are listed; the API finds older ones by their words.`}
      </p>
    </>
  );
}

function sentence({ totals }: RunsAnswer) {
  const { running, overdue } = totals;
  if (running === 0) return <>No run goes on.</>;
  return (
    <>
      <b>{formatCount(running, "run")}</b> {running === 1 ? "goes" : "go"} on
      {overdue > 0 && (
        <>
          ,{" "}
          <b>
            {overdue} past {overdue === 1 ? "its" : "their"} expected hours
          </b>
        </>
      )}
      .
    </>
  );
}

function NoRuns({ create, publicUrl }: Omit<Props, "canExport">) {
  const line = `curl ${publicUrl}/api/v1/ingest/workload -H "Authorization: Bearer $INGEST_TOKEN" -d '{"run":{"id":"atlas-7b","workload":"training","instance":"gh-train-01","expectedHours":8},"metrics":[{"name":"samples_total","value":51200}]}'`;
  return (
    <Deck>
      <Panel span={12}>
        <Empty
          icon={Waypoints}
          title="No run is known yet"
          text="A run is a job or a service on an instance or some of its GPUs. Costs, hours and its own metrics hang on it. A program pushes one with an ingest token:"
          action={
            <div className="runs-empty">
              <CodeLine text={line} what="push line" />
              <p className="muted">
                Send the same id again with newer values, and once more with endedAt when it is over. Prometheus pages
                and remote write may carry its id in the label run.
              </p>
              {create && <NewRunButton create={create} />}
            </div>
          }
        />
      </Panel>
    </Deck>
  );
}
