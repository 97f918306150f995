import { instanceTypes } from "./catalogue";
import { mix } from "./random";
import { type CloudState, valueAt } from "./types";

/** 66 polls of GH200 in us-east-3, one every two minutes: how many in a row without and with capacity
 * (lambda-cloud-api.md section 5, row 4). */
const recorded: [count: number, isThere: boolean][] = [
  [7, false],
  [2, true],
  [5, false],
  [1, true],
  [1, false],
  [27, true],
  [1, false],
  [5, true],
  [5, false],
  [12, true],
];
const CYCLE = recorded.reduce((sum, [count]) => sum + count, 0);

/** Where in the recording this cloud is at an instant, in steps. */
function placeInCycle(state: CloudState, at: number, stepMs: number): number {
  return (at / stepMs + mix(state.seed, 0x9200)) % CYCLE;
}

function isFlickeredOff(state: CloudState, typeName: string, at: number): boolean {
  if (state.capacityStepMs === null || typeName !== "gpu_1x_gh200") return false;
  let left = placeInCycle(state, at, state.capacityStepMs);
  for (const [count, isThere] of recorded) {
    if (left < count) return !isThere;
    left -= count;
  }
  return false;
}

/** Region names that list capacity for a type now. A hint: a launch may still be refused. */
export function capacityAt(state: CloudState, typeName: string, at: number): string[] {
  const set = valueAt(state.capacity[typeName] ?? [], at);
  if (set) return set;
  return isFlickeredOff(state, typeName, at) ? [] : (instanceTypes.get(typeName)?.regions ?? []);
}

/** The instants in (from, to] at which a type's capacity may change. */
export function capacityEdges(state: CloudState, typeName: string, from: number, to: number): number[] {
  const edges = (state.capacity[typeName] ?? []).map((step) => step.from);
  const stepMs = state.capacityStepMs;
  if (stepMs !== null && typeName === "gpu_1x_gh200") {
    let at = from - placeInCycle(state, from, stepMs) * stepMs;
    while (at <= to) {
      for (const [count] of recorded) {
        at += count * stepMs;
        edges.push(Math.ceil(at));
      }
    }
  }
  return edges.filter((at) => at > from && at <= to);
}
