import { resourceOfIntent } from "@/lib/db/fleet/resources";
import { type GpuIdentity, matchResources, type Source, touchGpus } from "@/lib/db/telemetry/identity";
import { markUsed, type Token } from "@/lib/db/tokens";
import { AppError } from "@/lib/errors";
import { askingTogether } from "@/lib/services/asking";
import { findToken } from "@/lib/services/tokens";

/*
 * Who sends is asked with every report, and hardly ever changes: what was found out is remembered for a short while, and
 * forgotten at once when the sender's row says otherwise.
 */

const REMEMBERED_MS = 30_000;
/** A token's last use is known to the minute. */
const MARKED_MS = 60_000;
const MOST_REMEMBERED = 20_000;

class Memory<T> {
  private readonly entries = new Map<string, { value: T; at: number }>();

  constructor(private readonly forMs = REMEMBERED_MS) {}

  get(key: string, now: number): T | undefined {
    const entry = this.entries.get(key);
    return entry && Math.abs(now - entry.at) < this.forMs ? entry.value : undefined;
  }

  set(key: string, value: T, now: number): void {
    if (this.entries.size >= MOST_REMEMBERED) this.entries.clear();
    this.entries.set(key, { value, at: now });
  }
}

const used = new Memory<true>(MARKED_MS);
const machines = new Memory<string | null>();
/** Several ways to speak of one card: parts of it may come in different requests. */
const identities = new Memory<{
  resourceId: string | null;
  said: Map<string, Set<string>>;
  ids: Map<string, number>;
}>();
const MOST_WAYS = 8;

/** A fleet shares a token. */
const askToken = askingTogether(findToken, (bearer) => bearer);

/** The sender's credential, if it may write telemetry. */
export async function senderToken(bearer: string | null, now: Date): Promise<Token> {
  const token = bearer ? await askToken(bearer, now) : null;
  if (!token) throw new AppError("unauthenticated", "The token is missing, wrong, revoked or has run out.");
  if (token.kind !== "ingest" && token.kind !== "enrolment")
    throw new AppError("forbidden", "This token may not write telemetry.");
  if (!used.get(token.id, now.getTime())) {
    await markUsed(token.id, now);
    used.set(token.id, true, now.getTime());
  }
  return token;
}

/** The machine that a token was made for; for a shared token, the one machine with the sender's address or host name. */
export async function machineOf(
  token: Token,
  hostname: string,
  privateIp: string | null,
  now: Date,
): Promise<string | null> {
  if (token.resourceId) return token.resourceId;
  const key = `${token.id} ${hostname} ${privateIp}`;
  const known = machines.get(key, now.getTime());
  if (known !== undefined) return known;
  const found = token.intentId
    ? await resourceOfIntent(token.intentId)
    : only(await matchResources(hostname, privateIp));
  // Nobody yet is asked again with the next report: a machine that was just launched waits for nothing.
  if (found !== null) machines.set(key, found, now.getTime());
  return found;
}

function only(found: readonly string[]): string | null {
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The rows of the GPUs that a sender speaks of, made where new, refreshed where it says something else than last time. */
export async function gpusOf(
  source: Source,
  said: ReadonlyMap<string, GpuIdentity>,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  if (said.size === 0) return new Map();
  const words = new Map([...said].map(([key, identity]) => [key, JSON.stringify(identity)]));
  const before = identities.get(source.id, now.getTime());
  const known =
    before?.resourceId === source.resourceId
      ? before
      : { resourceId: source.resourceId, said: new Map<string, Set<string>>(), ids: new Map<string, number>() };
  const fresh = [...words].filter(([key, text]) => !known.said.get(key)?.has(text)).map(([key]) => key);
  if (fresh.length > 0) {
    const touched = await touchGpus(
      source,
      fresh.map((key) => said.get(key)).filter((one) => one !== undefined),
      now,
    );
    for (const [key, { id }] of touched) {
      const ways = known.said.get(key) ?? new Set();
      if (ways.size >= MOST_WAYS) ways.clear();
      known.said.set(key, ways.add(words.get(key) ?? ""));
      known.ids.set(key, id);
    }
    if (known !== before) identities.set(source.id, known, now.getTime());
  }
  return new Map(
    [...words.keys()].flatMap((key) => (known.ids.has(key) ? [[key, known.ids.get(key) ?? 0] as const] : [])),
  );
}
