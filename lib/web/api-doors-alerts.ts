import { AlertId, AssignAlert, MergeAlerts, SnoozeAlert } from "@/lib/domain/alerts/acts";
import { type ExplainAnswer, ExplainQuestion } from "@/lib/domain/alerts/explain";
import type { PeopleToAsk } from "@/lib/domain/alerts/view";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** Routes by which people share alerts out among them, and look into one. */
export const ALERT_DOORS: readonly ApiDoor[] = [
  read("/api/v1/alerts/people", "Who may be given an alert.", {
    right: "alert:acknowledge",
    answer: shape<PeopleToAsk>({ now: "number", people: "array" }),
  }),
  read("/api/v1/alerts/{alertId}/explain", "The evaluations of an alert, with the samples that counted.", {
    question: { ExplainQuestion },
    answer: shape<ExplainAnswer>({
      now: "number",
      slots: "array",
      asked: "string?",
      samples: "array",
      windowMs: "number",
      lookbackMs: "number",
      intervalMs: "number",
      before: "number",
      after: "number",
      remark: "string?",
    }),
  }),
  act("/api/v1/alerts/{alertId}/assign", "Gives an alert to somebody.", "alert:acknowledge", { AssignAlert }),
  act("/api/v1/alerts/{alertId}/snooze", "Holds news of an alert back until an instant.", "alert:acknowledge", {
    SnoozeAlert,
  }),
  act("/api/v1/alerts/{alertId}/merge", "Makes one incident of alerts.", "alert:acknowledge", { MergeAlerts }),
  act("/api/v1/alerts/{alertId}/unmerge", "Takes an alert out of its incident.", "alert:acknowledge", { AlertId }),
];
