import { ActivityQuestion } from "@/lib/domain/activity/question";
import type { ActivityAnswer, Chain } from "@/lib/domain/activity/view";
import { AcknowledgeAlert, AlertId, CommentOnAlert } from "@/lib/domain/alerts/acts";
import { AlertRuleChange, NewAlertRule } from "@/lib/domain/alerts/rule-input";
import {
  type RuleAnswer,
  type RuleFormAnswer,
  RuleId,
  type RulePreview,
  RulePreviewQuestion,
  type RulesAnswer,
} from "@/lib/domain/alerts/rule-view";
import type { AlertAnswer, AlertCounts, InboxAnswer } from "@/lib/domain/alerts/view";
import { type CostAnswer, CostQuestion, type LedgerAnswer, LedgerQuestion } from "@/lib/domain/cost/view";
import { type MachineAnswer, MachineQuestion } from "@/lib/domain/fleet/machine";
import {
  type FleetAnswer,
  type FleetStatus,
  type InstanceAnswer,
  InstancePageQuestion,
  type Sparklines,
} from "@/lib/domain/fleet/view";
import { type ChangeEvidence, IntentId, RequestRestart, RequestTerminate } from "@/lib/domain/intents/change";
import { EvidenceQuestion, type IntentAnswer, IntentQuestion, type IntentsAnswer } from "@/lib/domain/intents/view";
import type { OverviewAnswer } from "@/lib/domain/overview";
import type { PeopleAnswer, SessionsAnswer } from "@/lib/domain/people";
import type { ConnectionAnswer, HouseAnswer, SettingsAnswer } from "@/lib/domain/settings";
import type { TokensAnswer } from "@/lib/domain/tokens";
import { shape } from "./answer-shape";
import { type ApiDoor, act, csvFile, read } from "./api-door";
import { ACCESS_DOORS } from "./api-doors-access";
import { ALERT_DOORS } from "./api-doors-alerts";
import { ALIGNMENT_DOORS } from "./api-doors-alignment";
import { ALLOCATION_DOORS } from "./api-doors-allocation";
import { BACKTEST_DOORS } from "./api-doors-backtest";
import { CLOSE_DOORS } from "./api-doors-close";
import { CLOUD_DOORS } from "./api-doors-cloud";
import { FOCUS_DOORS } from "./api-doors-focus";
import { INVOICE_DOORS } from "./api-doors-invoices";
import { LAUNCH_DOORS } from "./api-doors-launch";
import { NOTIFY_DOORS } from "./api-doors-notify";
import { OUTLOOK_DOORS } from "./api-doors-outlook";
import { PLAN_DOORS } from "./api-doors-plan";
import { POLICY_DOORS } from "./api-doors-policies";
import { PRICE_DOORS } from "./api-doors-prices";
import { QUEUE_DOORS } from "./api-doors-queue";
import { RULE_DOORS } from "./api-doors-rules";
import { SILENCE_DOORS } from "./api-doors-silences";
import { SIZING_DOORS } from "./api-doors-sizing";
import { SPEND_DOORS } from "./api-doors-spend";
import { TELEMETRY_DOORS } from "./api-doors-telemetry";
import { TERMINATE_DOORS } from "./api-doors-terminate";

