import type { AlertRow } from "./alerts/view";
import type { Outlook } from "./cost/view";
import type { FleetAnswer } from "./fleet/view";

export type OverviewAnswer = {
  now: number;
  fleet: FleetAnswer;
  zone: string;
  day: string;
  utilization: { nowPct: number | null; p95Pct: number | null; dayMeanPct: number | null };
  memory: { usedMib: number | null; totalMib: number | null; instances: number };
  reporting: { reporting: number; silent: number; never: number };
  today: { micros: string; unknownRows: number };
  idle: { id: string; name: string; minutes: number; micros: string; kind: "empty" | "held" }[];
  idleMicros: string;
  outlook: Outlook;
  alerts: AlertRow[];
};
