import { machineGpus } from "@/lib/db/telemetry/groups";
import { readColumns } from "@/lib/db/telemetry/hours";
import { listDropped, listRefusals, machineSenders } from "@/lib/db/telemetry/refusals";
import { authorize, type Ctx } from "@/lib/domain/access";
import { countQuality, type QualityAnswer, type RefusalsAnswer } from "@/lib/domain/telemetry/quality";

const DAY_MS = 24 * 3_600_000;

/** What senders sent in vain since yesterday, and what they threw away themselves. */
export async function readRefusals(ctx: Ctx): Promise<RefusalsAnswer> {
  authorize(ctx, "fleet:read");
  const since = yesterday(ctx);
  const [rows, dropped] = await Promise.all([listRefusals(since, null), listDropped(null)]);
  return { now: ctx.now.getTime(), since: since.getTime(), rows, dropped };
}

/** How good the last day's samples of one machine are: what they lack and why, what came late, and what was not stored. */
export async function readQuality(ctx: Ctx, { instanceId }: { instanceId: string }): Promise<QualityAnswer> {
  authorize(ctx, "fleet:read");
  const to = ctx.now.getTime();
  const from = to - DAY_MS;
  const since = yesterday(ctx);
  const gpus = await machineGpus(instanceId);
  const [samples, rows, dropped, senders] = await Promise.all([
    readColumns(
      gpus.map((gpu) => gpu.id),
      ["missing", "quality"],
      from,
      to,
    ),
    listRefusals(since, instanceId),
    listDropped(instanceId),
    machineSenders(instanceId),
  ]);
  const begins = [
    ...senders.map((sender) => sender.firstSeenAt.getTime()),
    ...[...samples.values()].map((gpu) => gpu.at[0] ?? to),
  ];
  const first = Math.max(from, Math.min(to, ...begins));
  const intervalMs = Math.min(60_000, ...senders.map((sender) => sender.intervalMs));
  return {
    now: to,
    from,
    to,
    refusedSince: since.getTime(),
    expected: Math.round((to - first) / intervalMs),
    gpus: gpus.map(({ id, position, mig }) => {
      const [missing, quality] = samples.get(id)?.columns ?? [];
      return { id, position, mig, ...countQuality(missing ?? [], quality ?? []) };
    }),
    rows,
    dropped,
  };
}

/** Refusals are counted by the day. */
function yesterday({ now }: Ctx): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) - 1) * DAY_MS);
}