/** Every route below app/api/v1; a test holds the two against each other. */
export const API_DOORS: readonly ApiDoor[] = [
  ...ACCESS_DOORS,
  ...TELEMETRY_DOORS,
  ...FOCUS_DOORS,
  ...OUTLOOK_DOORS,
  ...ALLOCATION_DOORS,
  ...CLOSE_DOORS,
  ...INVOICE_DOORS,
  ...SPEND_DOORS,
  ...SIZING_DOORS,
  ...PRICE_DOORS,
  ...PLAN_DOORS,
  ...ALERT_DOORS,
  ...ALIGNMENT_DOORS,
  ...RULE_DOORS,
  ...SILENCE_DOORS,
  ...POLICY_DOORS,
  ...BACKTEST_DOORS,
  ...NOTIFY_DOORS,
  ...LAUNCH_DOORS,
  ...QUEUE_DOORS,
  ...TERMINATE_DOORS,
  ...CLOUD_DOORS,

  read("/api/v1/overview", "What the Overview page shows.", {
    answer: shape<OverviewAnswer>({
      now: "number",
      fleet: "object",
      zone: "string",
      day: "string",
      utilization: "object",
      memory: "object",
      reporting: "object",
      today: "object",
      idle: "array",
      idleMicros: "string",
      outlook: "object",
      alerts: "array",
    }),
  }),

  read(
    "/api/v1/fleet",
    "The fleet as it is known now: machines, and those that are asked for. `?format=csv` and `?format=xlsx` give it as a file.",
    {
      answer: shape<FleetAnswer>({
        now: "number",
        zone: "string",
        freshness: "object",
        rows: "array",
        awaited: "array",
        totals: "object",
      }),
    },
  ),
  read("/api/v1/fleet/{instanceId}", "One machine: its GPUs, its life, its cost, its alerts.", {
    question: { InstancePageQuestion },
    answer: shape<InstanceAnswer>({
      now: "number",
      row: "object",
      freshness: "object",
      gpus: "array",
      lifeline: "object",
      thresholds: "array",
      cost: "object",
      openAlerts: "array",
      filesystems: "array",
      labelHistory: "array",
      tags: "object",
      sshKeyNames: "array",
      privateIp: "string?",
      nominalMemoryGb: "number?",
    }),
  }),
  read("/api/v1/fleet/{instanceId}/machine", "What the agent says of a machine: versions, clock, mounts, CUDA.", {
    question: { MachineQuestion },
    answer: shape<MachineAnswer>({ now: "number", agent: "object?", clockSkewMs: "number?", facts: "object" }),
  }),
  read("/api/v1/fleet/{instanceId}/evidence", "What speaks against ending or restarting a machine now.", {
    question: { EvidenceQuestion },
    answer: shape<ChangeEvidence>({
      now: "number",
      instanceId: "string",
      externalId: "string",
      name: "string",
      typeName: "string?",
      gpus: "number",
      region: "string",
      status: "string",
      listedAt: "number?",
      heardAt: "number?",
      confirmation: "object",
      planHash: "string",
      concerns: "array",
      use: "object",
      lost: "object",
      filesystems: "array",
      priceMicros: "string?",
      savedMicros: "string?",
      savedDayMicros: "string?",
      whose: "object",
      leaseUntil: "number?",
      protection: "object?",
      checklist: "object",
      approval: "object?",
      seen: "object",
      monthEnd: "number",
      comeback: "object?",
      open: "object?",
      lately: "number",
      denied: "string?",
      frozen: "boolean",
      zone: "string",
    }),
  }),
  read("/api/v1/fleet/sparklines", "Mean utilisation of each machine over the last six hours.", {
    answer: shape<Sparklines>({ from: "number", stepMs: "number", lines: "object" }),
  }),
  read("/api/v1/fleet/status", "How many machines there are and how old the knowledge is.", {
    answer: shape<FleetStatus>({ now: "number", freshness: "object", instances: "number", agents: "object" }),
  }),

  read("/api/v1/alerts", "The alert inbox. `?format=csv` and `?format=xlsx` give it as a file.", {
    answer: shape<InboxAnswer>({
      now: "number",
      rows: "array",
      omitted: "number",
      evaluator: "object",
      inventoryStaleSince: "number?",
    }),
  }),
  read("/api/v1/alerts/counts", "How many alerts fire.", {
    answer: shape<AlertCounts>({ now: "number", firing: "number", unknown: "number", critical: "number" }),
  }),
  read("/api/v1/alerts/{alertId}", "One alert: its metric, its history, whom it was told to.", {
    question: { AlertId },
    answer: shape<AlertAnswer>({
      now: "number",
      row: "object",
      rule: "object",
      burn: "object?",
      kept: "object",
      happenings: "array",
      incident: "object?",
      ssh: "string?",
      instance: "object?",
      gpu: "object?",
      channels: "number",
      peakValue: "number?",
      series: "object?",
      history: "array",
      deliveries: "array",
      earlier: "array",
    }),
  }),
  act("/api/v1/alerts/{alertId}/acknowledge", "Acknowledges an alert.", "alert:acknowledge", { AcknowledgeAlert }),
  act("/api/v1/alerts/{alertId}/unacknowledge", "Takes an acknowledgement back.", "alert:acknowledge", { AlertId }),
  act("/api/v1/alerts/{alertId}/comments", "Comments on an alert.", "alert:acknowledge", { CommentOnAlert }),
  read("/api/v1/rules", "The alert rules.", {
    answer: shape<RulesAnswer>({ now: "number", evaluator: "object", rules: "array" }),
  }),
  act("/api/v1/rules", "Makes an alert rule.", "rule:write", { NewAlertRule }),
  read("/api/v1/rules/form", "What a rule may select.", {
    answer: shape<RuleFormAnswer>({ now: "number", known: "object", channels: "array" }),
  }),
  read("/api/v1/rules/preview", "What a rule would look at.", {
    question: { RulePreviewQuestion },
    answer: shape<RulePreview>({ now: "number", matching: "array", series: "object?" }),
  }),
  read("/api/v1/rules/{ruleId}", "One alert rule.", {
    question: { RuleId },
    answer: shape<RuleAnswer>({
      now: "number",
      rule: "object",
      recent: "array",
      changes: "array?",
      backtest: "object?",
    }),
  }),
  act("/api/v1/rules/{ruleId}", "Changes an alert rule.", "rule:write", { AlertRuleChange }),

  read("/api/v1/cost", "What a month costs, and why. `?format=csv` and `?format=xlsx` give it as a file.", {
    question: { CostQuestion },
    answer: shape<CostAnswer>({
      now: "number",
      month: "string",
      zone: "string",
      isCurrent: "boolean",
      status: "string",
      from: "number",
      to: "number",
      fromDay: "string",
      toDay: "string",
      knownFrom: "number?",
      ledger: "object",
      total: "object",
      compared: "object?",
      forecast: "object?",
      budget: "object?",
      rate: "object?",
      idle: "object",
      gpus: "object?",
      instances: "object",
      storage: "object",
      otherMicros: "string",
      corrections: "object?",
      by: "string",
      parts: "array",
      days: "array",
      groups: "array",
      resources: "array",
      rest: "object?",
      monthBefore: "string?",
      monthAfter: "string?",
      months: "array",
      priceChanges: "array",
    }),
    right: "cost:read",
  }),
  read("/api/v1/ledger", "Rows of the ledger; `?format=csv` and `?format=xlsx` give all of them as a file.", {
    question: { LedgerQuestion },
    answer: shape<LedgerAnswer>({
      now: "number",
      zone: "string",
      from: "string",
      to: "string",
      isCut: "boolean",
      rows: "array",
    }),
    right: "cost:read",
  }),
  read("/api/v1/ledger.csv", "The ledger as a file.", {
    question: { LedgerQuestion },
    answer: csvFile,
    right: "export",
  }),

  read("/api/v1/intents", "Launches, restarts and terminations that are under way.", {
    answer: shape<IntentsAnswer>({ now: "number", rows: "array" }),
  }),
  read("/api/v1/intents/{intentId}", "One of them, and how far it came.", {
    question: { IntentQuestion },
    answer: shape<IntentAnswer>({ now: "number", row: "object" }),
  }),
  act("/api/v1/intents/{intentId}/cancel", "Takes a request back that was not sent.", "intent:terminate", { IntentId }),
  act("/api/v1/intents/restart", "Asks to restart a machine.", "intent:restart", { RequestRestart }),
  act("/api/v1/intents/terminate", "Asks to end a machine.", "intent:terminate", { RequestTerminate }),
  read("/api/v1/activity", "The audit trail, newest first. `?format=csv` and `?format=xlsx` give it as a file.", {
    question: { ActivityQuestion },
    answer: shape<ActivityAnswer>({
      now: "number",
      acts: "array",
      next: "string?",
      limit: "string?",
      eventsReadAt: "number?",
      eventsError: "string?",
    }),
    right: "audit:read",
  }),
  read("/api/v1/activity/chain", "Whether nobody has changed or removed an entry of the audit trail.", {
    answer: shape<Chain>({
      checkedAt: "number",
      wholeAt: "number?",
      entries: "string",
      isIntact: "boolean",
      brokenAt: "string?",
      head: "string?",
    }),
    right: "audit:read",
  }),

  read("/api/v1/activity/trail", "The whole audit trail with its hashes, for `hopperdeck audit verify`.", {
    answer: { type: "application/x-ndjson", about: "A head, one line per entry, a foot; each a JSON object." },
    right: "audit:read",
  }),

  read("/api/v1/settings", "What people have set.", {
    answer: shape<SettingsAnswer>({
      now: "number",
      session: "object",
      retention: "object",
      anomalies: "object",
      accounting: "object",
      workingHours: "object",
      storagePrice: "object?",
    }),
  }),
  read("/api/v1/settings/connection", "How Lambda is reached, and how machines reach this server.", {
    answer: shape<ConnectionAnswer>({
      now: "number",
      mode: "string",
      lambda: "object?",
      publicUrl: "string",
      publicUrlProblem: "string?",
    }),
  }),
  read("/api/v1/settings/house", "What runs here: release, database, telemetry on disk, backups, jobs.", {
    answer: shape<HouseAnswer>({
      now: "number",
      version: "string",
      mode: "string",
      database: "object",
      telemetry: "array",
      backups: "object",
      jobs: "array",
    }),
  }),
  read("/api/v1/people", "Who has an account, and who is invited.", {
    answer: shape<PeopleAnswer>({
      now: "number",
      canInvite: "boolean",
      provider: "object?",
      people: "array",
      invites: "array",
    }),
  }),
  read("/api/v1/sessions", "Where the caller is signed in.", {
    answer: shape<SessionsAnswer>({ now: "number", hasPassword: "boolean", sessions: "array" }),
  }),
  read("/api/v1/tokens", "Which tokens there are; never their secrets.", {
    answer: shape<TokensAnswer>({ now: "number", tokens: "array" }),
  }),
  read("/api/v1/openapi.json", "This description.", {
    answer: { type: "application/json", about: "An OpenAPI 3.1 document." },
    right: "open",
  }),
];
