"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Grid3x3, Palette, Rows3 } from "lucide-react";
import { useMemo, useState } from "react";
import { SelectField } from "@/components/ui/field";
import { KeyFigure } from "@/components/ui/key-figure";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty, ErrorState, Loading } from "@/components/ui/states";
import { totalsLine } from "@/lib/domain/fleet/totals";
import type { InstanceRow } from "@/lib/domain/fleet/view";
import { formatCount, formatNumber, formatPercent, formatUsd } from "@/lib/domain/format";
import {
  decodeRoster,
  HEAT_METRICS,
  type HeatMetric,
  type Live,
  LiveView,
  liveEntry,
  type Roster,
  type RosterGpu,
} from "@/lib/domain/telemetry/live";
import { liveQuery, rosterQuery } from "@/lib/queries/telemetry";
import { HeatGroupFigure } from "./heat-group";
import { HeatLegend } from "./heat-legend";
import { type Cells, domainOf, GROUPINGS, type Grouping, groupsOf, pitchOf, summaryOf } from "./heat-model";

type Shown = { live: Live; roster: Roster };

/** The newest pair that belongs together: while a new roster is fetched, the last one stays. */
function useShown(): { shown: Shown | null; failure: Error | null; retry: () => void } {
  const live = useQuery(liveQuery());
  const roster = useQuery({ ...rosterQuery(live.data?.roster ?? null), placeholderData: keepPreviousData });
  const [shown, setShown] = useState<Shown | null>(null);
  const isPair = live.data !== undefined && roster.data !== undefined && roster.data.version === live.data.roster;
  if (isPair && (shown?.live !== live.data || shown.roster !== roster.data)) {
    setShown({ live: live.data, roster: roster.data });
  }
  const retry = () => {
    void live.refetch();
    void roster.refetch();
  };
  return { shown, failure: live.error ?? roster.error, retry };
}

type Props = {
  /** The machines that the filter lets through. */
  rows: readonly InstanceRow[];
  colour: HeatMetric;
  by: Grouping;
  onColour: (next: HeatMetric) => void;
  onBy: (next: Grouping) => void;
};

/** Every GPU as one cell, painted by its newest sample. */
export function HeatPanel({ rows, colour, by, onColour, onBy }: Props) {
  const { shown, failure, retry } = useShown();
  const gpus = useMemo(() => (shown ? decodeRoster(shown.roster) : []), [shown]);
  const view = useMemo(() => (shown ? new LiveView(shown.live) : null), [shown]);
  const places = useMemo(() => {
    const wanted = new Set(rows.map((row) => row.id));
    return gpus.flatMap((gpu, place) => (wanted.has(gpu.resourceId) ? [place] : []));
  }, [gpus, rows]);

  if (!view) {
    return (
      <Deck>
        <Panel span={12}>
          {failure ? (
            <ErrorState title="The live view cannot be read" text={failure.message} onRetry={retry} />
          ) : (
            <Loading rows={8} />
          )}
        </Panel>
      </Deck>
    );
  }
  if (places.length === 0) {
    return (
      <Deck>
        <Panel span={12}>
          <Empty
            icon={Grid3x3}
            title="No GPU is known yet"
            text="A cell appears with the first sample of a GPU. The table shows the machines without one."
          />
        </Panel>
      </Deck>
    );
  }
  return (
    <Deck>
      <Figures view={view} places={places} rows={rows} />
      <Panel span={12} className="heat">
        <HeatMap {...{ gpus, view, places, rows, colour, by, onColour, onBy }} />
        {failure && <p className="muted pt-2">The newest look failed; this is the one before. {failure.message}</p>}
      </Panel>
    </Deck>
  );
}

type FiguresProps = { view: LiveView; places: readonly number[]; rows: readonly InstanceRow[] };

