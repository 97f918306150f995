import { listInstances } from "@/lib/db/fleet/read";
import { listProfiles } from "@/lib/db/plan/profile";
import { runsOf } from "@/lib/db/policies/acts";
import { listPastMachines } from "@/lib/db/policies/past";
import { readSetting } from "@/lib/db/settings";
import { paidMinutes } from "@/lib/db/workload/runs";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf, dayRange } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";
import { unpackHours } from "@/lib/domain/policies/past-hours";
import { type NewPolicy, watches } from "@/lib/domain/policies/policy";
import {
  addWhatIf,
  emptyWhatIf,
  type PastMachine,
  underIdle,
  underSchedule,
  type WhatIf,
} from "@/lib/domain/policies/preview";
import type { PreviewAnswer, PreviewQuestion } from "@/lib/domain/policies/view";
import { workingHours } from "@/lib/domain/policies/working-time";

const DAY_MS = 24 * 3_600_000;
const DAYS = 30;
const MINUTE_MS = 60_000;

/** What a schedule or an idle policy would have done over the last month: money saved, and work that would have been cut. */
export async function previewPolicy(ctx: Ctx, { draft }: PreviewQuestion): Promise<PreviewAnswer> {
  authorize(ctx, "fleet:read");
  authorize(ctx, "cost:read");
  const { zone } = await readSetting("accounting");
  const now = ctx.now.getTime();
  const today = dayRange(dayOf(now, zone), zone);
  const from = dayRange(dayOf(today.from - DAYS * DAY_MS, zone), zone).from;
  const answer = { now, from, to: now };
  const judge = judgeOf(draft, from, now);
  if (judge === null) return { ...answer, result: null };
  const machines = await readPast(draft, { from, to: now, zone });
  const judged = machines.map((machine) => ({ machine, whatIf: judge(machine) }));
  const total = judged.reduce((all, { whatIf }) => addWhatIf(all, whatIf), emptyWhatIf());
  return {
    ...answer,
    result: {
      costMicros: total.costMicros.toString(),
      savedMicros: total.savedMicros.toString(),
      savedHours: total.savedMinutes / 60,
      cutGpuHours: judged.reduce((sum, { machine, whatIf }) => sum + (whatIf.cutMinutes / 60) * machine.gpus, 0),
      cutRuns: total.cutRuns,
      ends: total.ends,
      relaunches: total.relaunches,
      unheardHours: total.unheardMinutes / 60,
      unpricedHours: total.unpricedMinutes / 60,
      machines: judged
        .filter(({ whatIf }) => whatIf.billedMinutes > 0)
        .sort(
          (a, b) => Number(b.whatIf.savedMicros - a.whatIf.savedMicros) || (a.machine.name < b.machine.name ? -1 : 1),
        )
        .slice(0, 200)
        .map(({ machine, whatIf }) => ({
          resourceId: machine.resourceId,
          name: machine.name,
          billedHours: whatIf.billedMinutes / 60,
          savedMicros: whatIf.savedMicros.toString(),
          savedHours: whatIf.savedMinutes / 60,
          cutGpuHours: (whatIf.cutMinutes / 60) * machine.gpus,
          cutRuns: whatIf.cutRuns,
          ends: whatIf.ends,
          relaunches: whatIf.relaunches,
        })),
    },
  };
}

/** Null: what this kind does cannot be read off the past. */
function judgeOf(draft: NewPolicy, from: number, to: number): ((machine: PastMachine) => WhatIf) | null {
  switch (draft.kind) {
    case "idle_termination":
      return (machine) => underIdle(machine, draft.params);
    case "schedule": {
      const windows = workingHours({ ...draft.params, zone: draft.zone }, from - 7 * DAY_MS, to + 7 * DAY_MS);
      const { endBusy, waitMinutes } = draft.params;
      return (machine) => underSchedule(machine, windows, { endBusy, waitMs: waitMinutes * MINUTE_MS });
    }
    default:
      return null;
  }
}

/** Every watched machine of a range with its hours, what was paid for it and its runs. */
export async function readPast(
  draft: Pick<NewPolicy, "selector">,
  range: { from: number; to: number; zone: string },
): Promise<PastMachine[]> {
  const { from, to, zone } = range;
  const fromDay = dayOf(from, zone);
  const toDay = dayOf(to, zone);
  const [facts, profiles] = await Promise.all([
    listInstances(toDay, { goneSince: new Date(from) }),
    listProfiles(fromDay, toDay),
  ]);
  const watched = facts.filter((one) =>
    watches(draft.selector, {
      workload: one.workload,
      team: one.team,
      type: one.typeName,
      instance: one.name ?? one.externalId.slice(0, 12),
    }),
  );
  const ids = watched.map(({ id }) => id);
  const [paid, runs, gpus] = await Promise.all([
    paidMinutes(ids, new Date(from), new Date(to)),
    runsOf(ids, new Date(from), new Date(to)),
    listPastMachines(ids),
  ]);
  const runsBy = groupBy(runs, ({ resourceId }) => resourceId);
  const profileOf = new Map(profiles.map((profile) => [profile.resourceId, profile]));
  const starts = dayStartsOf(from, to, zone);
  return watched.flatMap((one): PastMachine[] => {
    const profile = profileOf.get(one.id);
    if (!profile) return [];
    return [
      {
        resourceId: one.id,
        name: one.name ?? one.externalId.slice(0, 12),
        priceMicros: one.priceMicros,
        gpus: Math.max(1, one.typeGpus ?? 0, gpus.get(one.id) ?? 0),
        hours: unpackHours(profile, starts),
        paid: paid.get(one.id) ?? [],
        runs: runsBy.get(one.id) ?? [],
      },
    ];
  });
}

/** When each day of the range begins, as the profiles count them. */
function dayStartsOf(from: number, to: number, zone: string): number[] {
  const starts: number[] = [];
  for (let at = from; at <= to; ) {
    const range = dayRange(dayOf(at, zone), zone);
    starts.push(range.from);
    at = range.to;
  }
  return starts;
}
