import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { stubEnv } from "@/lib/testing/env";
import { guarded, makeDatabaseDeadly } from "@/lib/testing/kills";

vi.mock("undici", async (original) => {
  const undici = await original<typeof import("undici")>();
  const request = (...args: Parameters<typeof undici.request>) => guarded(() => undici.request(...args));
  return { ...undici, request };
});

const { storm } = await import("@/lib/testing/chaos");
const { findings } = await import("@/lib/testing/chaos-findings");
const { rows, startWorld } = await import("@/lib/testing/world");
const { DEFAULT_KEY } = await import("@/lib/simulator/start");

/** Launches and terminations; `npm run soak` asks for 10,000. */
const ROUNDS = Number(process.env.HOPPERDECK_CHAOS_ROUNDS ?? 200);
const SEED = Number(process.env.HOPPERDECK_CHAOS_SEED ?? 1);
const STORM = ROUNDS > 1_000 ? 400 : 200;
const OTHER_KEY = "secret_simulator_changes_0123456789ab";

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld({ apiKeys: [DEFAULT_KEY, OTHER_KEY], behaviour: { bootMs: 60_000, terminateMs: 45_000 } });
  stubEnv({ LAMBDA_API_KEY_MUTATE: OTHER_KEY });
  makeDatabaseDeadly();
});
beforeEach(() => world.reset());
afterAll(async () => {
  // Tests of the same worker share its settings.
  await rows("delete from setting where id in ('guardrails', 'automation')");
  await world.close();
});

const storms = Array.from({ length: Math.ceil(ROUNDS / STORM) }, (_, i) => SEED + i);

test.each(storms)(
  "storm %i: nothing is launched twice, terminated unasked or forgotten, nothing goes unagreed, and every intent ends",
  async (seed) => {
    const began = performance.now();
    const told = await storm(world, seed, Math.min(STORM, ROUNDS));
    const found = [...told.wrong, ...(await findings(world))];
    const ended = await rows<{ kind: string; state: string; n: number }>(
      "select kind::text, state::text, count(*)::int as n from intent group by 1, 2 order by 1, 2",
    );
    const decided = await rows<{ approved: number; expired: number; policies: number }>(
      `select count(*) filter (where approved_by_id is not null)::int as approved,
              count(*) filter (where approval_expires_at is not null and state = 'expired')::int as expired,
              count(*) filter (where policy_id is not null)::int as policies from intent`,
    );
    if (found.length > 0 || process.env.HOPPERDECK_CHAOS_ROUNDS)
      process.stdout.write(
        `${JSON.stringify({ seed, ...told, ...decided[0], tookMs: Math.round(performance.now() - began), ended: ended.map(({ kind, state, n }) => `${kind} ${state} ${n}`), found })}\n`,
      );
    expect(found, `HOPPERDECK_CHAOS_SEED=${seed} does it again`).toEqual([]);
    expect(told.kills).toBeGreaterThan(5);
    expect(told.faults).toBeGreaterThan(20);
    expect(told.doubles).toBeGreaterThan(5);
    expect(told.approvals + told.refusals + told.glass + told.own).toBeGreaterThan(5);
    for (const what of ["approvals", "own", "switches", "policyEnds"] as const)
      expect(told[what], what).toBeGreaterThan(0);
    expect(decided[0]?.approved).toBeGreaterThan(0);
  },
  1_800_000,
);
