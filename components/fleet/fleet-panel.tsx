"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { Grid3x3, ListChecks, ListFilter, Power, Rocket, Server, Table2, X } from "lucide-react";
import type { Route } from "next";
import { usePathname, useSearchParams } from "next/navigation";
import { lazy, Suspense, useDeferredValue, useMemo, useState } from "react";
import { useLive } from "@/components/page/use-live";
import type { BatchAction } from "@/components/terminate/batch-dialog";
import { Button, ButtonLink, IconButton } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Deck, Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { SelectionBar } from "@/components/ui/selection-bar";
import { Empty, FilteredToNothing, Loading } from "@/components/ui/states";
import type { Sort } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { FLEET_SORTS, type FleetSort, readFilter, sortRows } from "@/lib/domain/fleet/filter";
import type { InstanceRow } from "@/lib/domain/fleet/view";
import { formatCount, formatUsd, formatUsdRate } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import { HEAT_METRICS, type HeatMetric } from "@/lib/domain/telemetry/live";
import { fleetQuery, sparklinesQuery } from "@/lib/queries/fleet";
import { AwaitedRows } from "./awaited-rows";
import { FleetCards } from "./fleet-cards";
import { FleetTable } from "./fleet-table";
import { GROUPINGS, type Grouping } from "./heat-model";

/** Its code comes with the first look at it. */
const HeatPanel = lazy(async () => ({ default: (await import("./heat-panel")).HeatPanel }));
const BatchDialog = lazy(async () => ({ default: (await import("@/components/terminate/batch-dialog")).BatchDialog }));

const DEFAULT_SORT = "-cost";
const VIEWS = [
  { value: "table", label: "Table", icon: Table2 },
  { value: "heat", label: "Heat map", icon: Grid3x3 },
] as const;

/** How the fleet is looked at; the address leaves out what is usual. */
type Look = { q: string; sort: string; view: "table" | "heat"; colour: HeatMetric; by: Grouping };
const USUAL: Look = { q: "", sort: DEFAULT_SORT, view: "table", colour: "utilizationPct", by: "type" };

type Props = {
  canLaunch: boolean;
  canExport: boolean;
  /** Null: this role ends one at a time, or none. */
  terminateMany: BatchAction | null;
};

