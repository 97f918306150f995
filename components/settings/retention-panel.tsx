"use client";

import { type FormEvent, useState } from "react";
import { useLive } from "@/components/page/use-live";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Meter } from "@/components/ui/meter";
import { Panel, type Span } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { formatNumber } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import type { HouseAnswer, SettingsAnswer } from "@/lib/domain/settings";
import { HOT_MS } from "@/lib/domain/telemetry/sample";
import { houseQuery, settingsQuery } from "@/lib/queries/settings";
import { Refusal } from "./refusal";
import { type Act, useAct } from "./use-act";

type Field = keyof SettingsAnswer["retention"];

type Level = {
  /** The setting that says how long it is kept; null: `kept` says. */
  field: Field | null;
  kept?: string;
  label: string;
  about: string;
  tables: readonly string[];
  /** Rows of its first table that one GPU makes in a day; null: it does not grow with GPUs. */
  rowsPerGpuDay: number | null;
};

const DAY_MS = 24 * 3_600_000;

/** Rows per GPU-day of what comes as often as the agent sends. */
const AT_TEN_SECONDS = 8_640;

const LEVELS: readonly Level[] = [
  {
    field: null,
    kept: `${HOT_MS / DAY_MS} days`,
    label: "Samples as they came",
    about: "until their hour is sealed and nothing late may join it",
    tables: ["gpu_sample"],
    rowsPerGpuDay: AT_TEN_SECONDS,
  },
  {
    field: "samplesDays",
    label: "Sealed hours",
    about: "the same samples, packed",
    tables: ["gpu_chunk"],
    rowsPerGpuDay: 24,
  },
  {
    field: "distributionsDays",
    label: "Five-minute distributions",
    about: "percentiles of fleet, teams, types",
    tables: ["metric_dist"],
    rowsPerGpuDay: null,
  },
  {
    field: "hoursDays",
    label: "Hours",
    about: "per GPU: count, sum, lowest, highest; and distributions",
    tables: ["gpu_hour", "metric_dist_hour"],
    rowsPerGpuDay: 24,
  },
  {
    field: null,
    kept: "as sealed hours",
    label: "Workload values",
    about: "as they were sent",
    tables: ["series_sample"],
    rowsPerGpuDay: null,
  },
  {
    field: null,
    kept: "as hours",
    label: "Workload hours",
    about: "per series",
    tables: ["series_hour"],
    rowsPerGpuDay: null,
  },
];

const SET_LEVELS = LEVELS.flatMap(({ field, label }) => (field === null ? [] : [{ field, label }]));

type Retention = SettingsAnswer["retention"];
type Props = { act: Act<FormData, Retention>; locked: string | null; span?: Span };

/** How long each level of telemetry is kept, since when there is any, and what it takes on disk. */
export function RetentionPanel({ act, locked, span }: Props) {
  const { data: settings } = useLive(settingsQuery());
  const { data: house } = useLive(houseQuery());
  return (
    <Panel title="Retention" sub="whole days and months are dropped" isFlush {...(span && { span })}>
      <RetentionForm
        key={JSON.stringify(settings.retention)}
        kept={settings.retention}
        sizes={house.telemetry}
        act={act}
        locked={locked}
      />
    </Panel>
  );
}

type FormProps = { kept: Retention; sizes: HouseAnswer["telemetry"]; act: Props["act"]; locked: string | null };

