import { listChannels } from "@/lib/db/alerts/channels";
import { readMeter } from "@/lib/db/alerts/costs";
import type { FoundAlert } from "@/lib/db/alerts/episodes";
import { listIncident } from "@/lib/db/alerts/incidents";
import { listRoutes } from "@/lib/db/alerts/routes";
import { listFiring, listSilences } from "@/lib/db/alerts/silences";
import { listPriceChanges } from "@/lib/db/cost/prices";
import { listDeploys, type StoredEvent } from "@/lib/db/events";
import { listEventsOf } from "@/lib/db/fleet/read";
import { listIntents } from "@/lib/db/intents";
import { readSetting } from "@/lib/db/settings";
import { listRuns } from "@/lib/db/workload/runs";
import type { Ctx } from "@/lib/domain/access";
import { inboxPart } from "@/lib/domain/alerts/inbox";
import { isWanted } from "@/lib/domain/alerts/notify";
import type { AlertAnswer, AlertBurn, Happening, KeptBack } from "@/lib/domain/alerts/view";
import { nextWorkingHour } from "@/lib/domain/alerts/working-hours";
import { burnedByLedger, burnedMicros } from "@/lib/domain/cost/burn";
import { EVERY_REGION } from "@/lib/domain/cost/price-book";
import type { InstanceRow } from "@/lib/domain/fleet/view";
import { formatUsdRate } from "@/lib/domain/format";
import { inhibitedBy } from "@/lib/domain/notify/inhibition";
import type { AlertLabels } from "@/lib/domain/silences/matchers";
import { labelsOf, silencedBy } from "@/lib/domain/silences/silence";
import { deployMark, readEvents } from "@/lib/services/events/read";
import { waysBy } from "./news";
import { standing } from "./standing";

/** What the alert's machine burned by the ledger, and would until somebody is at work. */
export async function burnOfAlert(alert: FoundAlert, zone: string, now: number): Promise<AlertBurn | null> {
  if (alert.resourceId === null) return null;
  const hours = await readSetting("workingHours");
  const end = alert.resolvedAt?.getTime() ?? now;
  const { rows, tail } = await readMeter(alert.resourceId, alert.activeAt, new Date(end));
  const since = (from: Date | null) =>
    from === null ? null : (burnedByLedger(rows, tail, from.getTime(), end)?.toString() ?? null);
  const stands = alert.resolvedAt
    ? ("resolved" as const)
    : tail.to === null
      ? null
      : alert.resource?.goneAt
        ? ("terminated" as const)
        : ("not billed" as const);
  const until = nextWorkingHour(now, zone, hours);
  const ahead = stands === null ? burnedMicros(tail.microsPerHour, now, until) : null;
  return {
    at: end,
    microsPerHour: stands === null ? (tail.microsPerHour?.toString() ?? null) : null,
    stands,
    sinceActive: since(alert.activeAt),
    // What was frozen is what was told and audited; it stays.
    sinceFired: alert.costMicros?.toString() ?? since(alert.firedAt),
    sinceAcknowledged: since(alert.acknowledgedAt),
    ahead: ahead === null ? null : { until, zone, micros: ahead.toString() },
  };
}

/** What keeps news of the alert back, and whether anybody hears of it at all. */
export async function keptBack(alert: FoundAlert, ctx: Ctx): Promise<KeptBack> {
  const [silences, firing, channels, routes] = await Promise.all([
    listSilences(ctx.now),
    listFiring(),
    listChannels(),
    listRoutes(),
  ]);
  const match = matchOf(alert.rule.name, alert.resource?.spans[0]?.name ?? "");
  const episode = firing.find((one) => one.alertId === alert.id);
  if (!episode) return { silence: null, explainedBy: null, ways: 0, match };
  const labels = labelsOf(episode);
  const heard = waysBy(routes, channels, labels).filter(({ channel }) =>
    isWanted(channel, "fired", alert.severity),
  ).length;
  const silence = silencedBy(silences, labels, ctx.now.getTime());
  const others = firing.map((one) => ({ alertId: one.alertId, labels: labelsOf(one) }));
  const inhibition = inhibitedBy({ alertId: alert.id, labels }, others);
  return {
    silence: silence && {
      id: silence.id,
      kind: silence.kind,
      reason: silence.reason,
      by: silence.createdBy,
      endsAt: silence.endsAt,
    },
    explainedBy: inhibition && {
      alertId: inhibition.by.alertId,
      name: nameOf(inhibition.by.labels),
      rule: inhibition.rule.name,
    },
    ways: heard,
    match,
  };
}