/** The fleet as a table that filters and sorts at the speed of typing; the address keeps what was asked. */
export function FleetPanel({ canLaunch, canExport, terminateMany }: Props) {
  const { data } = useLive(fleetQuery());
  const { data: sparklines } = useSuspenseQuery(sparklinesQuery());
  const given = useSearchParams();
  const path = usePathname();
  const [look, setLook] = useState(() => readLook(given));
  const { q: text, view } = look;
  const sort = useMemo(() => readSort(look.sort), [look.sort]);
  const deferred = useDeferredValue(text);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isEnding, setEnding] = useState(false);

  const change = (part: Partial<Look>) => {
    const next = { ...look, ...part };
    setLook(next);
    const query = new URLSearchParams(given);
    for (const [name, value] of Object.entries(next)) {
      if (value.trim() === USUAL[name as keyof Look]) query.delete(name);
      else query.set(name, value);
    }
    // The rows are here already: the address changes without asking the server again.
    window.history.replaceState(null, "", query.size > 0 ? `${path}?${query}` : path);
  };
  const type = (next: string) => change({ q: next });
  const onSort = (next: Sort) => change({ sort: `${next.isDescending ? "-" : ""}${next.by}` });

  const { rows, problems } = useMemo(() => {
    const filter = readFilter(deferred);
    const matching = data.rows.filter((row) => filter.matches(row, data.now));
    return { rows: sortRows(matching, sort.by as FleetSort, sort.isDescending, data.now), problems: filter.problems };
  }, [data, deferred, sort]);

  const endable = terminateMany === null ? [] : rows.filter(isEndable);
  const selected = data.rows.filter((row) => ids.has(row.id) && isEndable(row));

  if (data.rows.length === 0 && data.awaited.length === 0) {
    return (
      <Deck>
        <Panel span={12}>
          <Empty
            icon={Server}
            title={data.freshness.lastOkAt === null ? "Lambda has not answered yet" : "No instance runs"}
            text={
              data.freshness.lastOkAt === null
                ? "The first look at the account takes a few seconds. Nothing is known until then."
                : "Nothing bills but file systems. Instances that are launched here or elsewhere appear within 15 seconds."
            }
            action={
              canLaunch ? (
                <ButtonLink look="primary" icon={Rocket} href={"/launch" as Route}>
                  Launch an instance
                </ButtonLink>
              ) : undefined
            }
          />
        </Panel>
      </Deck>
    );
  }

  const hour = data.totals;
  const selection = terminateMany && { ids, endable, onChange: setIds };
  return (
    <>
      <div className="fleet-bar">
        <search className="fleet-search">
          <TextField
            label="Filter instances"
            isLabelHidden
            icon={ListFilter}
            name="q"
            autoComplete="off"
            spellCheck={false}
            className="mono"
            placeholder="name, or util<5 cost>2 team:ml status:active"
            value={text}
            onChange={(event) => type(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && type("")}
            error={problems[0] ?? null}
          />
        </search>
        <span className="fleet-count" role="status">
          {rows.length === data.rows.length
            ? formatCount(data.rows.length, "instance")
            : `${rows.length} of ${formatCount(data.rows.length, "instance")}`}
        </span>
        {text !== "" && <IconButton icon={X} label="Clear the filter" onClick={() => type("")} />}
        {endable.length > 0 && view === "table" && (
          <Button icon={ListChecks} onClick={() => setIds(new Set(endable.map(({ id }) => id)))}>
            Select {text.trim() === "" ? "all" : `these ${endable.length}`}
          </Button>
        )}
        <Segmented label="View" options={VIEWS} value={view} onChange={(next) => change({ view: next })} />
        {canExport && (
          <TableLinks
            href={`/api/v1/fleet?${new URLSearchParams({ q: text, sort: look.sort })}`}
            what="Instances"
            isInBar
          />
        )}
      </div>
      {view === "heat" && rows.length > 0 ? (
        <Suspense fallback={<HeatAwaited />}>
          <HeatPanel
            rows={rows}
            colour={look.colour}
            by={look.by}
            onColour={(colour) => change({ colour })}
            onBy={(by) => change({ by })}
          />
        </Suspense>
      ) : (
        <Deck>
          <AwaitedRows awaited={data.awaited} />
          {rows.length === 0 && data.rows.length > 0 ? (
            <Panel span={12}>
              <FilteredToNothing
                title={`0 of ${formatCount(data.rows.length, "instance")} match`}
                filter={text}
                onClear={() => type("")}
              />
            </Panel>
          ) : (
            <>
              <Panel span={12} isFlush className="fleet-wide">
                <FleetTable rows={rows} sparklines={sparklines} sort={sort} onSort={onSort} selection={selection} />
              </Panel>
              <section className="fleet-phone s12" aria-label="Instances">
                <FleetCards rows={rows} totals={hour} sparklines={sparklines} selection={selection} />
              </section>
            </>
          )}
        </Deck>
      )}
      {selected.length > 0 && terminateMany && view === "table" && (
        <SelectionBar count={selected.length} sum={`${formatUsdRate(rateOf(selected))} together`}>
          <Button look="danger" icon={Power} onClick={() => setEnding(true)}>
            Terminate…
          </Button>
          <IconButton icon={X} label="Select none" onClick={() => setIds(new Set())} />
        </SelectionBar>
      )}
      {isEnding && terminateMany && (
        <Suspense>
          <BatchDialog
            instanceIds={[...ids]}
            act={terminateMany}
            onDone={() => setIds(new Set())}
            onClose={() => setEnding(false)}
          />
        </Suspense>
      )}
      <p className="page-remark">
        {formatCount(hour.billed, "instance")} with {formatCount(hour.gpusBilled, "GPU")} bill{" "}
        {formatUsdRate(hour.microsPerHour)}
        {hour.unknownPrices > 0 && `, without ${hour.unknownPrices} whose price is unknown`}. Machines only, storage is
        on Cost; today ({formatDay(data.now, data.zone)}, {data.zone}) so far {formatUsd(hour.todayMicros)}.
      </p>
    </>
  );
}

/** Whether it can be chosen to be ended: it is there, and nobody asked for its end. */
export function isEndable(row: InstanceRow): boolean {
  return (
    !row.isGone &&
    row.openIntent?.kind !== "terminate" &&
    row.status !== "terminating" &&
    row.status !== "terminated" &&
    row.status !== "preempted"
  );
}

function rateOf(rows: readonly InstanceRow[]): string {
  return rows.reduce((sum, row) => sum + (row.isBilled ? BigInt(row.priceMicros ?? "0") : 0n), 0n).toString();
}

function HeatAwaited() {
  return (
    <Deck>
      <Panel span={12}>
        <Loading rows={8} />
      </Panel>
    </Deck>
  );
}

function readLook(given: URLSearchParams): Look {
  const grouping = given.get("by") ?? "";
  return {
    q: given.get("q") ?? "",
    sort: given.get("sort") ?? DEFAULT_SORT,
    view: given.get("view") === "heat" ? "heat" : "table",
    colour: HEAT_METRICS.find((known) => known === given.get("colour")) ?? USUAL.colour,
    by: Object.hasOwn(GROUPINGS, grouping) ? (grouping as Grouping) : USUAL.by,
  };
}

function readSort(text: string): Sort {
  const isDescending = text.startsWith("-");
  const by = isDescending ? text.slice(1) : text;
  return FLEET_SORTS.some((known) => known === by) ? { by, isDescending } : { by: "cost", isDescending: true };
}
