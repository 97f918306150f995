import { z } from "zod";
import type { Severity } from "@/lib/domain/alerts/types";
import type { Status } from "./observe";
import { DEFAULT_PRESET, PRESETS } from "./window";
import type { Labels } from "./workloads";

/* What pages and programs are answered. Instants are epoch milliseconds, money is whole micro-dollars as text, missing is null. */

export type TelemetryState = "reporting" | "silent" | "never" | "failing" | "not_expected";

export type GpuNow = {
  id: number;
  position: number;
  uuid: string;
  mig: string;
  model: string;
  driverVersion: string | null;
  at: number | null;
  utilizationPct: number | null;
  memoryUsedMib: number | null;
  memoryTotalMib: number | null;
  temperatureC: number | null;
  memoryTemperatureC: number | null;
  powerW: number | null;
  powerLimitW: number | null;
  smClockMhz: number | null;
  throttle: string[];
  eccUncorrected: number | null;
  slowdownTemperatureC: number | null;
  /** Why a value is missing, in words, by metric. */
  missing: Record<string, string>;
  processes: { pid: number; name: string | null; usedMib: number | null; user: string | null }[] | null;
  processesAt: number | null;
};

export type InstanceRow = {
  id: string;
  externalId: string;
  name: string;
  hasName: boolean;
  status: Status;
  /** The provider's own word, where we do not know it. */
  rawStatus: string | null;
  isBilled: boolean;
  isGone: boolean;
  typeName: string | null;
  gpuModel: string | null;
  gpus: number;
  region: string;
  ip: string | null;
  labels: Labels;
  /** Whether this house launched it; else who did, if the provider says. */
  isOurs: boolean;
  launchedBy: string | null;
  firstSeenAt: number;
  activeSince: number | null;
  priceMicros: string | null;
  todayMicros: string | null;
  telemetry: { state: TelemetryState; at: number | null; intervalMs: number; error: string | null };
  utilizationPct: number | null;
  memoryUsedMib: number | null;
  memoryTotalMib: number | null;
  temperatureC: number | null;
  powerW: number | null;
  idle: { kind: "empty" | "held"; since: number } | null;
  alert: Severity | null;
  openIntent: { id: string; kind: "terminate" | "restart"; state: string; acceptedAt: number | null } | null;
  /** Why it runs, as its launch said; empty: nobody said. */
  purpose: string;
  leaseUntil: number | null;
  /** No automation ends it; null: it is not protected. */
  protection: { reason: string } | null;
};

export type Awaited = {
  id: string;
  name: string;
  typeName: string;
  region: string;
  state: string;
  createdAt: number;
  etaAt: number | null;
  error: string | null;
  by: string;
};

export type Freshness = {
  now: number;
  lastOkAt: number | null;
  staleSince: number | null;
  error: string | null;
  isFrozen: boolean;
};

export type FleetAnswer = {
  now: number;
  /** The accounting zone, in which "today" starts. */
  zone: string;
  freshness: Freshness;
  rows: InstanceRow[];
  /** Machines that are asked for and not listed yet. */
  awaited: Awaited[];
  totals: {
    instances: number;
    billed: number;
    gpusBilled: number;
    microsPerHour: string;
    unknownPrices: number;
    todayMicros: string;
  };
};

/** For the frame of every page. */
export type FleetStatus = {
  now: number;
  freshness: Freshness;
  instances: number;
  agents: { reporting: number; expected: number };
};

const instant = z.coerce.number().int().min(0).max(8.64e15);

/** A window as the URL says it: a preset that ends now, or two instants. What cannot be read counts as not said. */
export const WindowQuestion = z.object({
  range: z.enum(PRESETS).catch(DEFAULT_PRESET).default(DEFAULT_PRESET),
  from: instant.optional().catch(undefined),
  to: instant.optional().catch(undefined),
});
export type WindowQuestion = z.output<typeof WindowQuestion>;

export const InstancePageQuestion = WindowQuestion.extend({ instanceId: z.uuid() });
export type InstancePageQuestion = z.output<typeof InstancePageQuestion>;

export type Lifeline = {
  from: number;
  to: number;
  states: { status: string; from: number; to: number }[];
  prices: { micros: string | null; from: number; to: number }[];
  alerts: { id: string; name: string; severity: string; metric: string; from: number; to: number }[];
  marks: { at: number; text: string; by: string | null }[];
};

export type InstanceThreshold = { metric: string; value: number; label: string; severity: string };

export type InstanceAnswer = {
  now: number;
  row: InstanceRow;
  freshness: Freshness;
  gpus: GpuNow[];
  lifeline: Lifeline;
  thresholds: InstanceThreshold[];
  cost: {
    totalMicros: string;
    unknownRows: number;
    lowMicros: string;
    highMicros: string;
    todayMicros: string | null;
    days: { day: string; micros: string | null; minutes: number }[];
    from: number | null;
    to: number | null;
    evidence: { from: string; to: string } | null;
    isFlagged: boolean;
  };
  openAlerts: { id: string; name: string; severity: string; since: number; isAcknowledged: boolean }[];
  filesystems: { name: string; bytesUsed: string | null }[];
  labelHistory: {
    from: number;
    to: number | null;
    by: string;
    team: string;
    project: string;
    environment: string;
    costCenter: string;
    owner: string;
    workload: string;
  }[];
  tags: Record<string, string>;
  sshKeyNames: string[];
  privateIp: string | null;
  nominalMemoryGb: number | null;
};

export type Sparklines = { from: number; stepMs: number; lines: Record<string, (number | null)[]> };
