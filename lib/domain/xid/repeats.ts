import { type Burst, burstsOf, cardOf, type XidEvent } from "./bursts";

const LOOK_BACK_MS = 7 * 86_400_000;
const UNIT = /GPC (\d{1,3}), TPC (\d{1,3})/i;

/**
 * How often an Xid 13 or 31 came at the one place of `events`, or null where it is no repetition: it came once, from one process,
 * or at other places of the machine too. One process and one incident count once, however many lines they wrote.
 */
export function isRepeated(
  code: 13 | 31,
  burst: Burst,
  events: readonly XidEvent[],
  earlier: readonly XidEvent[],
): number | null {
  const before = earlier.filter(
    (event) => event.machine === burst.machine && event.at < burst.from && event.at >= burst.from - LOOK_BACK_MS,
  );
  const all = [...burstsOf(before), burst].flatMap((each) =>
    each.events.filter((event) => event.code === code).map((event) => ({ event, from: each.from })),
  );
  const places = new Set(all.map(({ event }) => placeOf(event)));
  const [place] = places;
  if (places.size !== 1 || place == null || !events.some((event) => placeOf(event) === place)) return null;
  const pids = new Set(all.flatMap(({ event }) => event.pid ?? []));
  // A line without a pid may be of a process that another line of its incident names.
  const named = new Set(all.filter(({ event }) => event.pid !== null).map(({ from }) => from));
  const nameless = new Set(all.map(({ from }) => from).filter((from) => !named.has(from)));
  const distinct = pids.size + nameless.size;
  return distinct >= 2 ? distinct : null;
}

/** Where NVIDIA's workflow looks: at the TPC for 13, at the card for 31. Null where the line does not say. */
function placeOf(event: XidEvent): string | null {
  const card = cardOf(event);
  if (card === "unknown") return null;
  if (event.code === 31) return card;
  const unit = UNIT.exec(event.text);
  return unit ? `${card} GPC ${unit[1]} TPC ${unit[2]}` : null;
}
