import { NewPolicy, PolicyChange, PolicyId, PolicyVersion } from "@/lib/domain/policies/policy";
import {
  type AutomationState,
  ExtendLease,
  KeepTarget,
  type PoliciesAnswer,
  type PolicyAnswer,
  type PolicyChoices,
  type PreviewAnswer,
  PreviewQuestion,
  ResumeAutomation,
  StopAutomation,
} from "@/lib/domain/policies/view";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** Routes of standing policies, the switch that stops them, and leases. */
export const POLICY_DOORS: readonly ApiDoor[] = [
  read(
    "/api/v1/policies",
    "Standing policies: what each does now and next, what it leaves alone, and its week in shadow.",
    {
      answer: shape<PoliciesAnswer>({ now: "number", zone: "string", automation: "object", policies: "array" }),
    },
  ),
  act("/api/v1/policies", "Makes a policy; it begins in shadow.", "policy:write", { NewPolicy }),
  read("/api/v1/policies/choices", "What a policy's form may choose from.", {
    answer: shape<PolicyChoices>({
      now: "number",
      zone: "string",
      budgets: "array",
      templates: "array",
      teams: "array",
      types: "array",
      regions: "array",
      instances: "array",
    }),
  }),
  read("/api/v1/policies/preview", "What a schedule or an idle policy would have saved and cut over the last month.", {
    right: "cost:read",
    question: { PreviewQuestion },
    answer: shape<PreviewAnswer>({ now: "number", from: "number", to: "number", result: "object?" }),
  }),
  read("/api/v1/policies/{policyId}", "One policy, what it decided, and its versions.", {
    question: { PolicyId },
    answer: shape<PolicyAnswer>({
      now: "number",
      zone: "string",
      automation: "object",
      policy: "object",
      draft: "object",
      acts: "array",
      versions: "array",
    }),
  }),
  act(
    "/api/v1/policies/{policyId}/change",
    "Changes a policy; what it does has another week in shadow.",
    "policy:write",
    {
      PolicyChange,
    },
  ),
  act("/api/v1/policies/{policyId}/arm", "Arms a policy whose week in shadow is over.", "policy:arm", {
    PolicyVersion,
  }),
  act("/api/v1/policies/{policyId}/pause", "Pauses a policy at once.", "policy:write", { PolicyVersion }),
  act("/api/v1/policies/{policyId}/shadow", "Lets a policy look again, or puts it out of arms.", "policy:write", {
    PolicyVersion,
  }),
  act("/api/v1/policies/{policyId}/remove", "Removes a policy; what it did stays on record.", "policy:write", {
    PolicyVersion,
  }),
  act("/api/v1/policies/{policyId}/keep", "Keeps an instance from what was announced for it.", "automation:stop", {
    KeepTarget,
  }),
  read("/api/v1/automation", "Whether standing policies may act.", {
    answer: shape<AutomationState>({ stoppedAt: "number?", by: "string", reason: "string" }),
  }),
  {
    ...act("/api/v1/automation/stop", "Stops all automation.", "automation:stop", { StopAutomation }),
    answer: stateShape(),
  },
  {
    ...act("/api/v1/automation/resume", "Lets automation go on.", "automation:resume", { ResumeAutomation }),
    answer: stateShape(),
  },
  act("/api/v1/fleet/{instanceId}/lease", "Sets until when an instance may run.", "lease:extend", { ExtendLease }),
];

function stateShape() {
  return shape<AutomationState>({ stoppedAt: "number?", by: "string", reason: "string" });
}
