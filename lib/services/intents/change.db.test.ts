import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import type { Ctx, Role } from "@/lib/domain/access";
import { RequestTerminate } from "@/lib/domain/intents/change";
import { emptyHouse, MINUTE, machine, measure, NOON, rule, run, type TestMachine } from "@/lib/testing/alerting";
import { idle, own, who } from "@/lib/testing/ending";
import { cancelIntent, requestRestart, requestTerminate } from "./change";
import { readChangeEvidence } from "./evidence";

beforeEach(emptyHouse);

type Kind = "terminate" | "restart";
const ACTS = { terminate: requestTerminate, restart: requestRestart };

const evidenceOf = (ctx: Ctx, { resourceId }: TestMachine, kind: Kind = "terminate") =>
  readChangeEvidence(ctx, { instanceId: resourceId, kind });

/** What the dialog sends when everything was read, typed and ticked. */
async function agreed(ctx: Ctx, target: TestMachine, more: object = {}, kind: Kind = "terminate") {
  const { planHash, seen, confirmation, concerns } = await evidenceOf(ctx, target, kind);
  const { resourceId: instanceId } = target;
  const accepted = concerns.map(({ key }) => key);
  return RequestTerminate.parse({
    intentId: randomUUID(),
    instanceId,
    planHash,
    seen,
    confirmation: confirmation.text,
    accepted,
    ...more,
  });
}

const intents = () => prisma.intent.findMany({ where: { kind: { not: "launch" } } });
const said = () => prisma.auditEvent.count({ where: { action: { in: ["terminate.requested", "restart.requested"] } } });

describe("what a person sees before a machine ends", () => {
  test("an idle machine of ours raises no concern", async () => {
    const gh = await idle();
    const evidence = await evidenceOf(await who("Ada", "operator"), gh);
    expect(evidence).toMatchObject({
      name: "gh-1",
      confirmation: { text: "gh-1", isName: true },
      concerns: [],
      denied: null,
      frozen: false,
      open: null,
      lately: 0,
      priceMicros: "2290000",
    });
    // 20 November, noon, to the end of the month: 252 h.
    expect(evidence.savedMicros).toBe(String(2_290_000n * 252n));
    expect(evidence.use.utilizationPct).toBe(1);
  });

  test.each<[string, (gh: TestMachine) => Promise<void>, string[]]>([
    ["one that works", (gh) => measure(gh, NOON - 10_000, { utilizationPct: 97 }), ["busy"]],
    [
      "one that is somebody else's",
      async ({ resourceId }) => {
        await prisma.resourceLabel.updateMany({ where: { resourceId }, data: { owner: "grace" } });
      },
      ["someone_elses"],
    ],
    [
      "one that is reserved and came from elsewhere",
      async ({ resourceId }) => {
        await prisma.resourceSpan.updateMany({ where: { resourceId }, data: { attrs: { isReserved: true } } });
        await prisma.resource.update({ where: { id: resourceId }, data: { launchIntentId: null } });
      },
      ["not_ours", "reserved"],
    ],
  ])("%s", async (_, change, keys) => {
    const gh = await idle();
    await change(gh);
    expect((await evidenceOf(await who("Ada", "operator"), gh)).concerns.map(({ key }) => key)).toEqual(keys);
  });

  test("a machine that nobody hears counts as busy", async () => {
    const gh = await machine("gh-silent");
    await own(gh);
    expect((await evidenceOf(await who("Ada", "operator"), gh)).concerns.map(({ key }) => key)).toEqual(["silent"]);
  });

  test("a name that two machines have is not what is typed", async () => {
    const [gh] = [await idle("twin"), await idle("twin")];
    const { confirmation, externalId } = await evidenceOf(await who("Ada", "operator"), gh);
    expect(confirmation).toEqual({ text: externalId.slice(-6), isName: false });
  });

  test("a machine that is gone has nothing to end", async () => {
    const gh = await idle();
    const gone = { goneAt: new Date(NOON), goneReason: "vanished" as const };
    await prisma.resource.update({ where: { id: gh.resourceId }, data: gone });
    await expect(evidenceOf(await who("Ada", "operator"), gh)).rejects.toMatchObject({ code: "conflict" });
    await expect(
      readChangeEvidence(await who("Ada", "operator"), { instanceId: randomUUID(), kind: "restart" }),
    ).rejects.toMatchObject({ code: "not-found" });
  });
});

