import type { Permission, Role } from "@/lib/domain/access";

/**
 * What a door asks for. `own`: a person's own account. Where the right alone does not decide, `unsure` names the roles that
 * may be refused all the same (on-call ends only what a firing alert names). `input`: fields that no sample could guess.
 */
export type ListedDoor =
  | Permission
  | "own"
  | {
      right: Permission | "own";
      unsure?: readonly Role[];
      /** Only for people, although programs may have the right elsewhere. */
      isForPeople?: true;
      input?: Readonly<Record<string, unknown>>;
    };

const IF_FIRING = { unsure: ["on_call"] } as const;
/** Where a schema wants more than a sample can guess. */
const RULE = {
  name: "Hot",
  kind: "gpu_metric",
  severity: "critical",
  enabled: true,
  selector: {},
  metric: "temperatureC",
  comparison: "above",
  threshold: 80,
  forMs: 0,
  keepFiringMs: 0,
  intervalMs: 60_000,
  noData: "unknown",
};
const SHARES = {
  selector: {},
  method: "whole",
  shares: [{ words: { team: "ml", project: "", environment: "", costCenter: "" }, ppm: 1_000_000 }],
};
const INVOICE = { csv: "Description,Amount\nGPU,1.00\n" };
const MACHINES = { instanceIds: ["0190c0de-0000-7000-8000-00000000dead"] };
const POLICY = { kind: "lease", name: "Leases", params: {} };
const RANGE = { startsAt: Date.parse("2026-11-20T12:00:00Z"), endsAt: Date.parse("2026-11-20T13:00:00Z") };

/**
 * Every server action, by its file below app/(dashboard) and its name: the right that it takes. A test calls each of them as
 * everybody, and fails when one is not listed here or is listed and gone.
 */
export const ACTION_DOORS: Readonly<Record<string, Readonly<Record<string, ListedDoor>>>> = {
  activity: { checkChain: "audit:read" },
  alerts: {
    acknowledgeSeveral: "alert:acknowledge",
    assignSeveral: "alert:acknowledge",
    merge: "alert:acknowledge",
  },
  "alerts/[alertId]": {
    acknowledge: "alert:acknowledge",
    unacknowledge: "alert:acknowledge",
    comment: "alert:acknowledge",
    assign: "alert:acknowledge",
    snooze: "alert:acknowledge",
    merge: "alert:acknowledge",
    unmerge: "alert:acknowledge",
    restart: { right: "intent:restart", ...IF_FIRING },
    terminate: { right: "intent:terminate", ...IF_FIRING },
  },
  alignment: { accept: "alignment:write", reopen: "alignment:write", assign: "alignment:write" },
  "alignment/declaration": { preview: "alignment:write", save: "alignment:write", restore: "alignment:write" },
  "alignment/software": { sign: "alignment:write", start: "alignment:write", end: "alignment:write" },
  "alerts/routes": { create: "rule:write", change: "rule:write", remove: "rule:write", sort: "rule:write" },
  "alerts/rules": { turn: "rule:write" },
  "alerts/rules/[ruleId]": { change: { right: "rule:write", input: RULE }, turn: "rule:write", remove: "rule:write" },
  "alerts/rules/file": { preview: "rule:write", take: "rule:write" },
  "alerts/rules/new": { create: { right: "rule:write", input: RULE } },
  "alerts/silences": { create: { right: "alert:acknowledge", input: RANGE }, end: "alert:acknowledge" },
  approvals: {
    approve: "intent:approve",
    refuse: "intent:approve",
    breakGlass: "intent:break-glass",
    cancel: { right: "intent:terminate", ...IF_FIRING },
  },
  "cost/[month]": {
    beginClosing: "cost:close",
    signPoint: "cost:close",
    signReview: "cost:close",
    closeMonth: "cost:close",
  },
  "cost/[month]/invoices": { decideVariances: "invoice:write", removeInvoice: "invoice:write" },
  "cost/[month]/invoices/new": {
    previewInvoice: { right: "invoice:write", input: INVOICE },
    sendInvoice: { right: "invoice:write", input: INVOICE },
  },
  "cost/allocation": {
    assign: "label:write",
    create: { right: "allocation:write", input: SHARES },
    preview: { right: "cost:read", input: SHARES },
    end: "allocation:write",
    move: "allocation:write",
  },
  "plan/prices": {
    add: "price:write",
    preview: "price:write",
    importFile: "price:write",
    judge: "price:write",
    withdraw: "price:write",
  },
  "plan/mix": {
    target: { right: "price:write", input: { text: "AWS 60\nAzure 40" } },
    enter: { right: "price:write", input: { provider: "AWS", month: "2026-10", amount: "1" } },
    preview: "price:write",
    importFile: "price:write",
    remove: { right: "price:write", input: { month: "2026-10" } },
  },
  "plan/scenarios": {
    create: "plan:write",
    change: "plan:write",
    remove: "plan:write",
    toBudget: "budget:write",
  },
  "cost/budgets": { create: "budget:write", change: "budget:write", remove: "budget:write" },
  "cost/prices": {
    addPrice: "price:write",
    previewPrices: "price:write",
    importPrices: "price:write",
    addCharge: "price:write",
    removeCharge: "price:write",
    addCommitment: "price:write",
    removeCommitment: "price:write",
  },
  fleet: { terminateMany: "intent:terminate-many" },
  "fleet/batches/[batchId]": { cancel: { right: "intent:terminate", ...IF_FIRING } },
  "fleet/[instanceId]": {
    extend: { right: "lease:extend", ...IF_FIRING },
    cancel: { right: "intent:terminate", ...IF_FIRING },
    protect: "protection:set",
    unprotect: "protection:lift",
    terminate: { right: "intent:terminate", ...IF_FIRING },
    restart: { right: "intent:restart", ...IF_FIRING },
    note: "alert:acknowledge",
    changeLabels: "label:write",
    rename: "cloud:write",
  },
  launch: {
    launch: "intent:launch",
    createTemplate: { right: "intent:launch", input: { body: {} } },
    changeTemplate: { right: "intent:launch", input: { body: {} } },
    removeTemplate: "intent:launch",
  },
  "launch/[intentId]": { cancel: { right: "intent:terminate", ...IF_FIRING } },
  "launch/queue": { cancel: { right: "intent:terminate", ...IF_FIRING }, adopt: "intent:launch" },
  policies: { stop: "automation:stop", resume: "automation:resume" },
  "policies/new": { create: { right: "policy:write", input: POLICY } },
  "policies/[policyId]": {
    change: { right: "policy:write", input: { policy: POLICY } },
    arm: "policy:arm",
    pause: "policy:write",
    shadow: "policy:write",
    remove: "policy:write",
    keep: "automation:stop",
  },
  runs: { create: "run:write" },
  "runs/[runId]": { change: "run:write", end: "run:write", remove: "run:write" },
  settings: {
    createToken: "token:ingest",
    assignSender: "token:ingest",
    dismissSender: "token:ingest",
    createTarget: "token:ingest",
    changeTarget: "token:ingest",
    turnTarget: "token:ingest",
    removeTarget: "token:ingest",
    testTarget: "token:ingest",
  },
  "settings/account": { endMySession: "own", endMyOtherSessions: "own", changeMyPassword: "own" },
  "settings/channels": {
    setWorkingHours: { right: "rule:write", input: { days: [1], from: "09:00" } },
    createChannel: "rule:write",
    changeChannel: "rule:write",
    removeChannel: "rule:write",
    testChannel: "rule:write",
    setHeartbeat: "rule:write",
    sendAgain: "rule:write",
    takeOff: "rule:write",
  },
  "settings/cloud": {
    addKey: { right: "cloud:write", input: { publicKey: `ssh-ed25519 ${"A".repeat(68)}` } },
    removeKey: "cloud:write",
    makeFileSystem: "cloud:write",
    removeFileSystem: "cloud:write",
    changeRules: "cloud:write",
  },
  "settings/checklists": { create: "checklist:write", change: "checklist:write", remove: "checklist:write" },
  "settings/data": { changeRetention: "setting:write" },
  "settings/guardrails": { changeGuardrails: { right: "setting:write", input: { expires: 4 * 3_600_000 } } },
  "settings/money": {
    changeAnomalies: "budget:write",
    changeAccountingZone: "price:write",
    changeStoragePrice: "price:write",
  },
  "settings/people": {
    invite: "people:write",
    revokeToken: "token:ingest",
    changePerson: "people:write",
    setPassword: "people:write",
    signOutEverywhere: "people:write",
    changeSessionLimits: { right: "setting:write", input: { idleMs: 12 * 3_600_000, absoluteMs: 7 * 24 * 3_600_000 } },
  },
  "settings/tokens": { createToken: "token:ingest", revokeToken: "token:ingest" },
};

