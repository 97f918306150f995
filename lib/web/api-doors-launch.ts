import { MachineQuestion } from "@/lib/domain/fleet/machine";
import type { GuardrailsAnswer } from "@/lib/domain/intents/guardrails-form";
import { type LaunchBatchAnswer, NewLaunch } from "@/lib/domain/intents/launch";
import type { LaunchOffers } from "@/lib/domain/intents/offers";
import type { LaunchTemplate, LaunchTemplatesAnswer } from "@/lib/domain/intents/templates";
import type { VerificationAnswer } from "@/lib/domain/intents/verification";
import { IntentQuestion } from "@/lib/domain/intents/view";
import { type Saved, SavedChange, SavedFields, SavedId } from "@/lib/domain/saved";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** Routes about launches: what can be had, what is kept for the next one, and what came of it. */
export const LAUNCH_DOORS: readonly ApiDoor[] = [
  read("/api/v1/launch-offers", "What can be launched, where, at what price, and what the house allows.", {
    answer: shape<LaunchOffers>({
      now: "number",
      freshness: "object",
      readAt: "number?",
      offers: "array",
      images: "array",
      sshKeys: "array",
      filesystems: "array",
      regions: "array",
      names: "array",
      words: "object",
      fleetMicrosPerHour: "string",
      committedMicrosPerHour: "string",
      personMicrosPerHour: "string",
      budgets: "array",
      idle: "array",
      quotaRefusal: "object?",
      record: "array",
      guardrails: "object",
      stop: "object?",
      unreachable: "string?",
      zone: "string",
    }),
  }),
  act("/api/v1/intents/launch", "Asks for machines; of several, the answer names the first.", "intent:launch", {
    NewLaunch,
  }),
  read("/api/v1/intents/{intentId}/batch", "The launches that were asked for in one act with it.", {
    question: { IntentQuestion },
    answer: shape<LaunchBatchAnswer>({ now: "number", rows: "array" }),
  }),
  read("/api/v1/launch-templates", "Launches that are kept by name: one's own and those that are shared.", {
    answer: shape<LaunchTemplatesAnswer>({ now: "number", rows: "array" }),
  }),
  act("/api/v1/launch-templates", "Keeps a launch by name.", "intent:launch", { SavedFields }),
  read("/api/v1/launch-templates/{id}", "One launch that is kept.", {
    question: { SavedId },
    answer: shape<Saved<LaunchTemplate>>({
      id: "string",
      name: "string",
      body: "object",
      version: "number",
      isShared: "boolean",
      owner: "string?",
      isOwn: "boolean",
      updatedAt: "number",
    }),
  }),
  act("/api/v1/launch-templates/{id}", "Changes a launch that is kept.", "intent:launch", { SavedChange }),
  act("/api/v1/launch-templates/{id}/remove", "Removes a launch that is kept.", "intent:launch", { SavedId }),
  read("/api/v1/fleet/{instanceId}/verification", "What a machine is against what was ordered, check by check.", {
    question: { MachineQuestion },
    answer: shape<VerificationAnswer>({
      now: "number",
      isOurs: "boolean",
      verification: "object?",
      costMicros: "string",
    }),
  }),
  read("/api/v1/settings/guardrails", "What may be launched without asking, and when a second person is asked.", {
    answer: shape<GuardrailsAnswer>({
      now: "number",
      guardrails: "object",
      types: "array",
      regions: "array",
      drivers: "array",
    }),
  }),
];
