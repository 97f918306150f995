import { forgetJudgements } from "@/lib/db/alerts/judgements";
import { forgetXids } from "@/lib/db/events";
import { forgetOld } from "@/lib/db/people";
import { readSetting } from "@/lib/db/settings";
import { ensurePartitions } from "@/lib/db/telemetry/partitions";
import { store } from "@/lib/db/telemetry/store";
import { forgetSeries } from "@/lib/db/workload/series";
import type { Ctx } from "@/lib/domain/access";
import { HOT_MS } from "@/lib/domain/telemetry/sample";

const DAY_MS = 24 * 3_600_000;
const AHEAD_DAYS = 10;
/** Samples up to 48 h late are taken, so their partitions must be there. */
const BEHIND_DAYS = 3;
const TRIES_DAYS = 1;
/** Longer than any session may last. */
const SESSIONS_DAYS = 91;

/** Makes the partitions of the days to come and drops those beyond retention; forgets old tries and sessions. */
export async function prune({ now }: Ctx): Promise<void> {
  const at = now.getTime();
  await ensurePartitions(new Date(at - BEHIND_DAYS * DAY_MS), new Date(at + AHEAD_DAYS * DAY_MS));
  const keep = await readSetting("retention");
  const before = (days: number) => new Date(at - days * DAY_MS);
  await store.drop({
    hot: new Date(at - HOT_MS),
    samples: before(keep.samplesDays),
    distributions: before(keep.distributionsDays),
    hours: before(keep.hoursDays),
  });
  await forgetSeries(before(keep.hoursDays));
  await forgetXids(before(keep.hoursDays));
  await forgetJudgements(before(keep.samplesDays));
  await forgetOld(before(TRIES_DAYS), before(SESSIONS_DAYS));
}
