import { eventPlaces, listDeploys, listEvents, type StoredEvent } from "@/lib/db/events";
import { authorize, type Ctx } from "@/lib/domain/access";
import { incidentOf, xidInfo } from "@/lib/domain/events/incident";
import type { DeployMark, EventsAnswer, EventsQuestion } from "@/lib/domain/events/view";
import { windowOf } from "@/lib/domain/fleet/window";
import { groupBy } from "@/lib/domain/group";
import { type Burst, burstsOf, type XidEvent } from "@/lib/domain/xid/bursts";

/** Read at most so many lines of a window: the newest. */
const LINES_READ = 5_000;
const EARLIER_READ = 2_000;
const NOTES_READ = 200;
const DEPLOYS_READ = 200;
const HOUR_MS = 3_600_000;
const LOOK_BACK_MS = 7 * 24 * HOUR_MS;

/** The Xid incidents of a window, of the fleet, a machine or a GPU, each with its verdict; a machine's notes and deploys beside them. */
export async function readEvents(ctx: Ctx, question: EventsQuestion): Promise<EventsAnswer> {
  authorize(ctx, "fleet:read");
  const { instanceId, gpuId } = question;
  const { from, to } = windowOf(question, ctx.now.getTime());
  const scope = gpuId ? await scopeOfGpu(gpuId) : instanceId ? { resourceIds: [instanceId] } : {};
  const [stored, notes, deploys] = await Promise.all([
    // From an hour earlier, so that an incident which began before the window is whole.
    listEvents({ kind: "xid", from: from - HOUR_MS, to, limit: LINES_READ + 1, ...scope }),
    instanceId ? listEvents({ kind: "note", from, to, limit: NOTES_READ, resourceIds: [instanceId] }) : [],
    instanceId ? listDeploys(instanceId, from, to, DEPLOYS_READ) : [],
  ]);
  const isCut = stored.length > LINES_READ;
  const events = stored.slice(0, LINES_READ).map(xidEvent);
  const cutAt = isCut ? (events.at(-1)?.at ?? null) : null;
  const isAsked = (burst: Burst) => !gpuId || burst.events.some((event) => event.gpuId === gpuId);
  const bursts = burstsOf(events).filter(
    (burst) => burst.to >= from && isAsked(burst) && isAfter(burst, question.after),
  );
  const shown = bursts.slice(0, question.limit);
  const incidents = await readIncidents(shown, question.lines);
  const last = shown.at(-1);
  return {
    now: ctx.now.getTime(),
    from,
    to,
    incidents: incidents.map(({ incident }) => incident),
    next: bursts.length > shown.length && last ? `${last.from}:${last.machine}` : null,
    cutAt: cutAt !== null && cutAt > from ? cutAt : null,
    notes: notes.map(({ id, at, text, detail }) => ({
      id: id.toString(),
      at: at.getTime(),
      text: text ?? "",
      by: detail.by ?? "somebody",
    })),
    deploys: deploys.map(deployMark),
    codes: Object.fromEntries(
      incidents.flatMap(({ incident, model }) => incident.codes.map(({ code }) => [code, xidInfo(code, model)])),
    ),
  };
}

export function deployMark({ id, at, text, detail, resourceId }: StoredEvent): DeployMark {
  return {
    id: id.toString(),
    at: at.getTime(),
    name: text ?? "",
    by: detail.by ?? "a program",
    url: detail.url ?? null,
    isOfAll: resourceId === null,
  };
}

/** What came on other cards of the machine belongs to the same incident, and to its verdict. */
async function scopeOfGpu(gpuId: number): Promise<{ resourceIds: string[] } | { gpuId: number }> {
  const resourceId = (await eventPlaces([], [], [gpuId])).gpus.get(gpuId)?.resourceId;
  return resourceId ? { resourceIds: [resourceId] } : { gpuId };
}

async function readIncidents(bursts: readonly Burst[], linesTold: number) {
  const events = bursts.flatMap((burst) => burst.events);
  const ids = <T>(pick: (event: XidEvent) => T | null) => [...new Set(events.flatMap((event) => pick(event) ?? []))];
  const resourceIds = ids((event) => (event.machine.startsWith(SENDER) ? null : event.machine));
  const [places, earlier] = await Promise.all([
    eventPlaces(
      resourceIds,
      ids((event) => event.sourceId),
      ids((event) => event.gpuId),
    ),
    faultsBefore(bursts),
  ]);
  return bursts.map((burst) => {
    const name = places.instances.get(burst.machine);
    const instance = name === undefined ? null : { id: burst.machine, name };
    const incident = incidentOf(
      burst,
      earlier.get(burst.machine) ?? [],
      {
        instance,
        hosts: places.hosts,
        gpus: places.gpus,
      },
      linesTold,
    );
    return { incident, model: incident.cards.find((card) => card.model !== null)?.model ?? null };
  });
}

/** Xid 13 and 31 of the days before, of the machines that show one now: a repetition at one place suspects the hardware. */
async function faultsBefore(bursts: readonly Burst[]): Promise<Map<string, XidEvent[]>> {
  const isFault = ({ code }: XidEvent) => code === 13 || code === 31;
  const faulty = bursts.filter(({ machine, events }) => !machine.startsWith(SENDER) && events.some(isFault));
  if (faulty.length === 0) return new Map();
  const found = await listEvents({
    kind: "xid",
    from: Math.min(...faulty.map(({ from }) => from)) - LOOK_BACK_MS,
    to: Math.max(...faulty.map(({ from }) => from)),
    limit: EARLIER_READ,
    resourceIds: [...new Set(faulty.map(({ machine }) => machine))],
    codes: [13, 31],
  });
  return groupBy(found.map(xidEvent), (event) => event.machine);
}

function isAfter(burst: Burst, after: string | undefined): boolean {
  if (after === undefined) return true;
  const colon = after.indexOf(":");
  const from = Number(after.slice(0, colon));
  return burst.from < from || (burst.from === from && burst.machine > after.slice(colon + 1));
}

const SENDER = "sender ";

export function xidEvent({ id, at, code, resourceId, sourceId, gpuId, text, detail }: StoredEvent): XidEvent {
  return {
    id: id.toString().padStart(20, "0"),
    machine: resourceId ?? `${SENDER}${sourceId}`,
    at: at.getTime(),
    atIs: detail.atIs ?? "written",
    code: code ?? 0,
    seenBy: detail.seenBy ?? "kernel",
    isSinceBefore: detail.isSinceBefore ?? false,
    gpuId,
    busId: detail.busId ?? null,
    mig: detail.mig ?? "",
    text: text ?? "",
    pid: detail.pid ?? null,
    processName: detail.processName ?? null,
    sourceId,
  };
}
