import { automationPace, findStanding, isLastListingSuspect, machineStanding } from "@/lib/db/automation";
import { findConnection } from "@/lib/db/fleet/connection";
import { readSettingNow } from "@/lib/db/settings";
import { listLatest, listMinutes } from "@/lib/db/telemetry/read";
import { groupBy } from "@/lib/domain/group";
import { type AutomationFacts, type Judgement, judgeEnd, judgeLaunch, PACE_MS } from "@/lib/domain/intents/automatic";
import { peakOf } from "@/lib/domain/policies/quiet";
import { silentAfterMs } from "@/lib/domain/telemetry/sample";

const MINUTE_MS = 60_000;
/** The last ten whole minutes, and the part of one that began before them. */
const BUSY_MS = 11 * MINUTE_MS;
const INTERVAL_MS = 10_000;

async function houseFacts(policyId: string, now: Date): Promise<AutomationFacts> {
  const [automation, policy, connection] = await Promise.all([
    readSettingNow("automation"),
    findStanding(policyId),
    findConnection(),
  ]);
  return {
    now: now.getTime(),
    stopped: automation.stoppedAt === null ? null : { by: automation.by },
    policy,
    fleet: {
      lastOkAt: connection?.lastOkAt?.getTime() ?? null,
      isFrozen: connection?.mutationsFrozenAt != null || connection?.mutateFrozenAt != null,
      isSuspect: connection !== null && (await isLastListingSuspect(connection.id)),
    },
  };
}

export type EndQuestion = {
  policyId: string;
  resourceId: string;
  whileIdle: boolean;
  /** When it was asked for because it was idle; null: for another reason, or just now. */
  idleAskedAt: Date | null;
  includesOutside: boolean;
};

/** Whether a policy may end a machine now, by what is true now and not when it was asked for. */
export async function judgePolicyEnd(question: EndQuestion, now: Date): Promise<Judgement> {
  const { policyId, resourceId, whileIdle, idleAskedAt, includesOutside } = question;
  const [house, machine, gpus, minutes, pace] = await Promise.all([
    houseFacts(policyId, now),
    machineStanding(resourceId),
    listLatest([resourceId]),
    // What was measured at this very moment, or by a clock that is a little ahead, counts as well.
    whileIdle ? listMinutes([resourceId], new Date(now.getTime() - BUSY_MS), new Date(now.getTime() + MINUTE_MS)) : [],
    automationPace(new Date(now.getTime() - PACE_MS)),
  ]);
  if (!machine) return { kind: "drop", why: "The machine is not known here." };
  const heard = gpus.filter(
    (gpu) => gpu.at !== null && now.getTime() - gpu.at.getTime() <= silentAfterMs(gpu.intervalMs),
  );
  const perGpu = groupBy(minutes, ({ gpuId }) => String(gpuId));
  return judgeEnd({
    ...house,
    machine: {
      ...machine,
      newestSampleAt: Math.max(0, ...gpus.map((gpu) => gpu.at?.getTime() ?? 0)) || null,
      intervalMs: Math.max(INTERVAL_MS, ...gpus.map((gpu) => gpu.intervalMs)),
      gpus: Math.max(machine.gpus, new Set(gpus.map((gpu) => gpu.uuid)).size),
      gpusHeard: new Set(heard.map((gpu) => gpu.uuid)).size,
      peakPct: peakOf(
        [...perGpu.values()].map((own) => own.map((minute) => ({ ...minute, at: minute.at.getTime() }))),
        now.getTime(),
      ),
      idleSince: machine.idleSince?.getTime() ?? null,
    },
    whileIdle,
    idleAskedAt: idleAskedAt?.getTime() ?? null,
    includesOutside,
    pace,
  });
}

export type LaunchJudged = { policyId: string; priceMicros: bigint | null; maxMicros: bigint | null };

export async function judgePolicyLaunch(question: LaunchJudged, now: Date): Promise<Judgement> {
  const { policyId, priceMicros, maxMicros } = question;
  return judgeLaunch({ ...(await houseFacts(policyId, now)), priceMicros, maxMicros });
}
