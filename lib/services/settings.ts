import { reopenLedger } from "@/lib/db/cost/observations";
import { closedMonths } from "@/lib/db/cost/periods";
import { currentPrice, setPrice } from "@/lib/db/cost/prices";
import { EVERY_REGION } from "@/lib/db/fleet/catalog";
import { findConnection, pollStats } from "@/lib/db/fleet/connection";
import { mutate, type Tx } from "@/lib/db/mutate";
import { nextAt } from "@/lib/db/rate-limit";
import { forgetSetting, readSettingNow, writeSetting } from "@/lib/db/settings";
import { authorize, type Ctx, type Permission } from "@/lib/domain/access";
import {
  addressProblem,
  type ConnectionAnswer,
  type SettingKey,
  type Settings,
  type SettingsAnswer,
  type StoragePriceChange,
} from "@/lib/domain/settings";
import { env, isLoopback } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { STORAGE_SKU } from "./cost/meter";
import { readFreshness } from "./fleet/freshness";
import { callsKey } from "./fleet/lambda";

const DAY_MS = 24 * 3_600_000;
/** Waiting longer than this is more than taking one's turn. */
const TURN_MS = 5_000;

const STORAGE = { provider: "lambda", sku: STORAGE_SKU, region: EVERY_REGION, unit: "gib_month" } as const;

/** Everything that people have set, or its default. */
export async function readSettings(ctx: Ctx): Promise<SettingsAnswer> {
  authorize(ctx, "fleet:read");
  const [session, retention, anomalies, accounting, workingHours, price] = await Promise.all([
    readSettingNow("session"),
    readSettingNow("retention"),
    readSettingNow("anomalies"),
    readSettingNow("accounting"),
    readSettingNow("workingHours"),
    currentPrice(STORAGE),
  ]);
  return {
    now: ctx.now.getTime(),
    session,
    retention,
    anomalies,
    accounting,
    workingHours,
    storagePrice: price && { micros: price.micros.toString(), since: price.recordedAt.getTime() },
  };
}

/** How we reach Lambda and how machines reach us. Of the keys only their last four characters are known here. */
export async function readConnection(ctx: Ctx): Promise<ConnectionAnswer> {
  authorize(ctx, "fleet:read");
  const connection = await findConnection();
  const { publicUrl, mode } = env;
  const answer = {
    now: ctx.now.getTime(),
    mode,
    publicUrl,
    publicUrlProblem: mode === "demo" ? null : addressProblem(publicUrl, isLoopback(publicUrl)),
  };
  if (!connection) return { ...answer, lambda: null };
  const [stats, freshness, turn] = await Promise.all([
    pollStats(connection.id, new Date(ctx.now.getTime() - DAY_MS)),
    readFreshness(ctx.now),
    nextAt(callsKey(connection.id)),
  ]);
  const at = (date: Date | null) => date?.getTime() ?? null;
  return {
    ...answer,
    lambda: {
      name: connection.name,
      baseUrl: connection.baseUrl,
      keyLast4: connection.keyLast4,
      mutateKeyLast4: connection.mutateKeyLast4,
      lastPollAt: at(connection.lastPollAt),
      lastOkAt: at(connection.lastOkAt),
      staleSince: freshness.staleSince,
      error: connection.staleSince ? connection.lastError : null,
      isFrozen: connection.mutationsFrozenAt !== null || connection.mutateFrozenAt !== null,
      instances: stats.instances,
      tookMs: stats.tookMs,
      polls24h: stats.polls,
      failed24h: stats.failed,
      heldBackUntil: turn && turn.getTime() - ctx.now.getTime() > TURN_MS ? turn.getTime() : null,
      typesReadAt: at(connection.typesReadAt),
      eventsReadAt: at(connection.eventsReadAt),
      eventsError: connection.eventsError,
    },
  };
}

