import {
  POLL_CATALOG_MS,
  POLL_EVENTS_MS,
  POLL_FILESYSTEMS_MS,
  POLL_INSTANCES_MS,
  POLL_TYPES_MS,
} from "@/lib/domain/fleet/poll";
import { verifyTrail } from "@/lib/services/activity/chain";
import { settleAlertCosts } from "@/lib/services/alerts/costs";
import { sendNotifications } from "@/lib/services/alerts/deliver";
import { evaluateAlerts } from "@/lib/services/alerts/evaluate";
import { checkAlignment } from "@/lib/services/alignment/check";
import { keepBackups } from "@/lib/services/backup/nightly";
import { findCostAnomalies } from "@/lib/services/cost/anomalies";
import { keepDailyForecasts } from "@/lib/services/cost/forecasts";
import { matchInvoices } from "@/lib/services/cost/invoice-match";
import { meterCosts } from "@/lib/services/cost/meter";
import { measureUsage } from "@/lib/services/cost/usage";
import { pollCatalog, pollEvents, pollFilesystems, pollInstances, pollTypes } from "@/lib/services/fleet/poll";
import { retireTokens } from "@/lib/services/intents/retire";
import { sendIntents, settleIntents } from "@/lib/services/intents/send";
import { verifyLaunches } from "@/lib/services/intents/verify";
import { queueDigests } from "@/lib/services/notify/digests";
import { sendHeartbeat } from "@/lib/services/notify/heartbeat";
import { watchNotifications } from "@/lib/services/notify/watch";
import { runPolicies } from "@/lib/services/policies/run";
import { prune } from "@/lib/services/telemetry/prune";
import { rollUp, seal } from "@/lib/services/telemetry/roll-up";
import { scrapeTargets } from "@/lib/services/telemetry/scrape";
import { rollUpWorkload } from "@/lib/services/workload/roll-up";
import type { Job } from "./loop";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Everything that happens when nobody is looking. Within one step of the test clock, jobs run in this order. */
export const jobs: Job[] = [
  { name: "poll-types", everyMs: POLL_TYPES_MS, run: pollTypes },
  { name: "poll-instances", everyMs: POLL_INSTANCES_MS, run: pollInstances },
  { name: "poll-events", everyMs: POLL_EVENTS_MS, run: pollEvents },
  { name: "poll-filesystems", everyMs: POLL_FILESYSTEMS_MS, run: pollFilesystems },
  { name: "poll-catalog", everyMs: POLL_CATALOG_MS, run: pollCatalog },
  { name: "send-intents", everyMs: 1 * SECOND, run: sendIntents },
  { name: "settle-intents", everyMs: 5 * SECOND, run: settleIntents },
  { name: "retire-tokens", everyMs: 5 * MINUTE, run: retireTokens },
  { name: "verify-launches", everyMs: 15 * SECOND, run: verifyLaunches },
  { name: "scrape-targets", everyMs: 5 * SECOND, run: scrapeTargets },
  { name: "roll-up-telemetry", everyMs: 30 * SECOND, run: rollUp },
  { name: "roll-up-workload", everyMs: 1 * MINUTE, run: rollUpWorkload },
  { name: "seal-telemetry", everyMs: 5 * MINUTE, run: seal },
  { name: "meter-costs", everyMs: 30 * SECOND, run: meterCosts },
  { name: "measure-usage", everyMs: 2 * MINUTE, run: measureUsage },
  { name: "run-policies", everyMs: 30 * SECOND, run: runPolicies },
  { name: "match-invoices", everyMs: 2 * MINUTE, run: matchInvoices },
  { name: "keep-forecasts", everyMs: 10 * MINUTE, run: keepDailyForecasts },
  { name: "find-anomalies", everyMs: 10 * MINUTE, run: findCostAnomalies },
  { name: "check-alignment", everyMs: 5 * SECOND, run: checkAlignment },
  { name: "evaluate-alerts", everyMs: 5 * SECOND, run: evaluateAlerts },
  { name: "settle-alert-costs", everyMs: 1 * MINUTE, run: settleAlertCosts },
  { name: "send-notifications", everyMs: 2 * SECOND, run: sendNotifications },
  { name: "watch-notifications", everyMs: 1 * MINUTE, run: watchNotifications },
  { name: "queue-digests", everyMs: 10 * MINUTE, run: queueDigests },
  { name: "send-heartbeat", everyMs: 1 * MINUTE, run: sendHeartbeat },
  { name: "verify-trail", everyMs: 1 * HOUR, run: verifyTrail },
  { name: "prune", everyMs: 1 * HOUR, run: prune },
  { name: "keep-backups", everyMs: 10 * MINUTE, run: keepBackups },
];
