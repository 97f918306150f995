import { findSourceOf } from "@/lib/db/demo";
import { listCards } from "@/lib/db/telemetry/identity";
import { groupBy } from "@/lib/domain/group";
import { parseKernelLog } from "@/lib/domain/xid/kernel-log";
import { findPlace } from "@/lib/domain/xid/place";
import { recordSightings } from "@/lib/services/events/record";
import { readKernelLogs } from "./history";
import type { Guests } from "./samples";

/** The Xid lines of the demo's past, as the agents of its machines would have sent them. */
export async function loadEvents(guests: Guests, adminUrl: string, from: number, to: number): Promise<void> {
  const logs = groupBy(await readKernelLogs(adminUrl, from, to), ({ instanceId }) => instanceId);
  for (const [instanceId, lines] of logs) {
    const resourceId = guests.get(instanceId)?.resourceId;
    const source = resourceId === undefined ? null : await findSourceOf(resourceId);
    if (!source) continue;
    const cards = await listCards(source);
    await recordSightings(
      source,
      parseKernelLog(lines.map(({ line }) => line).join("\n"), to),
      (place) => findPlace(place, cards)?.id ?? null,
      new Date(to),
    );
  }
}
