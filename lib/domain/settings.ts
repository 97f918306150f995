import { z } from "zod";
import { parseDecimal } from "./cost/decimal";
import { isZone } from "./cost/zone";
import { Guardrails, NO_GUARDRAILS } from "./intents/guardrails";
import { Mapping } from "./invoice/mapping";
import { SESSION_LIMITS } from "./people";
import { ProviderTargets } from "./plan/targets";

const MINUTE = 60_000;
const DAY = 24 * 3_600_000;

const SessionLimits = z
  .object({
    idleMs: z.coerce
      .number({ error: "Choose a time" })
      .int()
      .min(MINUTE)
      .max(30 * DAY),
    absoluteMs: z.coerce
      .number({ error: "Choose a time" })
      .int()
      .min(5 * MINUTE)
      .max(90 * DAY),
  })
  .refine(({ idleMs, absoluteMs }) => idleMs <= absoluteMs, {
    path: ["idleMs"],
    error: "A session cannot be idle for longer than it may last",
  });

const days = (least: number, most: number) =>
  z.coerce
    .number({ error: "Give a number of days" })
    .int("Give whole days")
    .min(least, `At least ${least} days`)
    .max(most, `At most ${most} days`);

/** Every setting that people may change, with its default. The key is the row's id. */
export const SETTINGS = {
  session: SessionLimits.default(SESSION_LIMITS),
  /** Whole days each level of telemetry is kept. */
  retention: z
    .object({ samplesDays: days(2, 400), distributionsDays: days(2, 400), hoursDays: days(30, 3650) })
    .default({ samplesDays: 60, distributionsDays: 60, hoursDays: 730 }),
  /** How much beyond what was expected of a day makes it an anomaly, in micro-dollars, as text. */
  anomalies: z.object({ minMicros: z.string().regex(/^\d{1,15}$/) }).default({ minMicros: "5000000" }),
  /** How the columns of each account's invoices were read last. */
  invoiceMapping: z.record(z.uuid(), Mapping).default({}),
  /** Where a sign of life is sent every minute: an outside checker that raises the alarm when it stays away. */
  heartbeat: z
    .object({ secretId: z.uuid().nullable(), host: z.string().max(300), setAt: z.number().default(0) })
    .default({ secretId: null, host: "", setAt: 0 }),
  /** When somebody looks although nobody was woken; in the zone of the accounts. */
  workingHours: z
    .object({
      days: z
        .array(z.coerce.number().int().min(1).max(7))
        .min(1, "Choose at least one day")
        .max(7)
        .transform((days) => [...new Set(days)].sort()),
      from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "is not a time like 09:00"),
    })
    .default({ days: [1, 2, 3, 4, 5], from: "09:00" }),
  /** In which zone days and months are accounted. */
  accounting: z
    .object({
      zone: z
        .string()
        .trim()
        .min(1, "Give a time zone")
        .max(60)
        .refine(isZone, "is not a time zone such as UTC or America/Los_Angeles"),
      /** Whether a running machine is billed by the price in force, or keeps the one at its launch. */
      price: z.enum(["current", "launch"]).default("current"),
    })
    .default({ zone: "UTC", price: "current" }),
  /** Which share of the spend each provider should have. */
  providerMix: z.object({ targets: ProviderTargets }).default({ targets: {} }),
  /** What may be launched without asking, and when a second person is asked. */
  guardrails: Guardrails.default(NO_GUARDRAILS),
  /** The one switch that stops all automation: since when, by whom and why. Null: it runs. */
  automation: z
    .object({ stoppedAt: z.number().nullable(), by: z.string().max(200), reason: z.string().max(500) })
    .default({ stoppedAt: null, by: "", reason: "" }),
  /** The one account that comes in with its password when all else is shut; null: there is none. */
  breakGlass: z.object({ userId: z.uuid().nullable(), sealedAt: z.number() }).default({ userId: null, sealedAt: 0 }),
} as const;

