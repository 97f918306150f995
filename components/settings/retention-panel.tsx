"use client";

import { type FormEvent, useState } from "react";
import { useLive } from "@/components/page/use-live";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Meter } from "@/components/ui/meter";
import { Panel, type Span } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { formatNumber } from "@/lib/domain/format";
import type { HouseAnswer, SettingsAnswer } from "@/lib/domain/settings";
import { houseQuery, settingsQuery } from "@/lib/queries/settings";
import { Refusal } from "./refusal";
import { type Act, useAct } from "./use-act";

const LEVELS = [
  {
    field: "samplesDays",
    label: "Samples",
    about: "as they came, every 10 s",
    tables: ["gpu_sample"],
  },
  {
    field: "distributionsDays",
    label: "Five-minute distributions",
    about: "percentiles of the fleet",
    tables: ["metric_dist"],
  },
  {
    field: "hoursDays",
    label: "Hours",
    about: "per GPU: count, sum, lowest, highest",
    tables: ["gpu_hour", "metric_dist_hour"],
  },
] as const;

type Retention = SettingsAnswer["retention"];
type Props = { act: Act<FormData, Retention>; locked: string | null; span?: Span };

/** How long each level of telemetry is kept, and what it takes on disk. */
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
  const bytesOf = (tables: readonly string[]) =>
    sizes.filter(({ table }) => tables.includes(table)).reduce((sum, { bytes }) => sum + bytes, 0);
  const most = Math.max(1, ...LEVELS.map(({ tables }) => bytesOf(tables)));

  const look = (event: FormEvent<HTMLFormElement>) => {
    const form = new FormData(event.currentTarget);
    setShorter(LEVELS.flatMap(({ field, label }) => (Number(form.get(field)) < kept[field] ? [label] : [])));
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
            <th scope="col" className="num">
              On disk
            </th>
            <th scope="col">
              <span className="sr-only">Share</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {LEVELS.map(({ field, label, about, tables }) => (
            <tr key={field}>
              <th scope="row" className="font-normal">
                <span className="font-medium">{label}</span> <span className="muted not-phone">{about}</span>
              </th>
              <td className="py-1">
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
              </td>
              <td className="num">{mebibytes(bytesOf(tables))}</td>
              <td>
                <Meter value={bytesOf(tables)} max={most} widthPx={80} label={mebibytes(bytesOf(tables))} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <div className="panel-words grid gap-3">
        <p className="muted">Ledger, alerts, intents and the audit trail are kept for ever.</p>
        <Refusal failure={failure} fields={LEVELS.map(({ field }) => field)} />
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

export function mebibytes(bytes: number): string {
  const mib = bytes / 2 ** 20;
  if (mib < 1) return `${formatNumber(bytes / 1024, 0)} KiB`;
  return mib >= 10_240 ? `${formatNumber(mib / 1024, 1)} GiB` : `${formatNumber(mib, mib < 10 ? 1 : 0)} MiB`;
}