describe.each<Kind>(["terminate", "restart"])("a %s that is asked for", (kind) => {
  const act = ACTS[kind];

  test("is one intent and one entry with the evidence, by whom it was asked", async () => {
    const gh = await idle();
    const ctx = { ...(await who("Ada", "operator")), ip: "192.0.2.9" };
    const input = await agreed(ctx, gh, { reason: " run is over " }, kind);
    await act(ctx, input);
    expect(await intents()).toMatchObject([
      { id: input.intentId, kind, state: "ready", targetId: gh.resourceId, requestedBy: "Ada", reason: "run is over" },
    ]);
    expect(
      await prisma.auditEvent.findFirst({ where: { action: `${kind}.requested` }, orderBy: { seq: "desc" } }),
    ).toMatchObject({
      actor: "Ada",
      subjectId: gh.resourceId,
      subject: "gh-1",
      reason: "run is over",
      ip: "192.0.2.9",
      changes: { utilizationPct: { from: null, to: 1 } },
    });
  });

  test("by two people at once is one intent, and both are told which", async () => {
    const gh = await idle();
    const people = await Promise.all([who("Ada", "operator"), who("Ben", "admin"), who("Cyd", "operator")]);
    const before = await said();
    const inputs = await Promise.all(people.map((ctx) => agreed(ctx, gh, {}, kind)));
    const answers = await Promise.all(people.map((ctx, i) => act(ctx, inputs[i] ?? Object.assign({}, inputs[0]))));
    const [intent, ...more] = await intents();
    expect(more).toEqual([]);
    expect(answers).toEqual(people.map(() => ({ id: intent?.id })));
    expect(await said()).toBe(before + 1);
  });

  test("again and again is the same intent", async () => {
    const gh = await idle();
    const ctx = await who("Ada", "operator");
    const input = await agreed(ctx, gh, {}, kind);
    const before = await said();
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(ctx, input)));
    answers.push(await act(ctx, { ...input, intentId: randomUUID() }));
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([input.intentId]));
    expect(await intents()).toHaveLength(1);
    expect(await said()).toBe(before + 1);
    expect((await evidenceOf(ctx, gh, kind)).open).toMatchObject({ id: input.intentId, by: "Ada", acceptedAt: null });
  });

  test("under the id of another machine's request is refused", async () => {
    const [one, two] = [await idle("gh-1"), await idle("gh-2")];
    const ctx = await who("Ada", "operator");
    const { intentId } = await agreed(ctx, one, {}, kind);
    await act(ctx, await agreed(ctx, one, { intentId }, kind));
    await expect(act(ctx, await agreed(ctx, two, { intentId }, kind))).rejects.toMatchObject({ code: "conflict" });
    expect(await intents()).toHaveLength(1);
  });

  test.each<[string, object, object]>([
    ["a wrong name", { confirmation: "gh-2" }, { code: "invalid", fields: { confirmation: expect.any(String) } }],
    ["nothing typed", { confirmation: "" }, { code: "invalid" }],
    ["the name in other letters", { confirmation: "GH-1" }, { code: "invalid" }],
    ["a plan that nobody saw", { planHash: "ab".repeat(32) }, { code: "conflict" }],
  ])("with %s is refused, and nothing is written", async (_, more, error) => {
    const gh = await idle();
    const ctx = await who("Ada", "operator");
    const before = await said();
    await expect(act(ctx, await agreed(ctx, gh, more, kind))).rejects.toMatchObject(error);
    expect(await intents()).toEqual([]);
    expect(await said()).toBe(before);
  });

  test.each<[string, object]>([
    ["renamed", { name: "gh-9" }],
    ["tagged anew", { tags: { owner: "grace" } }],
    ["somewhere else", { region: "us-west-1" }],
  ])("is refused when the machine was %s since somebody looked", async (_, data) => {
    const gh = await idle();
    const ctx = await who("Ada", "operator");
    const input = await agreed(ctx, gh, {}, kind);
    await prisma.resourceSpan.updateMany({ where: { resourceId: gh.resourceId }, data });
    await expect(act(ctx, input)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("changed since you looked"),
    });
    expect(await intents()).toEqual([]);
  });

  test("is refused when it began to work since somebody looked, until that is confirmed too", async () => {
    const gh = await idle();
    const ctx = await who("Ada", "operator");
    const input = await agreed(ctx, gh, {}, kind);
    await measure(gh, NOON - 10_000, { utilizationPct: 97 });
    await expect(act(ctx, input)).rejects.toMatchObject({ code: "conflict", fields: { accepted: "busy" } });
    await act(ctx, { ...input, accepted: ["busy"] });
    expect(await intents()).toMatchObject([{ plan: { concerns: ["busy"], accepted: ["busy"] } }]);
  });

  test("is refused while Lambda refuses the key, and goes while the fleet is only stale", async () => {
    const gh = await idle();
    const ctx = await who("Ada", "operator");
    const input = await agreed(ctx, gh, {}, kind);
    const long = new Date(NOON - 60 * MINUTE);
    await prisma.connection.updateMany({ data: { mutationsFrozenAt: new Date(NOON) } });
    await expect(act(ctx, input)).rejects.toMatchObject({ code: "unavailable" });
    expect(await intents()).toEqual([]);
    await prisma.connection.updateMany({ data: { mutationsFrozenAt: null, staleSince: long, lastOkAt: long } });
    await act(ctx, input);
    expect(await intents()).toHaveLength(1);
  });

  test.each<Role>(["viewer", "finance"])("is not for a %s", async (role) => {
    const gh = await idle();
    const ctx = await who("Vi", role);
    const input = await agreed(ctx, gh, {}, kind);
    expect((await evidenceOf(ctx, gh, kind)).denied).not.toBeNull();
    await expect(act(ctx, input)).rejects.toMatchObject({ code: "forbidden" });
    expect(await intents()).toEqual([]);
  });

  test("is for on-call only where a firing alert names the machine", async () => {
    await rule();
    const [named, other] = [await idle("gh-named"), await idle("gh-other")];
    const ctx = await who("Olu", "on_call");
    await expect(act(ctx, await agreed(ctx, named, {}, kind))).rejects.toMatchObject({ code: "forbidden" });
    await run(named, NOON, [90]);
    await expect(act(ctx, await agreed(ctx, other, {}, kind))).rejects.toMatchObject({ code: "forbidden" });
    expect(await intents()).toEqual([]);
    await act(ctx, await agreed(ctx, named, {}, kind));
    expect(await intents()).toMatchObject([{ targetId: named.resourceId, requestedBy: "Olu" }]);
  });
});

