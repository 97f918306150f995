import { ending, type Verdict, watched } from "./decide";
import { GRACE_MS } from "./kinds";
import type { PolicyOf } from "./policy";
import { holdOf, launchHold, type PolicyAct, type Snapshot } from "./snapshot";
import { type WorkingState, workingState } from "./working-time";

const MINUTE_MS = 60_000;

/** Ends machines when working hours end, and launches as many again when they begin. */
export function decideSchedule(
  policy: PolicyOf<"schedule">,
  snapshot: Snapshot,
  acts: readonly PolicyAct[],
): Verdict[] {
  const { params, zone } = policy;
  const { now } = snapshot;
  const state = workingState({ ...params, zone }, now);
  const evenings = eveningsOf(policy, state, now);
  const ends = evenings.flatMap(({ endAt, backAt }) =>
    watched(policy, snapshot)
      // What somebody began after hours is wanted after hours, until the next evening.
      .filter(({ activeSince }) => activeSince !== null && activeSince < endAt)
      .map((machine) =>
        ending(machine, {
          slot: endAt,
          dueAt: endAt,
          noticeMs: params.noticeMinutes * MINUTE_MS,
          isTimed: true,
          until: Math.min(endAt + params.waitMinutes * MINUTE_MS, backAt ?? Number.POSITIVE_INFINITY),
          savesUntil: backAt,
          hold: holdOf(machine, snapshot, params),
          why: now < endAt ? "Working hours are over then." : "Working hours are over.",
        }),
      ),
  );
  return [...ends, ...relaunches(policy, snapshot, acts, state.current?.from ?? state.nextAt)];
}

/** The evening that is being dealt with, else the one to come; with the morning after it. */
function eveningsOf(
  policy: PolicyOf<"schedule">,
  { current, endedAt, next, nextAt }: WorkingState,
  now: number,
): { endAt: number; backAt: number | null }[] {
  if (current) return [{ endAt: current.to, backAt: nextStart(policy, current.to) }];
  // Later than this it was dealt with, one way or the other.
  const isNow = endedAt !== null && now <= endedAt + policy.params.waitMinutes * MINUTE_MS + GRACE_MS;
  if (isNow) return [{ endAt: endedAt, backAt: nextAt }];
  return next ? [{ endAt: next.to, backAt: nextStart(policy, next.to) }] : [];
}

/** As many as it ended when the hours before these were over. */
function relaunches(
  { params, zone }: PolicyOf<"schedule">,
  snapshot: Snapshot,
  acts: readonly PolicyAct[],
  startAt: number | null,
): Verdict[] {
  const { templateId } = params;
  if (templateId === null || startAt === null) return [];
  const eveningAt = workingState({ ...params, zone }, startAt - 1).endedAt;
  const waitMs = params.waitMinutes * MINUTE_MS;
  if (snapshot.now > startAt + waitMs + GRACE_MS) return [];
  return acts
    .filter((act) => act.decision === "acted" && act.slot === eveningAt && act.resourceId !== null)
    .map((act) => ({
      target: `launch:${act.resourceId}`,
      slot: startAt,
      resourceId: null,
      name: "A machine from the template",
      act: "launch" as const,
      dueAt: startAt,
      noticeMs: 0,
      isTimed: true,
      until: startAt + waitMs,
      hold: launchHold(snapshot),
      why: "Working hours begin, and it was ended when the last ones were over.",
      priceMicros: null,
      savesUntil: null,
      launch: { typeName: null, region: null, templateId },
    }));
}

function nextStart({ params, zone }: PolicyOf<"schedule">, after: number): number | null {
  return workingState({ ...params, zone }, after).nextAt;
}
