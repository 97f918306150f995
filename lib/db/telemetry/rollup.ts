import { groupBy } from "@/lib/domain/group";
import { alone } from "./alone";
import { BUCKET_MS, distributeFleet } from "./distributions";
import { HOUR_MS, hourOf } from "./hours";
import { resealGpus, sealedOf } from "./seal";

const MARKS_AT_ONCE = 10_000;

/**
 * Derives distributions anew where samples came in, and seals again what was sealed before they came, in the transaction that
 * takes the marks. Whole values replace whole values, so a repetition is harmless. Says whether marks are left that were there
 * before: those that come meanwhile are for the next time, for a fleet marks its five minutes without a pause.
 */
export async function rollUpMarked(): Promise<boolean> {
  return alone(async (client) => {
    // As text: nearly always nobody asks which GPUs they were.
    const { rows: marks } = await client.query<{ bucket: Date; gpuIds: string }>(
      `delete from telemetry_mark where id in (select id from telemetry_mark order by id limit $1 for update skip locked)
       returning bucket, array_to_string(gpu_ids, ',') as "gpuIds"`,
      [MARKS_AT_ONCE],
    );
    if (marks.length === 0) return false;
    const byHour = groupBy(marks, ({ bucket }) => hourOf(bucket.getTime()));
    for (const hour of await sealedOf(client, [...byHour.keys()])) {
      const gpuIds = new Set(byHour.get(hour)?.flatMap((mark) => mark.gpuIds.split(",").map(Number)));
      await resealGpus(client, hour, [...gpuIds]);
    }
    await distributeFleet(client, [...new Set(marks.map(({ bucket }) => bucket.getTime()))]);
    return marks.length === MARKS_AT_ONCE;
  });
}

/** Derives the fleet's distributions of [from, to) anew: after a bulk load, and to check that they are what they should be. */
export async function rollUpRange(from: Date, to: Date): Promise<void> {
  for (let hour = hourOf(from.getTime()); hour < to.getTime(); hour += HOUR_MS) {
    const buckets = Array.from({ length: HOUR_MS / BUCKET_MS }, (_, i) => hour + i * BUCKET_MS).filter(
      (bucket) => bucket + BUCKET_MS > from.getTime() && bucket < to.getTime(),
    );
    await alone((client) => distributeFleet(client, buckets));
  }
}
