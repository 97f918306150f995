"use client";

import type { Route } from "next";
import type { ReactNode } from "react";
import { useLive } from "@/components/page/use-live";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Age, Instant, Lasting } from "@/components/ui/time";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { formatStorage, formatUsd, formatUsdRate } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import { instanceQuery } from "@/lib/queries/fleet";
import { processWords } from "./process-words";

type Props = { question: InstancePageQuestion };

/** What it has cost, what it costs now, and how sure that is. */
export function CostPanel({ question }: Props) {
  const { data } = useLive(instanceQuery(question));
  const { row, cost } = data;
  const isExact = cost.lowMicros === cost.highMicros;
  const daily = cost.days.slice(-7).reverse();
  const first = cost.days[0]?.day;
  const rows = (day?: string) =>
    `/cost/rows?instance=${question.instanceId}${day ? `&from=${day}&to=${day}` : first ? `&from=${first}` : ""}` as Route;
  return (
    <Panel
      title="Cost"
      sub="by the minute"
      actions={
        <Link className="link" href={"/cost?by=instance" as Route}>
          Cost
        </Link>
      }
    >
      <Facts
        rows={[
          [
            <>So far{cost.from !== null && <span className="muted">, since {formatDay(cost.from, "UTC")}</span>}</>,
            <Link key="total" className="name-link" href={rows()} title="The ledger rows of this sum">
              {formatUsd(cost.totalMicros)}
            </Link>,
          ],
          ...(isExact ? [] : [["Could be", `${formatUsd(cost.lowMicros)} to ${formatUsd(cost.highMicros)}`] as const]),
          [
            "Now",
            row.isBilled ? (
              row.priceMicros === null ? (
                <Missing key="p" reason="the price is unknown" />
              ) : (
                formatUsdRate(row.priceMicros)
              )
            ) : (
              "not billed"
            ),
          ],
          [
            "Today",
            row.todayMicros === null ? <Missing key="t" reason="the price is unknown" /> : formatUsd(row.todayMicros),
          ],
          ...(row.isBilled && row.priceMicros !== null
            ? [["Per day at this rate", formatUsd(BigInt(row.priceMicros) * 24n)] as const]
            : []),
          ...(row.idle ? [["Idle for", <Lasting key="idle" from={row.idle.since} to={null} />] as const] : []),
        ]}
      />
      {cost.unknownRows > 0 && (
        <p className="muted pt-2">{cost.unknownRows} ledger rows have no known price and are not in the sum.</p>
      )}
      {daily.length > 0 && (
        <details className="pt-2">
          <summary className="link">Last {daily.length} days</summary>
          <Facts
            rows={daily.map((day) => [
              day.day,
              day.micros === null ? (
                <Missing key={day.day} reason="the price is unknown" />
              ) : (
                <Link key={day.day} className="name-link" href={rows(day.day)}>
                  {formatUsd(day.micros)}
                </Link>
              ),
            ])}
          />
        </details>
      )}
    </Panel>
  );
}

/** Whom it belongs to, and what is attached to it. */
export function BelongsPanel({ question, actions }: Props & { actions: ReactNode }) {
  const { data } = useLive(instanceQuery(question));
  const { row, filesystems, tags } = data;
  const none = <span className="muted">none</span>;
  return (
    <Panel title="Belongs to" actions={actions}>
      <Facts
        rows={[
          [
            "Team, project",
            row.labels.team || row.labels.project
              ? `${row.labels.team || "no team"}, ${row.labels.project || "no project"}`
              : none,
          ],
          ["Owner", row.labels.owner || none],
          ["Environment", row.labels.environment || none],
          ["Cost centre", row.labels.costCenter || none],
          ["Workload", row.labels.workload],
          ["Purpose", row.purpose || none],
          [
            "File systems",
            filesystems.length > 0
              ? filesystems
                  .map(
                    ({ name, bytesUsed }) =>
                      `${name}${bytesUsed === null ? "" : `, ${formatStorage(BigInt(bytesUsed))}`}`,
                  )
                  .join("; ")
              : none,
          ],
          ["SSH keys", data.sshKeyNames.join(", ") || none],
          [
            "Instance id",
            <span key="id" className="mono whitespace-nowrap">
              {row.externalId.slice(0, 4)}…{row.externalId.slice(-4)}{" "}
              <CopyButton isIcon text={row.externalId} what="instance id" />
            </span>,
          ],
          ...(data.privateIp
            ? [
                [
                  "Private address",
                  <span key="ip" className="mono">
                    {data.privateIp}
                  </span>,
                ] as const,
              ]
            : []),
          ...Object.entries(tags)
            .filter(([name]) => !(name in row.labels) && !/^cost[_-]?center$/.test(name))
            .slice(0, 8)
            .map(
              ([name, value]) =>
                [
                  <span key={name} className="mono">
                    {name}
                  </span>,
                  value,
                ] as const,
            ),
        ]}
      />
      {data.labelHistory.length > 1 && (
        <details className="pt-2">
          <summary className="link">{data.labelHistory.length} changes of labels</summary>
          <ul className="grid gap-1 pt-1 text-12">
            {data.labelHistory.toReversed().map((span) => (
              <li key={span.from}>
                <span className="muted">
                  from <Instant at={span.from} />, by {span.by}:
                </span>{" "}
                {[span.team, span.project, span.environment, span.costCenter, span.owner, span.workload]
                  .filter(Boolean)
                  .join(", ")}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

/** The one GPU as it reported last; several stand side by side below the charts. */
export function GpuPanel({ question }: Props) {
  const { data } = useLive(instanceQuery(question));
  const { gpus, row } = data;
  if (gpus.length > 1) return null;
  if (gpus.length === 0) {
    return (
      <Panel title="GPUs">
        <p className="muted">
          {row.telemetry.error ??
            (row.isBilled
              ? "No agent has reported from this machine. Install it with the line in Settings, Connection; until then its GPU is unknown, and it bills."
              : "The machine is not running yet; its agent reports as soon as it boots.")}
        </p>
      </Panel>
    );
  }
  return (
    <Panel title="GPUs" sub="as last reported">
      {gpus.map((gpu) => (
        <div key={gpu.id} className="gpu-facts">
          <Facts
            rows={[
              [gpus.length > 1 ? `GPU ${gpu.position}` : "GPU", gpu.model],
              ["Last sample", gpu.at === null ? <Missing key="at" reason="none yet" /> : <Age key="at" at={gpu.at} />],
              [
                "Throttled",
                gpu.throttle.length > 0 ? (
                  <b key="t" className="text-warn">
                    {gpu.throttle.join(", ")}
                  </b>
                ) : (
                  "no"
                ),
              ],
              [
                "Uncorrected ECC",
                gpu.eccUncorrected ?? <Missing key="e" reason={gpu.missing.eccUncorrected ?? "not said"} />,
              ],
              [
                "Processes",
                gpu.processes === null ? (
                  <Missing key="p" reason="not reported" />
                ) : gpu.processes.length === 0 ? (
                  "none"
                ) : (
                  gpu.processes.map(processWords).join(", ")
                ),
              ],
            ]}
          />
          {Object.keys(gpu.missing).length > 0 && (
            <details className="pt-1">
              <summary className="link">{Object.keys(gpu.missing).length} values are missing</summary>
              <ul className="pt-1 text-12 text-text-2">
                {Object.values(gpu.missing).map((why) => (
                  <li key={why}>{why}</li>
                ))}
              </ul>
            </details>
          )}
          <p className="mono muted pt-1 text-11 break-all">{gpu.uuid}</p>
        </div>
      ))}
    </Panel>
  );
}
