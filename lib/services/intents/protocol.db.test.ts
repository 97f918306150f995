import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { findIntent, type Intent, insertIntent } from "@/lib/db/intents";
import { mutate } from "@/lib/db/mutate";
import type { Ctx, Role } from "@/lib/domain/access";
import { INTENT_STATES, type IntentState, mayMove, SETTLED } from "@/lib/domain/intents/intent";
import { evaluateAlerts } from "@/lib/services/alerts/evaluate";
import { DEFAULT_KEY } from "@/lib/simulator/start";
import { by, person } from "@/lib/testing/alerting";
import { stubEnv } from "@/lib/testing/env";
import {
  askForLaunch,
  askToEnd,
  intentOf,
  LAUNCH,
  posts,
  resources,
  running,
  SEND,
  TERMINATE,
  work,
} from "@/lib/testing/intents";
import { rows, startWorld, told, type World } from "@/lib/testing/world";
import { approveIntent, breakGlass, countApprovers, refuseIntent } from "./approve";
import { cancelIntent } from "./change";
import { adoptMachine, readQueue } from "./queue";
import { settleIntents } from "./send";

const OTHER_KEY = "secret_simulator_changes_0123456789ab";
const HOUR = 3_600_000;

let world: World;
beforeAll(async () => {
  world = await startWorld({ apiKeys: [DEFAULT_KEY, OTHER_KEY], behaviour: { bootMs: 30_000, terminateMs: 30_000 } });
  stubEnv({ LAMBDA_API_KEY_MUTATE: OTHER_KEY });
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const as = async (role: Role, name: string): Promise<Ctx> => {
  const actor = await person(name, role);
  return by({ ...actor, signedInAt: new Date(world.now()) }, world.now());
};
const hashOf = (intent: Intent) => Buffer.from(intent.planHash).toString("hex");
const machines = () => world.cloud.cloud.state.machines;
const faults = (name: string, more: object = {}) => world.cloud.faults.add({ name, ...more });

/** An intent that somebody asked for and that waits for a second person. */
async function askedBy(ctx: Ctx, more: { kind?: "launch" | "terminate" } = {}): Promise<Intent> {
  const id = await askForLaunch(world);
  const known = await intentOf(id);
  await prisma.token.deleteMany({ where: { intentId: id } });
  await prisma.intent.delete({ where: { id } });
  const { request, plan } = known;
  await mutate(ctx, "fleet:read", async (tx) => {
    await insertIntent(tx, {
      id,
      kind: "launch",
      connectionId: known.connectionId,
      targetId: null,
      request,
      plan,
      reason: null,
      requestedById: ctx.actor.kind === "user" ? ctx.actor.id : null,
      requestedBy: ctx.actor.name,
      createdAt: ctx.now,
      planHash: new Uint8Array(known.planHash),
      approvalExpiresAt: new Date(world.now() + HOUR),
      ...more,
    });
    return { action: "launch.requested", subjectKind: "intent", subjectId: id, subject: "gh", result: null };
  });
  return intentOf(id);
}

describe("the database keeps to the table of states", () => {
  test("every step that the table lacks is refused, every other one is taken", async () => {
    const template = await intentOf(await askForLaunch(world));
    const wrong: string[] = [];
    for (const from of INTENT_STATES) {
      const id = randomUUID();
      await put(id, from, template);
      for (const to of INTENT_STATES) {
        if (from === to) continue;
        const isTaken = await move(id, to);
        if (isTaken !== mayMove(from, to)) wrong.push(`${from} to ${to}: ${isTaken ? "taken" : "refused"}`);
        if (isTaken) {
          await prisma.intent.delete({ where: { id } });
          await put(id, from, template);
        }
      }
      await prisma.intent.delete({ where: { id } });
    }
    expect(wrong).toEqual([]);
  });

  const times = (state: IntentState) => ({
    sentAt: new Date(0),
    settledAt: SETTLED.includes(state) ? new Date(0) : null,
  });
  const put = (id: string, state: IntentState, { connectionId, planHash, requestedBy }: Intent) =>
    prisma.intent.create({
      data: {
        id,
        token: id,
        kind: "launch",
        state,
        connectionId,
        request: {},
        requestedBy,
        planHash: new Uint8Array(planHash),
        createdAt: new Date(0),
        ...times(state),
      },
    });
  const move = (id: string, state: IntentState) =>
    prisma.intent.update({ where: { id }, data: { state, ...times(state) } }).then(
      () => true,
      () => false,
    );
});

describe("a second person", () => {
  test("lets it be sent; the one who asked cannot, nor can a program", async () => {
    const ada = await as("operator", "Ada");
    const grace = await as("admin", "Grace");
    const intent = await askedBy(ada);
    const word = { intentId: intent.id, planHash: hashOf(intent) };
    expect(intent).toMatchObject({ state: "awaiting_approval", queuedAt: null });
    await work(world, 60_000);
    expect(posts(world, LAUNCH)).toHaveLength(0);

    await expect(approveIntent(ada, word)).rejects.toThrow(/You asked for this yourself/);
    const token = await prisma.token.create({
      data: {
        kind: "api",
        name: "ci",
        prefix: "0".repeat(12),
        secretHash: new Uint8Array(32),
        role: "admin",
        createdAt: ada.now,
        createdById: ada.actor.kind === "user" ? ada.actor.id : null,
      },
    });
    await expect(
      approveIntent({ actor: { kind: "token", id: token.id, name: "ci", role: "admin" }, now: ada.now }, word),
    ).rejects.toThrow(/Only a person/);
    await expect(approveIntent(await as("viewer", "Eve"), word)).rejects.toThrow(/role does not allow/);
    await expect(approveIntent(grace, { ...word, planHash: "0".repeat(64) })).rejects.toThrow(/not what you looked at/);
    expect((await intentOf(intent.id)).state).toBe("awaiting_approval");

    await approveIntent(grace, word);
    await expect(approveIntent(grace, word)).rejects.toThrow(/approved already/);
    await work(world, 60_000);
    expect(posts(world, LAUNCH)).toHaveLength(1);
    expect(await intentOf(intent.id)).toMatchObject({
      state: "confirmed",
      approvedById: grace.actor.kind === "user" ? grace.actor.id : "",
    });
    expect((await told(0)).map(({ action }) => action)).toContain("launch.approved");
  });

  test("does not count for what a token of their own asked for", async () => {
    const ada = await as("admin", "Ada");
    const intent = await askedBy(ada);
    // The intent names the person behind the token.
    expect(intent.requestedById).toBe(ada.actor.kind === "user" ? ada.actor.id : "");
    expect(await countApprovers(intent)).toBe(0);
    await as("finance", "Fin");
    expect(await countApprovers(intent)).toBe(1);
    expect(await countApprovers({ ...intent, kind: "terminate" })).toBe(0);
  });

  test("says no, or nothing in time: nothing is sent", async () => {
    const ada = await as("operator", "Ada");
    const grace = await as("operator", "Grace");
    const refused = await askedBy(ada);
    await refuseIntent(grace, { intentId: refused.id, reason: "Not before Monday" });
    const late = await askedBy(ada);
    await world.advance(HOUR + 10_000, [], HOUR + 10_000);
    await expect(
      approveIntent(
        {
          ...grace,
          now: new Date(world.now()),
          actor: { ...grace.actor, signedInAt: new Date(world.now()) } as Ctx["actor"],
        },
        { intentId: late.id, planHash: hashOf(late) },
      ),
    ).rejects.toThrow(/time is up/);
    await settleIntents(world.ctx());
    expect(await intentOf(refused.id)).toMatchObject({ state: "cancelled", error: "Grace said no: Not before Monday" });
    expect(await intentOf(late.id)).toMatchObject({ state: "expired", sends: 0 });
    await work(world, 60_000);
    expect(posts(world, LAUNCH)).toHaveLength(0);
  });

  test("is not asked when the glass is broken, with a reason that stays", async () => {
    const ada = await as("operator", "Ada");
    const intent = await askedBy(ada);
    await expect(
      breakGlass(await as("viewer", "Eve"), { intentId: intent.id, reason: "because I can" }),
    ).rejects.toThrow();
    await breakGlass(ada, { intentId: intent.id, reason: "Nobody else is awake" });
    await work(world, 60_000);
    expect(await intentOf(intent.id)).toMatchObject({
      state: "confirmed",
      approvedById: null,
      breakGlassReason: "Nobody else is awake",
    });
    const said = (await told(0)).find(({ action }) => action === "launch.glass-broken");
    expect(said?.reason).toBe("Nobody else is awake");
    expect(await alerted("glass-broken")).toEqual([`launch ${intent.request.name}`]);
  });
});

/** The targets of a rule of the default pack that are on fire now. */
async function alerted(packKey: string): Promise<string[]> {
  await evaluateAlerts(world.ctx());
  const found = await rows<{ target: string }>(
    `select a.target_name as target from alert a join alert_rule r on r.id = a.rule_id
     where r.pack_key = $1 and a.fired_at is not null and a.resolved_at is null`,
    [packKey],
  );
  return found.map(({ target }) => target);
}

test("a termination that does not come true within ten minutes is an alert, until it does", async () => {
  const machine = await running(world, "gh-stays");
  faults("server_error", { path: TERMINATE });
  const id = await askToEnd(world, "terminate", machine);
  await work(world, 9 * 60_000);
  expect(await alerted("terminate-not-true")).toEqual([]);
  await work(world, 2 * 60_000);
  expect(await alerted("terminate-not-true")).toEqual(["gh-stays"]);
  world.cloud.faults.clear(null);
  await work(world, 3 * 60_000);
  expect(await intentOf(id)).toMatchObject({ state: "confirmed" });
  expect(await alerted("terminate-not-true")).toEqual([]);
});

describe("two keys", () => {
  test("a refusal of the key for changes stops changes only, and they go on when it is accepted", async () => {
    const machine = await running(world);
    faults("unauthorised", { key: OTHER_KEY.slice(-6) });
    const end = await askToEnd(world, "terminate", machine);
    await work(world, 60_000);
    expect(await intentOf(end)).toMatchObject({ settledAt: null });
    const frozen = await prisma.connection.findFirstOrThrow();
    expect(frozen).toMatchObject({ mutationsFrozenAt: null, staleSince: null, mutateFrozenAt: expect.any(Date) });
    expect(world.now() - (frozen.lastOkAt?.getTime() ?? 0)).toBeLessThan(30_000);
    expect((await readQueue(world.ctx())).isFrozen).toBe(true);
    const launch = await askForLaunch(world);
    await work(world, 60_000);
    expect(posts(world, LAUNCH)).toHaveLength(0);
    world.cloud.faults.clear(null);
    await work(world, 4 * 60_000);
    expect(await intentOf(end)).toMatchObject({ state: "confirmed" });
    expect(await intentOf(launch)).toMatchObject({ state: "confirmed", sends: 1 });
    expect((await told(0)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["connection.key-refused", "connection.key-accepted"]),
    );
  });
});

describe("what nobody answered", () => {
  test("is found by its whole name where the tag was lost on the way", async () => {
    faults("launch_timeout_created", { count: 1, resetAfterMs: 1 });
    const id = await askForLaunch(world, "gh-named-12345678");
    await world.advance(5_000, [SEND], 5_000);
    for (const machine of machines()) machine.tags = [];
    await work(world, 60_000);
    expect(await intentOf(id)).toMatchObject({ state: "adopted" });
    expect(await resources()).toMatchObject([{ intentId: id }]);
  });

  test("stays on watch with what it could be, until a person says which it is", async () => {
    faults("launch_timeout_created", { count: 1, resetAfterMs: 1 });
    const id = await askForLaunch(world, "gh-lost-12345678");
    await world.advance(5_000, [SEND], 5_000);
    for (const machine of machines()) {
      machine.tags = [];
      machine.names = [{ from: machine.launchedAt, value: "somebody-renamed-it" }];
    }
    await work(world, 6 * 60_000);
    expect(await intentOf(id)).toMatchObject({ state: "closed_unconfirmed", watchUntil: expect.any(Date) });
    const { watched } = await readQueue(world.ctx());
    expect(watched).toMatchObject([
      { id, tag: `hopperdeck-intent=${id}`, candidates: [{ name: "somebody-renamed-it" }] },
    ]);
    const instanceId = watched[0]?.candidates[0]?.id ?? "";
    await adoptMachine(world.ctx(), { intentId: id, instanceId });
    expect(await intentOf(id)).toMatchObject({ state: "adopted", externalId: machines()[0]?.id });
    expect((await readQueue(world.ctx())).watched).toEqual([]);
    await expect(adoptMachine(world.ctx(), { intentId: id, instanceId })).rejects.toThrow(/not on watch/);
  });
});

describe("the queue", () => {
  test("shows the place and the turn of each, and what is taken back is never sent", async () => {
    const machine = await running(world);
    const launches = [await askForLaunch(world, "a"), await askForLaunch(world, "b"), await askForLaunch(world, "c")];
    const end = await askToEnd(world, "terminate", machine);
    const { open } = await readQueue(world.ctx());
    expect(open.map(({ id, place }) => [id, place])).toEqual([
      [end, 1],
      ...launches.toSorted().map((id, i) => [id, i + 2]),
    ]);
    const etas = open.slice(1).map(({ etaAt }) => etaAt ?? 0);
    expect((etas[1] ?? 0) - (etas[0] ?? 0)).toBe(12_500);
    await cancelIntent(world.ctx(), { intentId: end });
    await cancelIntent(world.ctx(), { intentId: launches[1] ?? "" });
    await expect(cancelIntent(await as("viewer", "Eve"), { intentId: randomUUID() })).rejects.toThrow(
      /role does not allow/,
    );
    await work(world, 2 * 60_000);
    expect(posts(world, TERMINATE)).toHaveLength(0);
    expect(posts(world, LAUNCH)).toHaveLength(2);
    expect(await findIntent(end)).toMatchObject({ state: "cancelled", sends: 0 });
    const { settled } = await readQueue(world.ctx());
    expect(settled.map(({ state }) => state).sort()).toEqual(["cancelled", "cancelled", "confirmed", "confirmed"]);
  });
});
