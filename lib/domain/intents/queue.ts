import { z } from "zod";
import type { IntentKind, IntentState } from "./intent";

/** What a request takes of the provider's limits: one call a second, one launch every 12 s, with a little room. */
export type Pacing = { callMs: number; launchMs: number };

/** A request that waits to be sent, in the order in which the worker takes them. */
export type Waiting = { id: string; kind: IntentKind; nextSendAt: number | null };

/** A look before the act, and the act itself. */
const CALLS_OF: Record<IntentKind, number> = { terminate: 2, restart: 2, launch: 1 };

/**
 * When the turn of each comes, first one first. A launch waits for the limit on launches as well, the first of them until
 * `launchTurn`.
 */
export function etasOf(
  waiting: readonly Waiting[],
  { callMs, launchMs }: Pacing,
  now: number,
  launchTurn: number | null,
): Map<string, number> {
  const etas = new Map<string, number>();
  let calls = now;
  let launches = Math.max(now, launchTurn ?? now);
  for (const { id, kind, nextSendAt } of waiting) {
    const free = kind === "launch" ? Math.max(calls, launches) : calls;
    const at = Math.max(free, nextSendAt ?? 0);
    etas.set(id, at);
    calls += CALLS_OF[kind] * callMs;
    if (kind === "launch") launches = at + launchMs;
  }
  return etas;
}

/** What was done about a request so far and what comes next, as pieces of a sentence: instants are drawn by the page. */
export type Story = { text: string; at: number | null }[];

export type StoryFacts = {
  kind: IntentKind;
  state: IntentState;
  sends: number;
  acceptedAt: number | null;
  sentAt: number | null;
  nextSendAt: number | null;
  lookUntil: number | null;
  watchUntil: number | null;
  approvalExpiresAt: number | null;
  etaAt: number | null;
  settledAt: number | null;
  error: string | null;
};

const say = (text: string, at: number | null = null) => ({ text, at });
const times = (sends: number) => (sends === 1 ? "Sent once" : `Sent ${sends} times`);

export function storyOf(facts: StoryFacts): Story {
  const because = facts.error === null ? "" : ` ${facts.error.replace(/\.$/, "")}.`;
  switch (facts.state) {
    case "draft":
      return [say("Not asked for yet.")];
    case "awaiting_approval":
      return [say("Waits for a second person, until", facts.approvalExpiresAt)];
    case "ready":
      if (facts.sends > 0) return [say(`${times(facts.sends)};${because} Sent again`, facts.nextSendAt ?? facts.etaAt)];
      if (facts.error !== null) return [say(`Nothing left us:${because} Tried again`, facts.nextSendAt ?? facts.etaAt)];
      return [say("Its turn comes", facts.etaAt)];
    case "sending":
      if (facts.kind !== "terminate") return [say("Being sent since", facts.sentAt)];
      if (facts.acceptedAt !== null)
        return [say("Lambda said yes", facts.acceptedAt), say("; asked again every 30 s until it is gone.")];
      return [say(`${times(facts.sends)}, and nobody said yes.${because} Again`, facts.nextSendAt)];
    case "indeterminate":
      return [say(`Nobody answered.${because} Never sent again; its machine is looked for until`, facts.lookUntil)];
    case "confirmed":
      return [say(facts.kind === "terminate" ? "Gone from Lambda’s list." : "Lambda said yes.")];
    case "adopted":
      return [say("Its machine was found by its mark.")];
    case "refused":
      return [say(`Refused:${because || " Lambda did not say why."}`)];
    case "closed_unconfirmed":
      return facts.watchUntil === null
        ? [say(because.trim() || "Nobody answered.")]
        : [say(`${because.trim()} On watch until`, facts.watchUntil)];
    case "cancelled":
      return [say(because.trim() || "Taken back before it was sent.")];
    case "expired":
      return [say(because.trim() || "Its time was up before it was sent.")];
  }
}

export type QueueRow = {
  id: string;
  kind: IntentKind;
  state: IntentState;
  name: string;
  typeName: string | null;
  region: string | null;
  by: string;
  reason: string | null;
  isByPolicy: boolean;
  batchId: string | null;
  instanceId: string | null;
  createdAt: number;
  settledAt: number | null;
  /** Place among those that wait to be sent, from 1; null: it does not wait for a turn. */
  place: number | null;
  etaAt: number | null;
  story: Story;
  isCancellable: boolean;
};

/** A launch whose machine never turned up, and what it would take for its own if it did. */
export type WatchedRow = {
  id: string;
  name: string;
  typeName: string;
  region: string;
  by: string;
  sentAt: number | null;
  watchUntil: number;
  /** The tag that its machine carries. */
  tag: string;
  /** Machines without a launch of ours that could be it. */
  candidates: { id: string; name: string; firstSeenAt: number; launchedBy: string | null }[];
};

export type QueueAnswer = {
  now: number;
  isFrozen: boolean;
  /** Waiting for a turn or for a second person, and those that are being sent or looked for. */
  open: QueueRow[];
  watched: WatchedRow[];
  /** Settled within the last day, the newest first. */
  settled: QueueRow[];
};

export const AdoptMachine = z.object({ intentId: z.uuid(), instanceId: z.uuid() });
export type AdoptMachine = z.output<typeof AdoptMachine>;
