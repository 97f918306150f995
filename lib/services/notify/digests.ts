import { listChannels } from "@/lib/db/alerts/channels";
import { enqueueAlone, isQueued } from "@/lib/db/alerts/outbox";
import { readSetting } from "@/lib/db/settings";
import type { Ctx } from "@/lib/domain/access";
import type { CostAnswer } from "@/lib/domain/cost/view";
import { type DueDigest, digestsDue } from "@/lib/domain/notify/digests";
import { readCost } from "@/lib/services/cost/month";
import type { DigestBody } from "./digest-text";

const MOST_PARTS = 5;

/** Queues the cost digests that are due, each once per channel and period, with the figures that the cost pages show. */
export async function queueDigests(ctx: Ctx): Promise<void> {
  const channels = (await listChannels()).filter(({ enabled, config }) => enabled && config.digests.length > 0);
  if (channels.length === 0) return;
  const { zone } = await readSetting("accounting");
  const now = ctx.now.getTime();
  const made = new Map<string, DigestBody>();
  for (const channel of channels) {
    for (const due of digestsDue(channel.config.digests, now, zone)) {
      const key = `digest:${due.digest}:${due.fromDay}:${channel.id}`;
      if (await isQueued(key)) continue;
      const body = made.get(`${due.digest}:${due.fromDay}`) ?? (await digestOf(ctx, due, zone));
      made.set(`${due.digest}:${due.fromDay}`, body);
      const item = { key, groupKey: key, channelId: channel.id, routeId: null, alertId: null, kind: "digest" as const };
      await enqueueAlone({ ...item, body: { ...body }, at: ctx.now, nextAt: ctx.now });
    }
  }
}

async function digestOf(ctx: Ctx, { digest, fromDay, toDay }: DueDigest, zone: string): Promise<DigestBody> {
  const months = [...new Set([fromDay.slice(0, 7), toDay.slice(0, 7)])];
  const answers = await Promise.all(months.map((month) => readCost(ctx, { month, by: "team" })));
  const current = await readCost(ctx, { by: "team" });
  const parts = new Map<string, bigint>();
  let unknownRows = 0;
  for (const answer of answers) {
    for (const day of answer.days) {
      if (day.day < fromDay || day.day > toDay) continue;
      unknownRows += day.unknownRows;
      addParts(parts, answer, day.micros);
    }
  }
  const total = [...parts.values()].reduce((sum, micros) => sum + micros, 0n);
  const sorted = [...parts].sort((a, b) => Number(b[1] - a[1]));
  return {
    digest,
    fromDay,
    toDay,
    zone,
    micros: total.toString(),
    unknownRows,
    monthToDateMicros: current.total.micros,
    forecastMicros: current.forecast?.micros ?? null,
    idleMicros: (BigInt(current.idle.emptyMicros) + BigInt(current.idle.heldMicros)).toString(),
    parts: sorted.slice(0, MOST_PARTS).map(([label, micros]) => ({ label, micros: micros.toString() })),
  };
}

function addParts(parts: Map<string, bigint>, answer: CostAnswer, micros: readonly (string | null)[]): void {
  for (const [i, part] of answer.parts.entries()) {
    const amount = micros[i];
    if (amount == null || amount === "0") continue;
    parts.set(part.label, (parts.get(part.label) ?? 0n) + BigInt(amount));
  }
}
