import type { Workload } from "@/lib/domain/fleet/workloads";
import type { PolicyKind } from "@/lib/domain/policies/kinds";
import type { NewPolicy } from "@/lib/domain/policies/policy";
import type { PolicyAnswer, PolicyChoices } from "@/lib/domain/policies/view";

type Field = string | number | boolean | null | number[];

/** A policy as the form holds it: lists as they are typed, everything else as the schema takes it. */
export type PolicyDraft = {
  kind: PolicyKind;
  name: string;
  selector: { workload: Workload[]; team: string; type: string; instance: string };
  zone: string;
  cooldownMinutes: number | string;
  maxPerHour: number | string;
  params: Record<string, Field>;
};

const DAY_MS = 24 * 3_600_000;

export function newDraft(kind: PolicyKind, { zone, budgets, types, now }: PolicyChoices): PolicyDraft {
  const params: Record<PolicyKind, PolicyDraft["params"]> = {
    lease: { warnHours: 24, noticeMinutes: 30, endBusy: false },
    schedule: {
      days: [1, 2, 3, 4, 5],
      from: "08:00",
      to: "19:00",
      holidays: "",
      waitMinutes: 120,
      noticeMinutes: 30,
      endBusy: false,
      templateId: null,
    },
    idle_termination: { afterMinutes: 120, withHeld: false, noticeMinutes: 30 },
    budget_guard: {
      budgetId: budgets[0]?.id ?? "",
      on: "actual",
      pct: 100,
      act: "stop_launches",
      order: "idle_first",
      noticeMinutes: 30,
      endBusy: false,
    },
    capacity_watch: {
      typeNames: types.find((name) => name.includes("gh200")) ?? types[0] ?? "",
      regions: "",
      maxUsdPerHour: "",
      count: 1,
      until: now + 7 * DAY_MS,
      act: "notify",
      templateId: null,
    },
  };
  const names: Record<PolicyKind, string> = {
    lease: "Leases that are over",
    schedule: "Working hours",
    idle_termination: "Empty machines",
    budget_guard: "Budget guard",
    capacity_watch: "Capacity",
  };
  return {
    kind,
    name: names[kind],
    selector: {
      workload: kind === "schedule" || kind === "idle_termination" ? ["dev"] : [],
      team: "",
      type: "",
      instance: "",
    },
    zone,
    cooldownMinutes: 60,
    maxPerHour: 3,
    params: params[kind],
  };
}

const listed = (value: unknown): string =>
  Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : "";
const LISTS = new Set(["holidays", "typeNames", "regions"]);

/** A stored policy, ready to be edited. */
export function draftOf(stored: PolicyAnswer["draft"]): PolicyDraft {
  const { kind, name, selector, zone = "UTC" } = stored;
  return {
    kind,
    name,
    selector: {
      workload: [...(selector?.workload ?? [])],
      team: listed(selector?.team),
      type: listed(selector?.type),
      instance: listed(selector?.instance),
    },
    zone,
    cooldownMinutes: Number(stored.cooldownMinutes ?? 60),
    maxPerHour: Number(stored.maxPerHour ?? 3),
    params: Object.fromEntries(
      Object.entries(stored.params).map(([key, value]): [string, Field] => [
        key,
        LISTS.has(key) ? listed(value) : ((value ?? null) as Field),
      ]),
    ),
  };
}

/** What the server is sent; its schema says what is wrong with it. */
export function inputOf(draft: PolicyDraft): NewPolicyInput {
  // The schema on the other side reads every field anew.
  return draft as unknown as NewPolicyInput;
}

export type NewPolicyInput = NewPolicy;
