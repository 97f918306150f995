"use client";

import type { ReactNode } from "react";
import { useLive } from "@/components/page/use-live";
import { useClock } from "@/components/ui/clock";
import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import type { AlertAnswer } from "@/lib/domain/alerts/view";
import { burnedMicros } from "@/lib/domain/cost/burn";
import { formatUsd, formatUsdBurn, formatUsdRate } from "@/lib/domain/format";
import { alertQuery } from "@/lib/queries/alerts";
import { When } from "./when";

const DAY_MS = 24 * 3_600_000;

/** What the machine has cost since the condition began, since it fired, since somebody took it. */
export function BurnPanel({ alertId }: { alertId: string }) {
  const { data } = useLive(alertQuery({ alertId }));
  const { row } = data;
  const { priceMicros } = row;
  if (row.resourceId === null) {
    return (
      <Panel title="Burn meter" className="is-burn">
        <p className="muted">This alert names no machine, so no meter runs for it.</p>
      </Panel>
    );
  }
  if (priceMicros === null) {
    return (
      <Panel title="Burn meter" className="is-burn">
        <p className="muted">The price of {row.targetName} is unknown, so nobody can say what this has cost.</p>
      </Panel>
    );
  }
  const isRunning = row.microsPerHour !== null;
  const price = BigInt(priceMicros);
  const end = row.resolvedAt;
  return (
    <Panel
      title="Burn meter"
      className="is-burn"
      actions={
        isRunning ? (
          <span className="status font-medium text-crit">
            <i className="live-dot text-crit-mark" />
            running
          </span>
        ) : (
          <span className="muted">{end === null ? "not billed now" : "stopped"}</span>
        )
      }
    >
      <p className="burn-figure">
        <Burned price={price} from={row.activeAt} to={end} />
      </p>
      <p className="burn-about">
        spent on {machineOf(data)} since the condition began at <When at={row.activeAt} />
      </p>
      <Facts
        rows={[
          [
            "Rate now",
            isRunning ? (
              <>
                <b>{formatUsdBurn(price)}</b> · {formatUsdRate(price)}
              </>
            ) : (
              "not billed"
            ),
          ],
          row.firedAt === null
            ? [
                "Since firing",
                <span key="f" className="muted">
                  not firing yet
                </span>,
              ]
            : [
                <SinceTime key="f" word="Since firing" at={row.firedAt} />,
                <Burned key="v" price={price} from={row.firedAt} to={end} />,
              ],
          row.acknowledgedAt === null
            ? [
                "Since acknowledged",
                <span key="a" className="muted">
                  not acknowledged
                </span>,
              ]
            : [
                <SinceTime key="a" word="Since acknowledged" at={row.acknowledgedAt} />,
                <Burned key="v" price={price} from={row.acknowledgedAt} to={end} />,
              ],
          ...(isRunning
            ? [
                [
                  "If nobody acts for 24 h",
                  <b key="day" className="text-crit">
                    {formatUsd(burnedMicros(price, 0, DAY_MS))} more
                  </b>,
                ] as const satisfies readonly [ReactNode, ReactNode],
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

function machineOf({ instance, row }: AlertAnswer): string {
  if (!instance || instance.gpus < 2) return instance?.name ?? row.targetName;
  return `${instance.name} with its ${instance.gpus} GPUs`;
}

function SinceTime({ word, at }: { word: string; at: number }) {
  return (
    <>
      {word}, <When at={at} />
    </>
  );
}

/** At the machine's last price, running on while it is open. */
function Burned({ price, from, to }: { price: bigint; from: number; to: number | null }) {
  return useClock((now) => formatUsd(burnedMicros(price, from, to ?? now)));
}