test("ending many machines in an hour is a warning and never a refusal", async () => {
  const ctx = await who("Ada", "operator");
  for (let i = 0; i < 7; i += 1) {
    const gh = await idle(`gh-${i}`);
    expect((await evidenceOf(ctx, gh)).lately).toBe(i);
    await requestTerminate(ctx, await agreed(ctx, gh));
  }
  expect(await intents()).toHaveLength(7);
  const last = await idle("gh-last");
  expect((await evidenceOf({ ...ctx, now: new Date(NOON + 61 * MINUTE) }, last)).lately).toBe(0);
});

test("a restart and a termination of one machine do not hide each other", async () => {
  const gh = await idle();
  const ctx = await who("Ada", "operator");
  await requestRestart(ctx, await agreed(ctx, gh, {}, "restart"));
  await requestTerminate(ctx, await agreed(ctx, gh));
  expect((await intents()).map(({ kind }) => kind).sort()).toEqual(["restart", "terminate"]);
});

describe("taking a request back", () => {
  test("works while nothing was sent, and the machine can be asked for again", async () => {
    const gh = await idle();
    const ctx = await who("Ada", "operator");
    const { id } = await requestTerminate(ctx, await agreed(ctx, gh));
    await cancelIntent(ctx, { intentId: id });
    expect(await prisma.auditEvent.findFirst({ orderBy: { seq: "desc" } })).toMatchObject({
      action: "terminate.cancelled",
      actor: "Ada",
      subjectId: gh.resourceId,
      subject: "gh-1",
    });
    const again = await requestTerminate(ctx, await agreed(ctx, gh));
    expect(again.id).not.toBe(id);
  });

  test("comes too late when it was sent", async () => {
    const gh = await idle();
    const ctx = await who("Ada", "operator");
    const { id } = await requestTerminate(ctx, await agreed(ctx, gh));
    await prisma.intent.update({ where: { id }, data: { state: "sending", sends: 1, sentAt: new Date(NOON) } });
    await expect(cancelIntent(ctx, { intentId: id })).rejects.toMatchObject({ code: "conflict" });
    expect((await evidenceOf(ctx, gh)).open).toMatchObject({ id });
  });

  test("is not for a viewer", async () => {
    const gh = await idle();
    const ctx = await who("Ada", "operator");
    const { id } = await requestTerminate(ctx, await agreed(ctx, gh));
    await expect(cancelIntent(await who("Vi", "viewer"), { intentId: id })).rejects.toMatchObject({
      code: "forbidden",
    });
    expect(await intents()).toMatchObject([{ state: "ready" }]);
  });
});