/** Actions that strangers may call: what they hand in is the right. By their file below app. */
export const OPEN_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  "a/[token]": ["take"],
  welcome: ["look", "accept"],
};

/** Routes that are not described by API_DOORS, by their file below app: nobody asked, or a right. */
export const OTHER_ROUTES: Readonly<Record<string, Permission | "open">> = {
  "agent/[file]": "open",
  "api/auth/[...nextauth]": "open",
  "api/health": "open",
  metrics: "fleet:read",
};

/** What the description's right alone does not say of a route: as for actions. By method and path. */
export const ROUTE_NOTES: Readonly<Record<string, Exclude<ListedDoor, string>>> = {
  "POST /api/v1/intents/terminate": { right: "intent:terminate", ...IF_FIRING },
  "POST /api/v1/intents/restart": { right: "intent:restart", ...IF_FIRING },
  "POST /api/v1/silences": { right: "alert:acknowledge", isForPeople: true, input: RANGE },
  "POST /api/v1/rules": { right: "rule:write", input: RULE },
  "POST /api/v1/rules/{ruleId}": { right: "rule:write", input: RULE },
  "POST /api/v1/rules/backtest": { right: "rule:write", input: RULE },
  "POST /api/v1/cost/allocation/rules": { right: "allocation:write", input: SHARES },
  "POST /api/v1/cost/allocation/rules/preview": { right: "cost:read", input: SHARES },
  "POST /api/v1/cost/invoices": { right: "invoice:write", input: INVOICE },
  "POST /api/v1/fleet/evidence": { right: "fleet:read", input: MACHINES },
  "GET /api/v1/activity/trail": { right: "audit:read", unsure: ["finance", "on_call"] },
  "POST /api/v1/fleet/{instanceId}/lease": { right: "lease:extend", ...IF_FIRING },
  "POST /api/v1/intents/{intentId}/cancel": { right: "intent:terminate", ...IF_FIRING },
  "GET /api/v1/silences/preview": { right: "fleet:read", input: { matchers: "[]" } },
  "GET /api/v1/policies/preview": { right: "cost:read", input: { draft: JSON.stringify(POLICY) } },
  "GET /api/v1/sessions": { right: "own" },
};
