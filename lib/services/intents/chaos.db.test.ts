import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { guarded, makeDatabaseDeadly } from "@/lib/testing/kills";

vi.mock("undici", async (original) => {
  const undici = await original<typeof import("undici")>();
  const request = (...args: Parameters<typeof undici.request>) => guarded(() => undici.request(...args));
  return { ...undici, request };
});

const { storm } = await import("@/lib/testing/chaos");
const { rows, startWorld } = await import("@/lib/testing/world");
const { DEFAULT_KEY } = await import("@/lib/simulator/start");
const { statusAt } = await import("@/lib/simulator/lifecycle");

/** Launches and terminations; `npm run soak` asks for 10,000. */
const ROUNDS = Number(process.env.HOPPERDECK_CHAOS_ROUNDS ?? 200);
const SEED = Number(process.env.HOPPERDECK_CHAOS_SEED ?? 1);
const STORM = 200;
const OTHER_KEY = "secret_simulator_changes_0123456789ab";

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld({ apiKeys: [DEFAULT_KEY, OTHER_KEY], behaviour: { bootMs: 60_000, terminateMs: 45_000 } });
  vi.stubEnv("LAMBDA_API_KEY_MUTATE", OTHER_KEY);
  makeDatabaseDeadly();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

type Known = {
  id: string;
  kind: "launch" | "terminate" | "restart";
  state: string;
  sends: number;
  settled: boolean;
  externalId: string | null;
  target: string | null;
  linked: string | null;
};

/** Everything that must never be, found in the simulator's truth and in our records; empty: all is well. */
async function findings(): Promise<string[]> {
  const found: string[] = [];
  const { state } = world.cloud.cloud;
  const now = world.now();
  const intents = await rows<Known>(
    `select i.id, i.kind, i.state, i.sends, i.settled_at is not null as settled, i.external_id as "externalId",
            t.external_id as target, l.external_id as linked
     from intent i left join resource t on t.id = i.target_id left join resource l on l.launch_intent_id = i.id`,
  );
  const resources = await rows<{ externalId: string; isGone: boolean; reason: string | null }>(
    `select external_id as "externalId", gone_at is not null as "isGone", gone_reason::text as reason from resource where kind = 'instance'`,
  );
  const markOf = (tags: { key: string; value: string }[]) => tags.find(({ key }) => key === "hopperdeck-intent")?.value;
  const isThere = (machine: (typeof state.machines)[number]) => statusAt(machine, now) !== "terminated";

  for (const intent of intents) {
    const say = (words: string) => found.push(`${intent.kind} ${intent.id} (${intent.state}): ${words}`);
    if (!intent.settled) say("is not settled");
    if (intent.kind !== "launch") continue;
    const made = state.machines.filter(({ tags }) => markOf(tags) === intent.id);
    const asked = world.requests.filter(
      ({ method, path, body }) => method === "POST" && path.endsWith("/launch") && body.includes(intent.id),
    );
    if (made.length > 1) say(`launched ${made.length} machines`);
    if (asked.length > 1) say(`was sent ${asked.length} times`);
    const hasOne = intent.state === "confirmed" || intent.state === "adopted";
    // A machine that ended from outside before it was ever listed is nobody's loss.
    const [machine] = made;
    const wasSeen = machine && resources.some(({ externalId }) => externalId === machine.id);
    if (machine && isThere(machine) && !hasOne) say("has a machine that it does not know");
    if (machine && wasSeen && !hasOne) say("has a machine that was listed, and does not say so");
    if (!machine && hasOne) say("says that it has a machine");
    if (hasOne && machine && intent.externalId !== machine.id) say(`names ${intent.externalId}, not ${machine.id}`);
    if (wasSeen && intent.linked !== machine.id) say("is not tied to its machine");
  }

  const mutate = state.audit.filter(({ actor }) => actor.apiKeyLrn !== null);
  for (const { resourceIds } of mutate.filter(({ action }) => action === "terminated"))
    for (const id of resourceIds)
      if (!intents.some(({ kind, target, state: now }) => kind === "terminate" && target === id && now === "confirmed"))
        found.push(`machine ${id}: was terminated, and nobody who asked for it knows`);
  for (const one of state.machines) {
    const ends = intents.filter(({ kind, target }) => kind === "terminate" && target === one.id);
    const record = resources.find(({ externalId }) => externalId === one.id);
    if (ends.some(({ state: now }) => now === "confirmed") && isThere(one))
      found.push(`machine ${one.id}: was said to be terminated and runs`);
    if (isThere(one) && !record) found.push(`machine ${one.id}: runs and is forgotten`);
    if (isThere(one) && record?.isGone) found.push(`machine ${one.id}: runs and is called gone (${record.reason})`);
    if (!isThere(one) && record && !record.isGone) found.push(`machine ${one.id}: is gone and is said to run`);
    const restarts = intents.filter(({ kind, target, sends }) => kind === "restart" && target === one.id && sends > 0);
    if (one.restarts.length > restarts.length)
      found.push(`machine ${one.id}: restarted ${one.restarts.length} times for ${restarts.length} requests`);
  }
  for (const { externalId } of resources)
    if (!state.machines.some(({ id }) => id === externalId))
      found.push(`record ${externalId}: there is no such machine`);
  return found;
}

const storms = Array.from({ length: Math.ceil(ROUNDS / STORM) }, (_, i) => SEED + i);

test.each(storms)(
  "storm %i: nothing is launched twice, terminated unasked or forgotten, and every intent ends",
  async (seed) => {
    const began = performance.now();
    const told = await storm(world, seed, Math.min(STORM, ROUNDS));
    const found = await findings();
    const ended = await rows<{ kind: string; state: string; n: number }>(
      "select kind::text, state::text, count(*)::int as n from intent group by 1, 2 order by 1, 2",
    );
    if (found.length > 0 || process.env.HOPPERDECK_CHAOS_ROUNDS)
      process.stdout.write(
        `${JSON.stringify({ seed, ...told, tookMs: Math.round(performance.now() - began), ended: ended.map(({ kind, state, n }) => `${kind} ${state} ${n}`), found })}\n`,
      );
    expect(found, `HOPPERDECK_CHAOS_SEED=${seed} does it again`).toEqual([]);
    expect(told.kills).toBeGreaterThan(5);
    expect(told.faults).toBeGreaterThan(20);
  },
  600_000,
);
