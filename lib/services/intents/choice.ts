import { listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import { dayOf } from "@/lib/domain/cost/zone";
import { readFilter } from "@/lib/domain/fleet/filter";
import type { MachineChoice } from "@/lib/domain/intents/change";
import { END_MOST } from "@/lib/domain/intents/many";
import { AppError } from "@/lib/errors";
import { instanceRows } from "@/lib/services/fleet/instances";

/** The machines that somebody chose; a filter that is not understood in full chooses nothing. */
export async function chosenIds({ instanceIds, filter }: MachineChoice, now: Date): Promise<string[]> {
  if (instanceIds.length > 0) return [...new Set(instanceIds)];
  const { matches, problems } = readFilter(filter);
  if (problems[0]) throw new AppError("invalid", `${problems[0]} Nothing was chosen.`, { filter: problems[0] });
  const { zone } = await readSetting("accounting");
  const rows = await instanceRows(await listInstances(dayOf(now.getTime(), zone), { goneSince: now }), now);
  const ids = rows.filter((row) => !row.isGone && matches(row, now.getTime())).map(({ id }) => id);
  if (ids.length === 0) throw new AppError("not-found", "No instance fits this filter now.");
  if (ids.length > END_MOST)
    throw new AppError("invalid", `${ids.length} instances fit; end at most ${END_MOST} at once.`);
  return ids;
}
