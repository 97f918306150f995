import type { Severity } from "./alerts/types";
import type { Freshness, InstanceRow } from "./fleet/view";

/** What a screen on the wall shows: machines and money, nobody's name. */
export type WallboardTile = Pick<
  InstanceRow,
  | "id"
  | "name"
  | "status"
  | "typeName"
  | "gpus"
  | "region"
  | "isBilled"
  | "utilizationPct"
  | "memoryUsedMib"
  | "memoryTotalMib"
  | "temperatureC"
  | "alert"
> & {
  telemetry: Pick<InstanceRow["telemetry"], "state" | "at" | "intervalMs">;
  idle: InstanceRow["idle"];
  openIntent: { kind: "terminate" | "restart" } | null;
};

export type WallboardAlert = {
  id: string;
  ruleName: string;
  targetName: string;
  severity: Severity;
  firedAt: number | null;
  isAcknowledged: boolean;
};

export type WallboardAnswer = {
  now: number;
  /** What this screen was called when its link was made. */
  name: string;
  freshness: Freshness;
  totals: { instances: number; gpusBilled: number; microsPerHour: string; unknownPrices: number; todayMicros: string };
  utilizationPct: number | null;
  idle: { instances: number; todayMicros: string };
  alerts: { critical: number; warning: number; shown: WallboardAlert[] };
  /** Those that need somebody first. */
  tiles: WallboardTile[];
  more: number;
};

const RANK: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };

/** What needs somebody stands first: what fires, what is silent, what idles, then by name. */
export function byNeed(a: WallboardTile, b: WallboardTile): number {
  return needOf(a) - needOf(b) || a.name.localeCompare(b.name, "en");
}

function needOf({ alert, status, telemetry, idle }: WallboardTile): number {
  if (alert !== null) return RANK[alert];
  if (status === "unhealthy") return 0;
  if (telemetry.state === "silent" || telemetry.state === "failing") return 3;
  return idle ? 4 : 5;
}
