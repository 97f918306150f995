import { rolledUpTo, rollUpSeries, setRolledUpTo } from "@/lib/db/workload/series";
import type { Ctx } from "@/lib/domain/access";
import { dueFrom } from "@/lib/domain/workload/hours";

/** Brings the hours of workload series up to their values. Whole hours replace whole hours, so a repetition is harmless. */
export async function rollUpWorkload({ now }: Ctx): Promise<void> {
  await rollUpSeries(dueFrom(await rolledUpTo(), now), now);
  await setRolledUpTo(now);
}