export type Settings = { [K in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[K]> };
export type SettingKey = keyof Settings;

const MICROS_PER_USD = 1_000_000n;

/** Dollars as people type them ("12,000", "0.20") in micro-dollars; null for nothing typed. */
export function usd(most: bigint) {
  return z
    .string()
    .trim()
    .transform((text, issues): bigint | null => {
      if (text === "") return null;
      try {
        const { numerator, denominator } = parseDecimal(text.replace(/^\$/, "").replace(/(?<=\d),(?=\d{3})/g, ""));
        const scaled = numerator * MICROS_PER_USD;
        if (scaled % denominator === 0n && scaled >= 0n && scaled / denominator <= most) return scaled / denominator;
      } catch {
        // Told below.
      }
      issues.addIssue({ code: "custom", message: "is not an amount of dollars such as 12000 or 0.20" });
      return z.NEVER;
    });
}

export const SessionChange = SETTINGS.session.unwrap();
export const RetentionChange = SETTINGS.retention.unwrap();
export const WorkingHoursChange = SETTINGS.workingHours.unwrap();
export const AccountingChange = SETTINGS.accounting.unwrap();

export const AnomalyChange = z
  .object({ least: usd(1_000_000n * MICROS_PER_USD) })
  .transform(({ least }, issues): Settings["anomalies"] => {
    if (least !== null) return { minMicros: least.toString() };
    issues.addIssue({ code: "custom", path: ["least"], message: "Give an amount; 0 shows everything that stands out" });
    return z.NEVER;
  });

export const StoragePriceChange = z
  .object({ gibMonth: usd(1_000n * MICROS_PER_USD) })
  .transform(({ gibMonth }, issues) => {
    if (gibMonth !== null) return { micros: gibMonth };
    issues.addIssue({ code: "custom", path: ["gibMonth"], message: "Give a price" });
    return z.NEVER;
  });
export type StoragePriceChange = z.output<typeof StoragePriceChange>;

// ── what pages and programs are answered ────────────────────────────────────

export type SettingsAnswer = {
  now: number;
  session: Settings["session"];
  retention: Settings["retention"];
  anomalies: Settings["anomalies"];
  accounting: Settings["accounting"];
  workingHours: Settings["workingHours"];
  /** Price of a GiB of storage for a month, and since when; null: never set, so storage is counted without a price. */
  storagePrice: { micros: string; since: number } | null;
};

export type ConnectionAnswer = {
  now: number;
  mode: "demo" | "real";
  /** Null until the worker has begun. */
  lambda: {
    name: string;
    baseUrl: string;
    keyLast4: string;
    mutateKeyLast4: string | null;
    lastPollAt: number | null;
    lastOkAt: number | null;
    staleSince: number | null;
    error: string | null;
    isFrozen: boolean;
    instances: number | null;
    tookMs: number | null;
    polls24h: number;
    failed24h: number;
    heldBackUntil: number | null;
    typesReadAt: number | null;
    eventsReadAt: number | null;
    eventsError: string | null;
  } | null;
  publicUrl: string;
  /** Why machines cannot report to the public address; null where nothing speaks against it. */
  publicUrlProblem: string | null;
};

export type TableSize = { table: string; bytes: number; rows: number; from: number | null };

export type HouseAnswer = {
  now: number;
  version: string;
  mode: "demo" | "real";
  database: { version: string; migrations: number; bytes: number };
  telemetry: TableSize[];
  backups: { folder: string; keepDays: number; kept: { name: string; madeAt: number; bytes: number }[] };
  jobs: { name: string; startedAt: number | null; error: string | null; errorSince: number | null }[];
};

/** Why a machine in somebody's data centre cannot report to an address. */
export function addressProblem(publicUrl: string, isLoopback: boolean): string | null {
  if (isLoopback) return "Only this machine can reach it. Set PUBLIC_URL to an address that your instances can reach.";
  if (publicUrl.startsWith("http://"))
    return "It is plain http: tokens and telemetry travel readable. Put a proxy with https before it and set PUBLIC_URL.";
  return null;
}
