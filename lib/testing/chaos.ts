import { setTestClock } from "@/lib/db/clock";
import type { Ctx } from "@/lib/domain/access";
import { NewLaunch } from "@/lib/domain/intents/launch";
import { AppError } from "@/lib/errors";
import { pollCatalog, pollEvents, pollInstances, pollTypes } from "@/lib/services/fleet/poll";
import { requestBatch } from "@/lib/services/intents/batch";
import { cancelIntent, requestRestart, requestTerminate } from "@/lib/services/intents/change";
import { readChangeEvidence, readEvidences } from "@/lib/services/intents/evidence";
import { derivedId } from "@/lib/services/intents/hash";
import { requestLaunch } from "@/lib/services/intents/launch";
import { sendIntents, settleIntents } from "@/lib/services/intents/send";
import { runPolicies } from "@/lib/services/policies/run";
import { admin, launchBody } from "@/lib/simulator/testing";
import { Automation } from "./chaos-automation";
import { Deciders } from "./chaos-deciders";
import { diceOf } from "./chaos-dice";
import { mortal } from "./kills";
import { as } from "./people";
import { rows, type World } from "./world";

/** A little more than the provider wants between two launches: one in each step. */
const STEP_MS = 13_000;
const LAUNCH = { method: "POST", path: "/instance-operations/launch" };
const END = { method: "POST", path: "/instance-operations/terminate" };
const LIST = { method: "GET", path: "/instances" };
const EXTERNAL = "gpu_1x_a10";

/** What may strike; some of it twice as often. `count` is drawn where it is not given. */
const FAULTS: readonly Record<string, unknown>[] = [
  { name: "launch_timeout_created", resetAfterMs: 1 },
  { name: "launch_timeout_created", resetAfterMs: 1 },
  { name: "launch_timeout_not_created", resetAfterMs: 1 },
  { name: "launch_500_created" },
  { name: "answer_lost", resetAfterMs: 1, method: "POST" },
  { name: "answer_500", method: "POST" },
  { name: "answer_page", ...LAUNCH },
  { name: "answer_page", status: 200, ...END },
  { name: "answer_lost", resetAfterMs: 1, ...LIST },
  { name: "odd_ids", ids: 0 },
  { name: "odd_ids", ids: 2 },
  { name: "rate_limited" },
  { name: "rate_limited", retryAfter: 3, ...LAUNCH },
  { name: "server_error" },
  { name: "server_error", status: 503, ...LAUNCH },
  { name: "server_error", status: 503, ...END },
  { name: "edge_page", status: 403 },
  { name: "edge_page", status: 200, ...LIST },
  { name: "edge_page", status: 502, ...END },
  { name: "edge_page", status: 520, ...LAUNCH },
  { name: "hang", resetAfterMs: 1, ...LAUNCH },
  { name: "hang", resetAfterMs: 1, ...LIST },
  { name: "empty_list" },
  { name: "half_list" },
  { name: "half_list", keep: 1 },
  { name: "list_lag", seconds: 30 },
  { name: "list_lag", seconds: 120 },
  { name: "unknown_by_id", seconds: 20 },
  { name: "terminate_not_found" },
  { name: "insufficient_capacity" },
  { name: "unhealthy_boot" },
  { name: "unauthorised" },
  { name: "unauthorised", ...END },
  { name: "account_inactive" },
  { name: "unknown_status" },
  { name: "extra_fields" },
  { name: "null_fields" },
  { name: "audit_out_of_order" },
  { name: "audit_lag", seconds: 300 },
];

/** What goes wrong while policies end machines, after the last launch: their outcomes alone must be known for that. */
const LATE_FAULTS = FAULTS.filter((fault) => !("path" in fault && fault.path === LAUNCH.path));
/** Long enough for leases to end with their notice, and for approvals to expire. */
const LATE_MS = 31 * 60_000;
const LATE_STEP_MS = 29_000;
/** The rest is ended by people; what they leave is for the policies. */
const LAUNCHED_SHARE = 0.6;

export type Told = {
  launches: number;
  ends: number;
  restarts: number;
  kills: number;
  faults: number;
  clicks: number;
  /** Forms that were sent twice at the same moment, or once more later. */
  doubles: number;
  /** Times that somebody agreed, refused, went ahead alone, or tried to agree to what was one's own. */
  approvals: number;
  refusals: number;
  glass: number;
  own: number;
  /** Times that the switch was turned, and machines that policies asked Lambda to end. */
  switches: number;
  policyEnds: number;
  turns: number;
  /** What was done against the rules of the house, as it was seen at that moment. */
  wrong: string[];
};

