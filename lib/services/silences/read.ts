import { type FiredEpisode, listFired, listSilences, type StoredSilence } from "@/lib/db/alerts/silences";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx, can } from "@/lib/domain/access";
import { burnedMicros } from "@/lib/domain/cost/burn";
import { matches } from "@/lib/domain/silences/matchers";
import { holdsAt, labelsOf, phaseOf, silentSpans } from "@/lib/domain/silences/silence";
import type {
  HiddenAlert,
  SilencePreview,
  SilencePreviewQuestion,
  SilenceRow,
  SilencesAnswer,
} from "@/lib/domain/silences/view";
import type { Window } from "@/lib/domain/silences/windows";

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
/** Ended ones are shown for this long. */
const MEMORY_MS = 30 * DAY_MS;
const MOST_SHOWN = 50;
const MOST_VALUES = 100;

type Labelled = { episode: FiredEpisode; labels: Readonly<Record<string, string>> };

/** Every silence that holds, will hold, or ended within a month, with what it kept back and what that has cost. */
export async function readSilences(ctx: Ctx): Promise<SilencesAnswer> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const [silences, { zone }] = await Promise.all([listSilences(new Date(now - MEMORY_MS)), readSetting("accounting")]);
  const from = Math.min(now, ...silences.map(({ startsAt }) => startsAt));
  const episodes = silences.length === 0 ? [] : await labelled(Math.max(from, now - MEMORY_MS), now);
  return { now, zone, rows: silences.map((silence) => rowOf(silence, episodes, ctx)) };
}

/** What these conditions would keep back now, and would have kept back in the last week. */
export async function previewSilence(ctx: Ctx, { matchers }: SilencePreviewQuestion): Promise<SilencePreview> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const episodes = await labelled(now - WEEK_MS, now);
  const hidden = matchers.length === 0 ? [] : episodes.filter(({ labels }) => matches(matchers, labels));
  const values: Record<string, Set<string>> = {};
  for (const { labels } of episodes)
    for (const [label, value] of Object.entries(labels)) {
      values[label] ??= new Set();
      const known = values[label];
      if (value !== "" && known && known.size < MOST_VALUES) known.add(value);
    }
  return {
    now,
    hidesNow: hidden.filter(({ episode }) => episode.resolvedAt === null).map(hiddenAlert),
    lastWeek: {
      episodes: hidden.length,
      critical: hidden.filter(({ episode }) => episode.severity === "critical").length,
      shown: hidden.slice(0, MOST_SHOWN).map(hiddenAlert),
    },
    values: Object.fromEntries(Object.entries(values).map(([label, known]) => [label, [...known].sort()])),
  };
}

async function labelled(from: number, to: number): Promise<Labelled[]> {
  const episodes = await listFired(new Date(from), new Date(to + 1));
  return episodes.map((episode) => ({ episode, labels: labelsOf(episode) }));
}

function rowOf(silence: StoredSilence, episodes: readonly Labelled[], ctx: Ctx): SilenceRow {
  const now = ctx.now.getTime();
  const mine = episodes.filter(({ labels }) => matches(silence.matchers, labels));
  const hidden = mine.flatMap(({ episode }) => {
    const spans = silentSpans(silence, episode.firedAt, Math.min(now, episode.resolvedAt ?? now));
    return spans.length === 0 ? [] : [{ episode, spans }];
  });
  const { createdById, ...shown } = silence;
  const phase = phaseOf(silence, now);
  const isOwn = ctx.actor.kind === "user" && ctx.actor.id === createdById;
  return {
    ...shown,
    phase,
    changesAt: changesAt(silence, now),
    hidesNow: holdsAt(silence, now) ? mine.filter(({ episode }) => episode.resolvedAt === null).length : 0,
    hidden: hidden.length,
    spentMicros: spent(hidden)?.toString() ?? null,
    mayEnd: phase !== "over" && (isOwn ? can(ctx.actor, "alert:acknowledge") : can(ctx.actor, "rule:write")),
  };
}

function changesAt(silence: StoredSilence, now: number): number | null {
  const [next] = silentSpans(silence, now, silence.endsAt);
  if (!next) return null;
  return next.from > now ? next.from : next.to;
}

/** Two alerts on one machine cost its price once. */
function spent(hidden: readonly { episode: FiredEpisode; spans: Window[] }[]): bigint | null {
  const machines = new Map<string, { priceMicros: bigint | null; spans: Window[] }>();
  for (const { episode, spans } of hidden) {
    if (episode.resourceId === null) continue;
    const machine = machines.get(episode.resourceId) ?? { priceMicros: episode.priceMicros, spans: [] };
    machine.spans.push(...spans);
    machines.set(episode.resourceId, machine);
  }
  let sum = 0n;
  for (const { priceMicros, spans } of machines.values())
    for (const { from, to } of joined(spans)) {
      const micros = burnedMicros(priceMicros, from, to);
      if (micros === null) return null;
      sum += micros;
    }
  return sum;
}

function joined(spans: readonly Window[]): Window[] {
  const result: Window[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

function hiddenAlert({ episode }: Labelled): HiddenAlert {
  const { alertId, ruleName, severity, target, firedAt, resolvedAt } = episode;
  return { alertId, ruleName, severity, target, firedAt, resolvedAt };
}