function Figures({ view, places, rows }: FiguresProps) {
  const cellsOf = (metric: HeatMetric): Cells => ({
    values: view.values(metric),
    isSilent: (place) => view.isSilent(place),
  });
  const busy = summaryOf(cellsOf("utilizationPct"), places, "utilizationPct");
  const effective = summaryOf(cellsOf("effectivePct"), places, "effectivePct");
  const memory = summaryOf(cellsOf("memoryUsedPct"), places, "memoryUsedPct");
  const silent = places.filter((place) => view.isSilent(place)).length;
  const totals = totalsLine(rows);
  const expected = rows.filter((row) => row.isBilled).reduce((sum, row) => sum + row.gpus, 0);
  const unseen = Math.max(0, expected - places.length);
  const firing = rows.filter((row) => row.alert !== null);
  return (
    <>
      <KeyFigure
        span={2}
        label="GPUs"
        value={formatNumber(places.length)}
        unit={`on ${formatNumber(rows.length)}`}
        note={reporting(places.length - silent, silent, unseen)}
      />
      <KeyFigure
        span={2}
        label="Utilisation, mean"
        value={formatPercent(busy.mean)}
        note={`95th percentile ${formatPercent(busy.p95)}`}
      />
      <KeyFigure
        span={2}
        label="At most 5 % busy"
        value={formatNumber(effective.low)}
        unit={effective.low === 1 ? "GPU" : "GPUs"}
        note="by effective utilisation"
      />
      <KeyFigure span={2} label="VRAM, mean" value={formatPercent(memory.mean)} note="of what each GPU has" />
      <KeyFigure
        span={2}
        label="Cost per hour"
        value={formatUsd(totals.microsPerHour)}
        unit="/h"
        note="machines only"
      />
      <KeyFigure
        span={2}
        label="Firing"
        value={formatNumber(firing.length)}
        unit={firing.length === 1 ? "instance" : "instances"}
        note={firing.length === 0 ? "no alert" : "outlined in red"}
      />
    </>
  );
}

function reporting(known: number, silent: number, unseen: number): string {
  if (silent + unseen === 0) return "all report";
  return [
    `${formatNumber(known)} report`,
    ...(silent > 0 ? [`${formatNumber(silent)} silent`] : []),
    ...(unseen > 0 ? [`${formatNumber(unseen)} never seen`] : []),
  ].join(", ");
}

type MapProps = Props & { gpus: readonly RosterGpu[]; view: LiveView; places: readonly number[] };

function HeatMap({ gpus, view, places, rows, colour, by, onColour, onBy }: MapProps) {
  const cells = useMemo<Cells>(
    () => ({ values: view.values(colour), isSilent: (place) => view.isSilent(place) }),
    [view, colour],
  );
  const groups = useMemo(() => groupsOf(gpus, places, by), [gpus, places, by]);
  const firing = useMemo(() => new Set(rows.filter((row) => row.alert !== null).map((row) => row.id)), [rows]);
  const domain = useMemo(() => domainOf(colour, cells.values), [colour, cells]);
  const pitch = pitchOf(places.length);
  return (
    <>
      <div className="heat-head">
        <HeatLegend {...{ cells, places, gpus, firing, domain }} metric={colour} />
        <div className="heat-choices">
          <SelectField
            label="Colour"
            isLabelHidden
            icon={Palette}
            value={colour}
            onChange={(event) => onColour(event.target.value as HeatMetric)}
          >
            {HEAT_METRICS.map((metric) => (
              <option key={metric} value={metric}>
                {liveEntry(metric).label}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Group"
            isLabelHidden
            icon={Rows3}
            value={by}
            onChange={(event) => onBy(event.target.value as Grouping)}
          >
            {Object.entries(GROUPINGS).map(([value, word]) => (
              <option key={value} value={value}>
                by {word}
              </option>
            ))}
          </SelectField>
        </div>
      </div>
      <div className={groups.length > 1 ? "heat-groups" : undefined}>
        {groups.map((group) => (
          <HeatGroupFigure key={group.key} {...{ group, gpus, view, cells, firing, domain, pitch }} metric={colour} />
        ))}
      </div>
      <p className="sr-only">
        {formatCount(places.length, "GPU")} in {formatCount(groups.length, "group")}. The table shows the same machines
        in words.
      </p>
    </>
  );
}
