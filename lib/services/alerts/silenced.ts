import { listFiring, listSilences } from "@/lib/db/alerts/silences";
import type { AlertRow } from "@/lib/domain/alerts/view";
import { labelsOf, silencedBy } from "@/lib/domain/silences/silence";

/** Which of the alerts that fire are kept back by a silence now, and by which; of several, the one that lasts longest. */
export async function silencesNow(now: Date): Promise<Map<string, NonNullable<AlertRow["silence"]>>> {
  const silences = await listSilences(now);
  if (silences.length === 0) return new Map();
  return new Map(
    (await listFiring()).flatMap((episode) => {
      const silence = silencedBy(silences, labelsOf(episode), now.getTime());
      return silence ? [[episode.alertId, { until: silence.endsAt, reason: silence.reason }] as const] : [];
    }),
  );
}