/**
 * One storm: so many launches and terminations are asked for and sent while everything goes wrong; then the weather clears, and
 * the work goes on until every intent is settled. The same seed, the same storm.
 */
export async function storm(world: World, seed: number, rounds: number): Promise<Told> {
  const { cloud } = world.cloud;
  cloud.state.quota = 1_000;
  const dice = diceOf(`storm/${seed}`);
  const { draw, happens, upTo } = dice;
  const told: Told = {
    launches: 0,
    ends: 0,
    restarts: 0,
    kills: 0,
    faults: 0,
    clicks: 0,
    doubles: 0,
    approvals: 0,
    refusals: 0,
    glass: 0,
    own: 0,
    switches: 0,
    policyEnds: 0,
    turns: 0,
    wrong: [],
  };

  const operator = await as("operator", world.ctx().now);
  const person = (): Ctx => {
    const { now } = world.ctx();
    return { ...operator, now, actor: { ...operator.actor, signedInAt: now } };
  };
  const deciders = await Deciders.gather(world, operator, dice);
  const automation = await Automation.start(world, deciders.admin, dice);

  async function moveOn(stepMs = STEP_MS): Promise<void> {
    told.turns += 1;
    const at = world.now() + stepMs;
    await setTestClock(new Date(at));
    // Machines report nowhere: this is not about telemetry.
    for (const machine of cloud.state.machines) machine.agent.target = null;
    cloud.clock.moveTo(at);
  }

  const newId = () => derivedId([seed, dice.next()]);
  /** After how many waits a worker, or a request to the web, dies. Drawn before anything runs at the same time. */
  const lifetime = (chance: number) => (happens(chance) ? upTo(40) : Number.POSITIVE_INFINITY);

  async function live(waits: number, work: () => Promise<unknown>): Promise<void> {
    if (await mortal(waits, work)) told.kills += 1;
  }

  /** A form that is sent once, twice at the same moment, or again after the web died over it. */
  async function click(act: () => Promise<unknown>): Promise<void> {
    const send = async () => {
      told.clicks += 1;
      // What is refused is shown to the person, who lets it be.
      await act().catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
    };
    const lives = happens(0.25) ? [lifetime(0.2), lifetime(0.2)] : [lifetime(0.2)];
    const isRepeated = happens(0.15);
    if (isRepeated || lives.length > 1) told.doubles += 1;
    await Promise.all(lives.map((waits) => live(waits, send)));
    if (isRepeated) await send();
  }

  /** One machine, or several at once. */
  async function launch(most: number): Promise<void> {
    const count = Math.min(most, upTo(4));
    const name = count === 1 ? `gh-${dice.next()}` : `gh-${dice.next()}-{n}`;
    const input = NewLaunch.parse({
      intentId: newId(),
      typeName: "gpu_1x_gh200",
      region: "us-east-3",
      sshKeyName: "team-key",
      name,
      count,
      team: "research",
      purpose: name,
      priceMicros: "2290000",
      accepted: ["connection", "quota", "capacity", "name", "owner", "budget", "reuse", "agent"],
    });
    await click(() => requestLaunch(person(), input));
    told.launches += count;
  }

  /** Machines that are there and that nobody asked to change, as many as fit. */
  async function choose(most: number): Promise<string[]> {
    const known = await rows<{ id: string }>(
      `select r.id from resource r where r.kind = 'instance' and r.gone_at is null
         and not exists (select 1 from intent i where i.target_id = r.id and i.settled_at is null) order by r.first_seen_at, r.external_id`,
    );
    const from = Math.floor(draw() * known.length);
    return known.slice(from, from + most).map(({ id }) => id);
  }

  async function end(most: number): Promise<void> {
    const instanceIds = await choose(Math.min(most, upTo(4)));
    // Nothing is left to end: somebody launches another from the console.
    if (instanceIds.length === 0) return launchOutside();
    told.ends += instanceIds.length;
    const [only, ...others] = instanceIds;
    if (only && others.length === 0) return change("terminate", only);
    const { rows: evidences } = await readEvidences(person(), { instanceIds, filter: "" });
    const input = {
      batchId: newId(),
      machines: evidences.map(({ instanceId, planHash, seen, concerns }) => ({
        instanceId,
        planHash,
        seen,
        accepted: concerns.map(({ key }) => key),
      })),
      confirmation: String(evidences.length),
      ticked: evidences.flatMap(({ checklist }) => checklist.items.map(({ text }) => text)),
      reason: "",
    };
    await click(() => requestBatch(person(), input));
  }

  async function change(kind: "terminate" | "restart", instanceId: string): Promise<void> {
    const intentId = newId();
    const ask = kind === "terminate" ? requestTerminate : requestRestart;
    const evidence = await readChangeEvidence(person(), { instanceId, kind });
    await click(() =>
      ask(person(), {
        intentId,
        instanceId,
        planHash: evidence.planHash,
        seen: evidence.seen,
        confirmation: evidence.confirmation.text,
        accepted: evidence.concerns.map(({ key }) => key),
        ticked: evidence.checklist.items.map(({ text }) => text),
        reason: "",
      }),
    );
  }

  async function launchOutside(): Promise<void> {
    const where = { instance_type_name: EXTERNAL, region_name: "us-west-1", name: `outside-${dice.next()}` };
    await admin(world.cloud, "POST", "/launch-outside", launchBody(where));
  }

  async function meddle(): Promise<void> {
    const there = cloud.state.machines.filter(({ terminateRequestedAt }) => terminateRequestedAt === null);
    const one = there[Math.floor(draw() * there.length)];
    const what = draw();
    if (what < 0.3) await launchOutside();
    else if (one && what < 0.55) await admin(world.cloud, "POST", "/terminate-outside", { id: one.id });
    else if (one && what < 0.7) one.names.push({ from: cloud.now(), value: `renamed-${told.launches}` });
    else if (one && what < 0.8) one.healths.push({ from: cloud.now(), value: "unhealthy" });
    else {
      const [waiting] = await rows<{ id: string }>("select id from intent where state = 'ready' order by id limit 1");
      if (waiting) await click(() => cancelIntent(person(), { intentId: waiting.id }));
    }
  }

  /** Two workers at once, each with all that is due. */
  async function turn(chance: number, isAutomatic = true): Promise<void> {
    const due = (everyMs: number) => Math.floor(world.now() / everyMs) > Math.floor((world.now() - STEP_MS) / everyMs);
    const works = [pollInstances, sendIntents, settleIntents];
    if (isAutomatic && due(30_000)) works.push(runPolicies);
    await automation.report();
    // Each is busy with something else now and then.
    const workers = [1, 2].map(() =>
      works.filter(() => happens(0.6)).map((work) => ({ work, waits: lifetime(chance) })),
    );
    await Promise.all(
      workers.map(async (worker) => {
        for (const { work, waits } of worker) await live(waits, () => work(world.ctx()));
      }),
    );
    if (due(60_000)) await Promise.all([pollTypes, pollEvents].map((poll) => poll(world.ctx()).catch(() => {})));
    told.wrong.push(...(await automation.judge()));
  }

  /** People agree and refuse, the house changes its mind, work comes and goes, somebody turns the switch. */
  async function liveOn(isLate = false): Promise<void> {
    if (!isLate && happens(0.12)) await deciders.changeRules();
    if (happens(0.3)) await deciders.decide(click);
    await automation.live(click);
  }

  async function strike(faults: readonly Record<string, unknown>[]): Promise<void> {
    if (happens(0.5)) {
      const fault = dice.pick(faults);
      if (world.cloud.faults.add({ count: upTo(3), ...fault })) told.faults += 1;
    }
    if (happens(0.2)) world.cloud.faults.clear(null);
  }

  const launches = Math.round(rounds * LAUNCHED_SHARE);
  const ends = rounds - launches;
  await moveOn();
  await pollTypes(world.ctx());
  await pollCatalog(world.ctx());
  await turn(0);
  while (told.launches + told.ends < rounds) {
    await moveOn();
    await strike(FAULTS);
    if (told.launches < launches && happens(0.45)) await launch(launches - told.launches);
    if (told.ends < ends && happens(0.4)) await end(ends - told.ends);
    if (happens(0.06)) {
      const [one] = await choose(1);
      if (one) await change("restart", one);
      if (one) told.restarts += 1;
    }
    if (happens(0.12)) await meddle();
    await liveOn();
    await turn(0.08);
  }
  await deciders.rest();
  const late = world.now() + LATE_MS;
  while (world.now() < late) {
    await moveOn(LATE_STEP_MS);
    await strike(LATE_FAULTS);
    await liveOn(true);
    await turn(0.08);
  }
  world.cloud.faults.clear(null);
  const deadline = world.now() + 6 * 3_600_000;
  while (await isOpen()) {
    if (world.now() > deadline) throw new Error("Some intent never ends");
    await moveOn();
    await turn(0, false);
  }
  // What was listed late is seen, and what went is gone.
  for (let i = 0; i < 14; i++) {
    await moveOn();
    await turn(0, false);
  }
  return { ...told, ...deciders.told, ...automation.told };
}

async function isOpen(): Promise<boolean> {
  return (await rows("select 1 from intent where settled_at is null limit 1")).length > 0;
}
