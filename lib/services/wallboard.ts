import { authorize, type Ctx, systemCtx } from "@/lib/domain/access";
import type { AlertRow } from "@/lib/domain/alerts/view";
import type { InstanceRow } from "@/lib/domain/fleet/view";
import { byNeed, type WallboardAnswer, type WallboardTile } from "@/lib/domain/wallboard";
import { readOverview } from "./overview";

const MOST_TILES = 80;
const MOST_ALERTS = 12;

/** The fleet for a screen that everybody in the room sees. Its token may read this and nothing else. */
export async function readWallboard(ctx: Ctx): Promise<WallboardAnswer> {
  authorize(ctx, "wallboard:read");
  const { fleet, utilization, idle, idleMicros, alerts } = await readOverview(systemCtx("wallboard", ctx.now));
  const present = fleet.rows.filter((row) => !row.isGone);
  const tiles = present.map(tileOf).sort(byNeed);
  const firing = alerts.filter((alert) => alert.status === "firing" || alert.status === "unknown");
  const { instances, gpusBilled, microsPerHour, unknownPrices, todayMicros } = fleet.totals;
  return {
    now: ctx.now.getTime(),
    name: ctx.actor.kind === "token" ? ctx.actor.name : "Wallboard",
    freshness: fleet.freshness,
    totals: { instances, gpusBilled, microsPerHour, unknownPrices, todayMicros },
    utilizationPct: utilization.nowPct,
    idle: {
      instances: present.filter((row) => row.idle !== null).length,
      todayMicros: idle.length === 0 ? "0" : idleMicros,
    },
    alerts: {
      critical: firing.filter(({ severity }) => severity === "critical").length,
      warning: firing.filter(({ severity }) => severity === "warning").length,
      shown: firing.slice(0, MOST_ALERTS).map(alertOf),
    },
    tiles: tiles.slice(0, MOST_TILES),
    more: Math.max(0, tiles.length - MOST_TILES),
  };
}

/* Field by field: what is not named here does not reach the screen. */

function tileOf(row: InstanceRow): WallboardTile {
  const { id, name, status, typeName, gpus, region, isBilled, utilizationPct, alert, idle } = row;
  const { memoryUsedMib, memoryTotalMib, temperatureC, telemetry, openIntent } = row;
  return {
    id,
    name,
    status,
    typeName,
    gpus,
    region,
    isBilled,
    utilizationPct,
    memoryUsedMib,
    memoryTotalMib,
    temperatureC,
    alert,
    idle,
    telemetry: { state: telemetry.state, at: telemetry.at, intervalMs: telemetry.intervalMs },
    openIntent: openIntent && { kind: openIntent.kind },
  };
}

function alertOf({ id, ruleName, targetName, severity, firedAt, acknowledgedAt }: AlertRow) {
  return { id, ruleName, targetName, severity, firedAt, isAcknowledged: acknowledgedAt !== null };
}