function RetentionForm({ kept, sizes, act, locked }: FormProps) {
  const { run, failure, isPending } = useAct(act);
  const [shorter, setShorter] = useState<string[]>([]);
  const [isSure, setSure] = useState(false);
  const levels = LEVELS.map((level) => ({ ...level, ...sizeOf(level, sizes) }));
  const most = Math.max(1, ...levels.map(({ bytes }) => bytes));

  const look = (event: FormEvent<HTMLFormElement>) => {
    const form = new FormData(event.currentTarget);
    setShorter(SET_LEVELS.flatMap(({ field, label }) => (Number(form.get(field)) < kept[field] ? [label] : [])));
    setSure(false);
  };

  return (
    <form
      onInput={look}
      onSubmit={(event) => {
        event.preventDefault();
        if (shorter.length > 0 && !isSure) return setSure(true);
        run(new FormData(event.currentTarget), () => toast("ok", "Retention is changed"));
      }}
    >
      <Table label="Retention">
        <thead>
          <tr>
            <th scope="col">Kept</th>
            <th scope="col">For</th>
            <th scope="col" className="num not-phone">
              Since
            </th>
            <th scope="col" className="num not-phone">
              Rows
            </th>
            <th scope="col" className="num">
              Per GPU-day
            </th>
            <th scope="col" className="num">
              On disk
            </th>
            <th scope="col">
              <span className="sr-only">Share</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {levels.map(({ field, kept: words, label, about, bytes, rows, from, perGpuDay }) => (
            <tr key={label}>
              <th scope="row" className="font-normal">
                <span className="font-medium">{label}</span> <span className="muted not-phone">{about}</span>
              </th>
              <td className="py-1">
                {field === null ? (
                  <span className="text-text-2">{words}</span>
                ) : (
                  <div className="w-36">
                    <TextField
                      label={`${label}, days kept`}
                      isLabelHidden
                      name={field}
                      type="number"
                      inputMode="numeric"
                      required
                      min={1}
                      unit="days"
                      defaultValue={kept[field]}
                      disabled={locked !== null}
                      error={failure?.fields[field]}
                    />
                  </div>
                )}
              </td>
              <td className="num not-phone">
                {from === null ? <Missing reason="nothing in it yet" /> : formatDay(from, "UTC")}
              </td>
              <td className="num not-phone">
                {rows === 0 ? <Missing reason="not counted yet" /> : formatNumber(rows)}
              </td>
              <td className="num">
                {perGpuDay === null ? <Missing reason="not per GPU, or not counted yet" /> : mebibytes(perGpuDay)}
              </td>
              <td className="num">{mebibytes(bytes)}</td>
              <td>
                <Meter value={bytes} max={most} widthPx={60} label={mebibytes(bytes)} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <div className="panel-words grid gap-3">
        <p className="muted">
          Rows are as the database last counted them. A GPU-day of samples as they came is one every 10 s. Ledger,
          alerts, intents and the audit trail are kept for ever.
        </p>
        <Refusal failure={failure} fields={SET_LEVELS.map(({ field }) => field)} />
        {locked !== null && <p className="muted">{locked}</p>}
        {isSure && (
          <p role="alert" className="text-crit">
            {shorter.join(", ")}: what is older is dropped within the hour and cannot be brought back. Press again to do
            it.
          </p>
        )}
        {locked === null && (
          <div>
            <Button type="submit" look={isSure ? "danger-solid" : "primary"} isPending={isPending}>
              {isSure ? "Drop what is older" : "Save"}
            </Button>
          </div>
        )}
      </div>
    </form>
  );
}

type Size = { bytes: number; rows: number; from: number | null; perGpuDay: number | null };

/** What a level takes on disk; per GPU-day by its first table, whose rows belong to GPUs. */
function sizeOf({ tables, rowsPerGpuDay }: Level, sizes: HouseAnswer["telemetry"]): Size {
  const own = sizes.filter(({ table }) => tables.includes(table));
  const first = own.find(({ table }) => table === tables[0]);
  const begins = own.flatMap(({ from }) => (from === null ? [] : [from]));
  return {
    bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
    rows: own.reduce((sum, { rows }) => sum + rows, 0),
    from: begins.length === 0 ? null : Math.min(...begins),
    perGpuDay: !first || rowsPerGpuDay === null || first.rows === 0 ? null : (first.bytes * rowsPerGpuDay) / first.rows,
  };
}

export function mebibytes(bytes: number): string {
  const mib = bytes / 2 ** 20;
  if (mib < 1) return `${formatNumber(bytes / 1024, 0)} KiB`;
  return mib >= 10_240 ? `${formatNumber(mib / 1024, 1)} GiB` : `${formatNumber(mib, mib < 10 ? 1 : 0)} MiB`;
}
