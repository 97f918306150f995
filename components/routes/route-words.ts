import { formatUsd } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { RouteRow, RouteStep } from "@/lib/domain/notify/route-input";

/** Whole hours and days without what is zero after them. */
function spell(ms: number): string {
  return formatDuration(ms).replace(/\s(00\smin|0\sh)$/, "");
}

type Times = Pick<RouteRow, "groupBy" | "groupWaitMs" | "groupIntervalMs" | "repeatMs">;

/** "One message per alertname, team, after 30 s; news every 5 min, repeated every 4 h" */
export function timesText({ groupBy, groupWaitMs, groupIntervalMs, repeatMs }: Times): string {
  const by = groupBy.length === 0 ? "All in one message" : `One message per ${groupBy.join(", ")}`;
  const wait = groupWaitMs === 0 ? "at once" : `after ${spell(groupWaitMs)}`;
  return `${by}, ${wait}; news every ${spell(groupIntervalMs)}, repeated every ${spell(repeatMs)}`;
}

type Channels = readonly { id: string; name: string }[];

/** "after 15 min to managers" */
export function stepText(step: RouteStep, channels: Channels): string {
  const name = channels.find(({ id }) => id === step.channelId)?.name ?? "a channel that is gone";
  const when = step.afterMicros === null ? `after ${spell(step.afterMs ?? 0)}` : `at ${formatUsd(step.afterMicros)}`;
  return `${when} to ${name}`;
}

/** Both with the one at `index` moved by one; null where it stands at that end already. */
export function moved(ids: readonly string[], index: number, by: -1 | 1): string[] | null {
  const other = index + by;
  const [a, b] = [ids[index], ids[other]];
  if (a === undefined || b === undefined) return null;
  return ids.map((id, i) => (i === index ? b : i === other ? a : id));
}
