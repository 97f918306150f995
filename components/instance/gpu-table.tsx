"use client";

import { useLive } from "@/components/page/use-live";
import { Panel } from "@/components/ui/panel";
import { Missing, Quantity } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import type { GpuNow, InstancePageQuestion } from "@/lib/domain/fleet/view";
import { formatCelsius, formatCount, formatGibOf, formatPercent, formatWatts } from "@/lib/domain/format";
import { instanceQuery } from "@/lib/queries/fleet";
import { processWords } from "./process-words";

/** The GPUs of a machine with several, side by side as they reported last. */
export function GpuTable({ question }: { question: InstancePageQuestion }) {
  const { data } = useLive(instanceQuery(question));
  const { gpus, row } = data;
  if (gpus.length < 2) return null;
  const isOld = row.telemetry.state !== "reporting";
  return (
    <Panel className="is-wide" title="GPUs" sub={`${formatCount(gpus.length, "GPU")}, as last reported`} isFlush>
      <Table label="GPUs" isDense isTight>
        <thead>
          <tr>
            <th scope="col">GPU</th>
            <th scope="col" className="num">
              Utilisation
            </th>
            <th scope="col" className="num">
              VRAM
            </th>
            <th scope="col" className="num">
              Temperature
            </th>
            <th scope="col" className="num">
              Power
            </th>
            <th scope="col">Throttled</th>
            <th scope="col" className="num">
              ECC
            </th>
            <th scope="col">Processes</th>
            <th scope="col" className="num">
              Age
            </th>
          </tr>
        </thead>
        <tbody>
          {gpus.map((gpu) => (
            <Row key={gpu.id} gpu={gpu} isOld={isOld} />
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function Row({ gpu, isOld }: { gpu: GpuNow; isOld: boolean }) {
  const number = (metric: string, text: string) => (
    <Quantity text={text} isStale={isOld} reason={gpu.missing[metric] ?? "not reported"} />
  );
  return (
    <tr>
      <th scope="row" title={gpu.uuid}>
        {gpu.position}
        {gpu.mig && <span className="muted"> MIG {gpu.mig}</span>}
      </th>
      <td className="num">{number("utilizationPct", formatPercent(gpu.utilizationPct))}</td>
      <td className="num">{number("memoryUsedMib", formatGibOf(gpu.memoryUsedMib, gpu.memoryTotalMib))}</td>
      <td className="num">{number("temperatureC", formatCelsius(gpu.temperatureC))}</td>
      <td className="num">{number("powerW", formatWatts(gpu.powerW))}</td>
      <td>{gpu.throttle.length > 0 ? <b className="text-warn">{gpu.throttle.join(", ")}</b> : "no"}</td>
      <td className="num">{gpu.eccUncorrected ?? <Missing reason={gpu.missing.eccUncorrected ?? "not reported"} />}</td>
      <td className="text-text-2">
        {gpu.processes === null ? (
          <Missing reason="not reported" />
        ) : (
          gpu.processes.map(processWords).join(", ") || "none"
        )}
      </td>
      <td className="num muted">{gpu.at === null ? <Missing reason="none yet" /> : <Age at={gpu.at} isBare />}</td>
    </tr>
  );
}
