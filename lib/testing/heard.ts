import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/client";
import type { writeSamples } from "@/lib/db/telemetry/write";
import { WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";

const MINUTE_MS = 60_000;
const NONE = Object.fromEntries(WIDE_METRICS.map((metric) => [metric, null])) as Record<WideMetric, null>;
const REST = { throttleReasons: null, eccUncorrected: null, missing: null, quality: null };

export type Heard = { sourceId: string; gpuId: number };

/** A machine of the simulator begins to report as if by its agent: one GPU on which no process was seen since `from`. */
export async function hear(
  { id: resourceId, intentId }: { id: string; intentId: string | null },
  from: number,
  now: number,
): Promise<Heard> {
  const at = new Date(now);
  const token =
    (intentId && (await prisma.token.findFirst({ where: { intentId } }))) ||
    (await prisma.token.create({
      data: {
        kind: "enrolment",
        name: "gh",
        resourceId,
        prefix: resourceId,
        secretHash: new Uint8Array(32),
        createdAt: at,
      },
    }));
  const { id: sourceId } = await prisma.telemetrySource.create({
    data: { tokenId: token.id, hostname: "gh", resourceId, firstSeenAt: at, lastReceivedAt: at },
  });
  const { id: gpuId } = await prisma.gpu.create({
    data: {
      uuid: `GPU-${randomUUID()}`,
      resourceId,
      sourceId,
      model: "NVIDIA GH200",
      memoryMib: 97_871,
      firstSeenAt: at,
    },
  });
  const lastSeenAt = new Date(now + 24 * 60 * MINUTE_MS);
  await prisma.gpuProcessSpan.create({ data: { gpuId, validFrom: new Date(from), lastSeenAt, processes: [] } });
  return { sourceId, gpuId };
}

/** What its sender says from an instant to another, once a minute and at the last. */
export function reports(
  { sourceId, gpuId }: Heard,
  utilizationPct: number,
  from: number,
  to: number,
): Parameters<typeof writeSamples>[0][number] {
  const ats = new Set([to]);
  for (let at = from; at < to; at += MINUTE_MS) ats.add(at);
  const values = { ...NONE, utilizationPct, memoryUsedMib: 10 };
  return { sourceId, rows: [...ats].sort((a, b) => a - b).map((at) => ({ gpuId, at, values, ...REST })) };
}
