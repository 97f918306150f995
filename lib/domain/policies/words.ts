import { formatDuration } from "@/lib/domain/format-time";
import type { PolicyKind, PolicyMode } from "./kinds";
import type { Machines, Policy } from "./policy";

const MINUTE_MS = 60_000;

export const KIND_NAMES: Record<PolicyKind, string> = {
  lease: "Lease",
  schedule: "Working hours",
  idle_termination: "Idle termination",
  budget_guard: "Budget guard",
  capacity_watch: "Capacity watch",
};

export const KIND_WHAT: Record<PolicyKind, string> = {
  lease: "Ends instances whose lease is over. Owners are warned and may extend it.",
  schedule: "Ends instances when working hours are over, and launches them again in the morning.",
  idle_termination: "Ends instances that have computed nothing for a while. What is not heard counts as busy.",
  budget_guard: "Holds new launches back, or ends instances in order, when a budget runs out.",
  capacity_watch: "Waits until a type can be had, and launches it or says so. Never twice.",
};

export const MODE_NAMES: Record<PolicyMode, string> = { paused: "Paused", shadow: "Shadow", armed: "Armed" };

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** A policy in a sentence. `named`: budgets and templates by their ids. */
export function policyWords(
  policy: Pick<Policy, "kind" | "params" | "selector" | "zone">,
  named: ReadonlyMap<string, string>,
): string {
  // The kind says whose params these are.
  const one = policy as Policy;
  const whom = machinesWords(one.selector);
  switch (one.kind) {
    case "lease":
      return `Ends ${whom} whose lease is over${busyWords(one.params.endBusy)}.`;
    case "schedule": {
      const { days, from, to, templateId, holidays, endBusy } = one.params;
      const back =
        templateId === null
          ? ""
          : ` Launches as many again in the morning, from ${named.get(templateId) ?? "a template"}.`;
      const off =
        holidays.length === 0 ? "" : `, ${holidays.length === 1 ? "one holiday" : `${holidays.length} holidays`}`;
      return `Ends ${whom} after working hours (${daysWords(days)} ${from}–${to} ${one.zone}${off})${busyWords(endBusy)}.${back}`;
    }
    case "idle_termination":
      return `Ends ${whom} that have been ${one.params.withHeld ? "idle" : "empty"} for ${formatDuration(one.params.afterMinutes * MINUTE_MS)}.`;
    case "budget_guard": {
      const { budgetId, on, pct, act } = one.params;
      const measure = { actual: "spent", forecast: "forecast", burn: "at the rate of now" }[on];
      const what = {
        stop_launches: "Stops new launches",
        ask: "Asks a second person before launches",
        terminate: `Ends ${whom} that are not protected, ${ORDER_WORDS[one.params.order]},`,
      }[act];
      return `${what} when ${named.get(budgetId) ?? "the budget"} is ${pct} % ${measure}.`;
    }
    case "capacity_watch": {
      const { typeNames, regions, count, act, maxUsdPerHour } = one.params;
      const where = regions.length === 0 ? "" : ` in ${regions.join(" or ")}`;
      const most = maxUsdPerHour === null ? "" : ` at up to $${maxUsdPerHour} an hour`;
      return act === "launch"
        ? `Launches ${count} × ${typeNames.join(" or ")}${where}${most}, when there is capacity.`
        : `Says when ${typeNames.join(" or ")} can be had${where}${most}.`;
    }
  }
}

export const ORDER_WORDS = {
  idle_first: "idle ones first",
  dearest_first: "the dearest first",
  newest_first: "the newest first",
} as const;

function busyWords(endBusy: boolean): string {
  return endBusy ? ", busy ones too" : ", unless they work";
}

export function machinesWords({ workload, team, type, instance }: Machines): string {
  const parts = [
    instance.length > 0 && instance.join(", "),
    workload.length > 0 && `${workload.join(" or ")} instances`,
    team.length > 0 && `of ${team.join(" or ")}`,
    type.length > 0 && `of type ${type.join(" or ")}`,
  ].filter((part) => part !== false);
  const hasNoun = instance.length > 0 || workload.length > 0;
  return parts.length === 0 ? "all instances" : `${hasNoun ? "" : "instances "}${parts.join(" ")}`;
}

function daysWords(days: readonly number[]): string {
  const isRun = days.every((day, i) => i === 0 || day === (days[i - 1] ?? 0) + 1);
  const name = (day: number | undefined) => DAYS[(day ?? 1) - 1] ?? "";
  if (days.length > 2 && isRun) return `${name(days[0])}–${name(days.at(-1))}`;
  return days.map(name).join(", ");
}

/** What arming means, in the words of the button's dialog. */
export function armingWords(kind: PolicyKind): readonly string[] {
  const common = [
    "From the next look on, within half a minute, it acts by itself.",
    "Protected, reserved and outside instances are never touched; nor is one whose GPUs are not heard.",
    "Anyone on call may stop all automation with one switch.",
  ];
  switch (kind) {
    case "capacity_watch":
      return [
        "It launches, and what it launches is billed until somebody ends it.",
        ...common.slice(0, 1),
        ...common.slice(2),
      ];
    case "budget_guard":
      return [
        "What it ends is erased, local disks with it. What it holds back, nobody can launch from here.",
        ...common,
      ];
    default:
      return ["What it ends is erased, local disks with it; attached file systems stay and go on costing.", ...common];
  }
}
