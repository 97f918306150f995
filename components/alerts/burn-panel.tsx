"use client";

import type { ReactNode } from "react";
import { useLive } from "@/components/page/use-live";
import { useClock } from "@/components/ui/clock";
import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import type { AlertAnswer, AlertBurn } from "@/lib/domain/alerts/view";
import { burnedMicros } from "@/lib/domain/cost/burn";
import { formatUsd, formatUsdBurn, formatUsdRate } from "@/lib/domain/format";
import { formatClock, zoneName } from "@/lib/domain/format-time";
import { alertQuery } from "@/lib/queries/alerts";
import { When } from "./when";

/** What the machine has cost by the ledger since the condition began, since it fired, since somebody took it. */
export function BurnPanel({ alertId }: { alertId: string }) {
  const { data } = useLive(alertQuery({ alertId }));
  const { row, burn } = data;
  if (burn === null) {
    return (
      <Panel title="Burn meter" className="is-burn">
        <p className="muted">This alert names no machine, so no meter runs for it.</p>
      </Panel>
    );
  }
  if (burn.sinceActive === null) {
    return (
      <Panel title="Burn meter" className="is-burn">
        <p className="muted">The price of {row.targetName} is unknown, so nobody can say what this has cost.</p>
      </Panel>
    );
  }
  const rate = burn.microsPerHour;
  return (
    <Panel
      title="Burn meter"
      className="is-burn"
      actions={
        burn.stands === null ? (
          <span className="status font-medium text-crit">
            <i className="live-dot text-crit-mark" />
            running
          </span>
        ) : (
          <span className="muted">{STANDS[burn.stands]}</span>
        )
      }
    >
      <p className="burn-figure">
        <Burned burn={burn} micros={burn.sinceActive} />
      </p>
      <p className="burn-about">
        spent on {machineOf(data)} since the condition began at <When at={row.activeAt} />
      </p>
      <Facts
        rows={[
          [
            "Rate now",
            rate === null ? (
              "not billed"
            ) : (
              <>
                <b>{formatUsdBurn(rate)}</b> · {formatUsdRate(rate)}
              </>
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
                <Burned key="v" burn={burn} micros={burn.sinceFired} />,
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
                <Burned key="v" burn={burn} micros={burn.sinceAcknowledged} />,
              ],
          ...(burn.ahead
            ? [
                [
                  <span key="by">
                    If nobody acts by <Working ahead={burn.ahead} />
                  </span>,
                  <b key="day" className="text-crit">
                    {formatUsd(burn.ahead.micros)} more
                  </b>,
                ] as const satisfies readonly [ReactNode, ReactNode],
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

const STANDS = {
  resolved: "stopped: it resolved",
  terminated: "stopped: the machine has ended",
  "not billed": "not billed now",
} as const;

/** "Mon 09:00 UTC": the next working day, where the books are kept. */
function Working({ ahead: { until, zone } }: { ahead: NonNullable<AlertBurn["ahead"]> }) {
  const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", timeZone: zone }).format(until);
  return (
    <time
      dateTime={new Date(until).toISOString()}
      title="When the next working day begins, in the accounting zone; set in Settings, Channels"
    >
      {day} {formatClock(until, zone)} {zoneName(until, zone)}
    </time>
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

/** By the ledger up to the last answer, and on from there at the rate of now while the meter runs. */
function Burned({ burn, micros }: { burn: AlertBurn; micros: string | null }) {
  return useClock((now) => {
    if (micros === null) return "unknown";
    if (burn.microsPerHour === null) return formatUsd(micros);
    return formatUsd(BigInt(micros) + (burnedMicros(BigInt(burn.microsPerHour), burn.at, now) ?? 0n));
  });
}