function nameOf({ alertname, target }: AlertLabels): string {
  return [alertname, target].filter(Boolean).join(", ");
}

function matchOf(ruleName: string, instance: string): string {
  const quoted = (text: string) => `"${text.replace(/[\\"]/g, "\\$&")}"`;
  return [`alertname=${quoted(ruleName)}`, ...(instance === "" ? [] : [`instance=${quoted(instance)}`])].join(", ");
}

const MOST_DEPLOYS = 50;
const MOST_RUNS = 50;
const TONES = { critical: "crit", warning: "warn", info: "neutral" } as const;

/** What happened to the machine around an episode: acts on it, Xid events, prices, runs, deploys, notes. Of no machine: deploys. */
export async function happeningsAround(
  ctx: Ctx,
  alert: FoundAlert,
  instance: InstanceRow | null,
  { from, to }: { from: number; to: number },
): Promise<Happening[]> {
  const { resourceId } = alert;
  const deploys = (await listDeploys(resourceId, from, to, MOST_DEPLOYS)).reverse().map(deployed);
  if (resourceId === null) return deploys;
  const span = alert.resource?.spans[0];
  const [events, intents, said, prices, runs] = await Promise.all([
    listEventsOf(resourceId),
    listIntents({ since: new Date(from), limit: 200 }),
    readEvents(ctx, { instanceId: resourceId, from, to, limit: 50, lines: 0, range: "24h" }),
    listPriceChanges(new Date(from), new Date(to)),
    listRuns({ words: [], workload: null, instanceId: resourceId }, MOST_RUNS),
  ]);
  const found: Happening[] = [
    ...deploys,
    ...events.map((event) => ({
      at: event.at.getTime(),
      kind: "machine" as const,
      tone: "neutral" as const,
      text: [event.action, event.actor ?? event.apiKey].filter(Boolean).join(", by "),
    })),
    ...intents
      .filter(({ targetId }) => targetId === resourceId)
      .map((intent) => ({
        at: (intent.sentAt ?? intent.createdAt).getTime(),
        kind: "machine" as const,
        tone: "neutral" as const,
        text: `${intent.kind} asked for by ${intent.requestedBy}`,
      })),
    ...said.incidents.map((incident) => ({
      at: incident.from,
      kind: "xid" as const,
      tone: TONES[incident.severity],
      text: `${incident.title}: ${incident.headline}`,
    })),
    ...said.notes.map(({ at, text, by }) => ({
      at,
      kind: "note" as const,
      tone: "neutral" as const,
      text: `${text}, ${by}`,
    })),
    ...prices
      .filter(({ sku, region }) => sku === span?.typeName && (region === EVERY_REGION || region === span.region))
      .map(({ at, beforeMicros, micros }) => ({
        at: at.getTime(),
        kind: "price" as const,
        tone: micros > beforeMicros ? ("warn" as const) : ("neutral" as const),
        text: `Price ${formatUsdRate(beforeMicros)} to ${formatUsdRate(micros)}`,
      })),
    ...runs.flatMap((run) => [
      { at: run.startedAt.getTime(), kind: "run" as const, tone: "neutral" as const, text: `Run ${run.name} began` },
      ...(run.endedAt
        ? [{ at: run.endedAt.getTime(), kind: "run" as const, tone: "neutral" as const, text: `Run ${run.name} ended` }]
        : []),
    ]),
  ];
  const activeSince = instance?.activeSince ?? null;
  if (activeSince !== null) found.push({ at: activeSince, kind: "machine", tone: "neutral", text: "Active" });
  return found.filter(({ at }) => at >= from && at <= to).sort((a, b) => a.at - b.at);
}

function deployed(event: StoredEvent): Happening {
  const { at, name, by } = deployMark(event);
  return { at, kind: "deploy", tone: "neutral", text: `${name}, by ${by}` };
}

/** The incident that an alert leads or belongs to; null: it stands alone. */
export async function incidentOf(alert: FoundAlert, now: number): Promise<AlertAnswer["incident"]> {
  const leadId = alert.leadId ?? alert.id;
  const members = await listIncident(leadId);
  if (members.length < 2) return null;
  return {
    leadId,
    others: members
      .filter(({ id }) => id !== alert.id)
      .map((one) => ({
        id: one.id,
        ruleName: one.rule.name,
        targetName: one.targetName,
        part: inboxPart(standing(one), now),
        firedAt: one.firedAt?.getTime() ?? null,
      }))
      .sort((a, b) => Number(b.id === leadId) - Number(a.id === leadId)),
  };
}
