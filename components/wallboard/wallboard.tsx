"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useSyncExternalStore } from "react";
import { BrandMark } from "@/components/shell/brand-mark";
import { useClockCorrection } from "@/components/ui/clock";
import { cx } from "@/components/ui/cx";
import { KeyFigure } from "@/components/ui/key-figure";
import { Note } from "@/components/ui/note";
import { Empty, Loading, NoPermission } from "@/components/ui/states";
import { StatusBadge } from "@/components/ui/status";
import { Age, ClockTime } from "@/components/ui/time";
import { formatCount, formatPercent, formatUsd, formatUsdRate, splitUnit } from "@/lib/domain/format";
import type { WallboardAlert, WallboardAnswer } from "@/lib/domain/wallboard";
import { AnswerError } from "@/lib/queries/fetch";
import { wallboardQuery } from "@/lib/queries/wallboard";
import { Tile } from "./tile";

const OLD_MS = 60_000;

/** The fleet, what fires and what burns, readable from across the room. */
export function Wallboard() {
  const token = useToken();
  if (token === null) return <Frame name="Wallboard">{null}</Frame>;
  if (token === "")
    return (
      <Frame name="Wallboard">
        <NoPermission
          title="This address has no token"
          text="An admin makes a wallboard link in Settings, Tokens. Open the whole of it."
        />
      </Frame>
    );
  return <Board token={token} />;
}

/** What stands after the # of the address; null until the browser has been asked. */
function useToken(): string | null {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("hashchange", changed);
      return () => window.removeEventListener("hashchange", changed);
    },
    () => window.location.hash.slice(1),
    () => null,
  );
}

function Board({ token }: { token: string }) {
  const { data, error } = useQuery(wallboardQuery(token));
  useClockCorrection(data?.now);
  if (error instanceof AnswerError && (error.status === 401 || error.status === 403))
    return (
      <Frame name="Wallboard">
        <NoPermission
          title="This link is not good any more"
          text="It was revoked, or its time has come. An admin can make a new one."
        />
      </Frame>
    );
  if (!data)
    return (
      <Frame name="Wallboard">
        {error ? <Note tone="crit">{error.message}</Note> : <Loading rows={8} rowHeight={48} />}
      </Frame>
    );
  const firing = data.alerts.critical + data.alerts.warning;
  return (
    <Frame name={data.name} now={data.now} isLost={error !== null}>
      <Figures data={data} />
      {data.alerts.shown.length > 0 && (
        <ul className="wall-alerts" aria-label="What fires">
          {data.alerts.shown.map((alert) => (
            <AlertLine key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
      {firing > data.alerts.shown.length && (
        <p className="muted wall-more">and {formatCount(firing - data.alerts.shown.length, "more alert")}</p>
      )}
      {data.tiles.length === 0 ? (
        <Empty title="No instance runs" text="As soon as Lambda lists one, it stands here." />
      ) : (
        <ul className="wall-tiles" aria-label="Instances">
          {data.tiles.map((tile) => (
            <Tile key={tile.id} tile={tile} />
          ))}
        </ul>
      )}
      {data.more > 0 && (
        <p className="muted wall-more">and {formatCount(data.more, "more instance")}, nothing wrong with them</p>
      )}
    </Frame>
  );
}

function Figures({ data }: { data: WallboardAnswer }) {
  const { totals, alerts, idle, freshness } = data;
  const isOld = freshness.staleSince !== null && data.now - freshness.staleSince > OLD_MS;
  const utilization = splitUnit(formatPercent(data.utilizationPct));
  return (
    <section className="wall-figures" aria-label="The fleet in numbers">
      <KeyFigure
        label="Burning"
        value={formatUsdRate(totals.microsPerHour).replace("/h", "")}
        unit="/h"
        note={
          totals.unknownPrices > 0
            ? `and ${formatCount(totals.unknownPrices, "unknown price")}`
            : `${formatUsd(totals.todayMicros)} today`
        }
        isStale={isOld}
      />
      <KeyFigure
        label="Instances"
        value={totals.instances}
        note={formatCount(totals.gpusBilled, "GPU billed", "GPUs billed")}
        isStale={isOld}
      />
      <KeyFigure
        label="Utilisation"
        value={utilization.value}
        unit={utilization.unit ?? undefined}
        note="mean of GPUs that report"
      />
      <KeyFigure label="Idle" value={idle.instances} note={`${formatUsd(idle.todayMicros)} today`} />
      <KeyFigure
        label="Firing"
        value={
          <span className={alerts.critical > 0 ? "text-crit" : alerts.warning > 0 ? "text-warn" : undefined}>
            {alerts.critical + alerts.warning}
          </span>
        }
        note={
          alerts.critical + alerts.warning === 0
            ? "all quiet"
            : `${alerts.critical} critical, ${formatCount(alerts.warning, "warning")}`
        }
      />
      {isOld && freshness.lastOkAt !== null && (
        <p className="wall-old">
          Lambda was last heard <Age at={freshness.lastOkAt} />
        </p>
      )}
    </section>
  );
}

function AlertLine({ alert }: { alert: WallboardAlert }) {
  const tone = alert.severity === "critical" ? "firingCritical" : "firingWarning";
  return (
    <li className={cx("wall-alert", `is-${alert.severity}`)}>
      <StatusBadge of={tone}>{alert.severity === "critical" ? "Critical" : "Warning"}</StatusBadge>
      <b>{alert.targetName}</b>
      <span className="ellipsis">{alert.ruleName}</span>
      <span className="muted wall-since">
        {alert.isAcknowledged && "acknowledged, "}
        {alert.firedAt !== null && <Age at={alert.firedAt} />}
      </span>
    </li>
  );
}

type FrameProps = { name: string; now?: number; isLost?: boolean; children: ReactNode };

function Frame({ name, now, isLost = false, children }: FrameProps) {
  return (
    <main className="wall">
      <header className="wall-head">
        <BrandMark />
        <h1>{name}</h1>
        {now !== undefined && (
          <span className={isLost ? "text-crit" : "muted"} role="status">
            {isLost ? "The server does not answer; last heard " : "as of "}
            <ClockTime at={now} />
          </span>
        )}
      </header>
      {children}
    </main>
  );
}