export function changeSessionLimits(ctx: Ctx, limits: Settings["session"]): Promise<Settings["session"]> {
  return changeSetting(ctx, "setting:write", "session", limits, "Session limits");
}

export function changeRetention(ctx: Ctx, retention: Settings["retention"]): Promise<Settings["retention"]> {
  return changeSetting(ctx, "setting:write", "retention", retention, "Retention");
}

/** What is left out of the list of anomalies; whoever is told of one sets that in the rule. */
export function changeAnomalies(ctx: Ctx, anomalies: Settings["anomalies"]): Promise<Settings["anomalies"]> {
  return changeSetting(ctx, "budget:write", "anomalies", anomalies, "Anomalies");
}

/** By when somebody looks although nobody was woken: what an alert costs until then stands on its page. */
export function changeWorkingHours(ctx: Ctx, hours: Settings["workingHours"]): Promise<Settings["workingHours"]> {
  return changeSetting(ctx, "rule:write", "workingHours", hours, "Working hours");
}

/** Days are cut anew in the other zone, also those of machines that are long gone; days of closed months cannot be. */
export async function changeAccountingZone(
  ctx: Ctx,
  accounting: Settings["accounting"],
): Promise<Settings["accounting"]> {
  authorize(ctx, "price:write");
  const { zone } = await readSettingNow("accounting");
  if (accounting.zone !== zone && (await closedMonths()).size > 0)
    throw new AppError("invalid", `Months are closed in ${zone}, and their days stay. The zone was not changed.`, {
      zone: `Months are closed in ${zone}: their days stay`,
    });
  return changeSetting(ctx, "price:write", "accounting", accounting, "Accounting time zone", (tx) => reopenLedger(tx));
}

const ACTIONS: Record<SettingKey, `${string}.${string}`> = {
  session: "setting.changed",
  retention: "setting.changed",
  accounting: "setting.changed",
  anomalies: "setting.changed",
  heartbeat: "heartbeat.set",
  invoiceMapping: "setting.changed",
  guardrails: "guardrails.changed",
  automation: "automation.stopped",
  breakGlass: "person.glass-sealed",
  providerMix: "setting.changed",
  workingHours: "setting.changed",
};

/** Writes a setting with its trail. */
export async function changeSetting<K extends SettingKey>(
  ctx: Ctx,
  permission: Permission,
  key: K,
  value: Settings[K],
  subject: string,
  also?: (tx: Tx) => Promise<void>,
): Promise<Settings[K]> {
  const result = await mutate(ctx, permission, async (tx) => {
    const before = await readSettingNow(key, tx);
    await writeSetting(tx, key, value, ctx.now);
    await also?.(tx);
    return {
      action: ACTIONS[key],
      subjectKind: "setting",
      subjectId: key,
      subject,
      before,
      after: value,
      result: value,
    };
  });
  forgetSetting(key);
  return result;
}

/** Sets what a GiB of storage costs for a month, from now on; the first price also holds for what was metered before. */
export async function changeStoragePrice(ctx: Ctx, { micros }: StoragePriceChange): Promise<{ micros: string }> {
  const taken = new AppError("conflict", "The price was set a moment ago by somebody else. Look at it and try again.");
  try {
    return await mutate(ctx, "price:write", async (tx) => {
      const before = await currentPrice(STORAGE, tx);
      if (before && before.micros !== micros && before.validFrom >= ctx.now) throw taken;
      await setPrice(tx, { ...STORAGE, micros }, ctx.now);
      await reopenLedger(tx, "filesystem");
      return {
        action: "price.set",
        subjectKind: "price",
        subjectId: STORAGE_SKU,
        subject: "Storage",
        before: { microsPerGibMonth: before?.micros ?? null },
        after: { microsPerGibMonth: micros },
        result: { micros: micros.toString() },
      };
    });
  } catch (error) {
    if ((error as { code?: string }).code === "P2002") throw taken;
    throw error;
  }
}
