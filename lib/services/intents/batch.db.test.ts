import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { forgetSetting } from "@/lib/db/settings";
import type { Ctx } from "@/lib/domain/access";
import { RequestBatch, RequestTerminate } from "@/lib/domain/intents/change";
import { Guardrails } from "@/lib/domain/intents/guardrails";
import { changeGuardrails } from "@/lib/services/guardrails";
import { emptyHouse, MINUTE, machine, measure, NOON, system, type TestMachine } from "@/lib/testing/alerting";
import { idle, who } from "@/lib/testing/ending";
import { readAftermath } from "./aftermath";
import { approveMany, countApprovals, readApprovals, refuseMany } from "./approvals";
import { dryRunTerminate, requestBatch } from "./batch";
import { readBatch } from "./batch-read";
import { requestTerminate } from "./change";
import { createChecklist } from "./checklists";
import { readChangeEvidence, readEvidences } from "./evidence";
import { protectInstance, unprotectInstance } from "./protection";
import { retireTokens } from "./retire";

beforeEach(async () => {
  await emptyHouse();
  await prisma.setting.deleteMany({ where: { id: "guardrails" } });
  forgetSetting("guardrails");
});

const intents = () => prisma.intent.findMany({ where: { kind: "terminate" }, orderBy: { id: "asc" } });
const entries = (action: string) => prisma.auditEvent.count({ where: { action } });

/** What the dialog of several sends when everything was read, typed and ticked. */
async function agreedAll(ctx: Ctx, machines: TestMachine[], more: object = {}) {
  const { rows } = await readEvidences(ctx, { instanceIds: machines.map(({ resourceId }) => resourceId), filter: "" });
  return RequestBatch.parse({
    batchId: randomUUID(),
    machines: rows.map(({ instanceId, planHash, seen, concerns }) => ({
      instanceId,
      planHash,
      seen,
      accepted: concerns.map(({ key }) => key),
    })),
    confirmation: String(rows.length),
    ...more,
  });
}

async function agreed(ctx: Ctx, { resourceId }: TestMachine, more: object = {}) {
  const { planHash, seen, confirmation, concerns } = await readChangeEvidence(ctx, {
    instanceId: resourceId,
    kind: "terminate",
  });
  return RequestTerminate.parse({
    intentId: randomUUID(),
    instanceId: resourceId,
    planHash,
    seen,
    confirmation: confirmation.text,
    accepted: concerns.map(({ key }) => key),
    ...more,
  });
}

/** From now on a second person must agree to the end of what is busy, silent, protected or somebody else's. */
async function asking(terminate: "risky" | "always" = "always"): Promise<void> {
  await changeGuardrails(await who("Root", "admin"), Guardrails.parse({ approval: { terminate } }));
}

describe("several at once", () => {
  test("are one intent each, those that began to work are left out and said, and pressing again changes nothing", async () => {
    const ctx = await who("Ada", "operator");
    const [one, two, three] = [await idle("gh-1"), await idle("gh-2"), await idle("gh-3")];
    const input = await agreedAll(ctx, [one, two, three], { reason: "end of the sprint" });
    await measure(two, NOON - 10_000, { utilizationPct: 97 });
    const before = await entries("terminate.requested");
    const { outcomes } = await requestBatch(ctx, input);
    expect(outcomes.map(({ name, outcome }) => [name, outcome])).toEqual([
      ["gh-1", "send"],
      ["gh-2", "refused"],
      ["gh-3", "send"],
    ]);
    expect(outcomes[1]?.words).toContain("it is working right now");
    expect(await intents()).toMatchObject([
      { batchId: input.batchId, state: "ready", reason: "end of the sprint" },
      { batchId: input.batchId, state: "ready" },
    ]);
    expect(await entries("terminate.requested")).toBe(before + 2);
    const again = await requestBatch(ctx, input);
    expect(again.outcomes).toHaveLength(2);
    expect(await intents()).toHaveLength(2);

    const { rows, doneAt } = await readBatch(ctx, { batchId: input.batchId });
    expect(rows.map(({ stage, etaAt }) => [stage, (etaAt ?? 0) - NOON])).toEqual([
      ["queued", 0],
      ["queued", 2_200],
    ]);
    expect(doneAt).toBe(NOON + 2_200);
  });

  test.each<[string, object, object]>([
    ["another number", { confirmation: "3" }, { code: "invalid", fields: { confirmation: expect.any(String) } }],
    ["nothing typed", { confirmation: "" }, { code: "invalid" }],
  ])("are refused with %s", async (_, more, error) => {
    const ctx = await who("Ada", "operator");
    const input = await agreedAll(ctx, [await idle("gh-1"), await idle("gh-2")], more);
    await expect(requestBatch(ctx, input)).rejects.toMatchObject(error);
    expect(await intents()).toEqual([]);
  });

  test("take a role, and a sign-in of the last minutes", async () => {
    const machines = [await idle("gh-1")];
    const input = await agreedAll(await who("Ada", "operator"), machines);
    for (const role of ["viewer", "finance", "on_call"] as const)
      await expect(requestBatch(await who("Vi", role), input)).rejects.toMatchObject({ code: "forbidden" });
    const late = { ...(await who("Ada", "operator")), now: new Date(NOON + 30 * MINUTE) };
    await expect(requestBatch(late, input)).rejects.toMatchObject({ fields: { stepUp: "required" } });
    expect(await intents()).toEqual([]);
  });

  test("are chosen by a filter, and one that is not understood chooses nothing", async () => {
    const ctx = await who("Ada", "operator");
    await idle("gh-1");
    await idle("web-1");
    const { rows } = await readEvidences(ctx, { instanceIds: [], filter: "name:gh team:research" });
    expect(rows.map(({ name }) => name)).toEqual(["gh-1"]);
    await expect(readEvidences(ctx, { instanceIds: [], filter: "colour:red" })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  test("a dry run says what would be sent and what not, and writes nothing", async () => {
    const ctx = await who("Ada", "operator");
    const [one, two] = [await idle("gh-1"), await idle("gh-2")];
    const { machines } = await agreedAll(ctx, [one, two]);
    await measure(two, NOON - 10_000, { utilizationPct: 97 });
    const before = await prisma.auditEvent.count();
    const { externalId } = await prisma.resource.findUniqueOrThrow({ where: { id: one.resourceId } });
    const answer = await dryRunTerminate(ctx, { machines, ticked: [] });
    expect(answer.calls).toEqual([
      { method: "GET", path: `/instances/${externalId}`, body: null },
      { method: "POST", path: "/instance-operations/terminate", body: { instance_ids: [externalId] } },
    ]);
    expect(answer.outcomes.map(({ outcome }) => outcome)).toEqual(["send", "refused"]);
    expect(answer.microsPerHour).toBe("2290000");
    expect(await intents()).toEqual([]);
    expect(await prisma.auditEvent.count()).toBe(before);
  });
});

test("on the first day one admin stops a whole fleet that nobody launched from here and of which nothing is heard", async () => {
  const ctx = await who("Ada", "admin");
  const fleet: TestMachine[] = [];
  for (let nth = 1; nth <= 8; nth++) fleet.push(await machine(`gh-${nth}`));
  const { rows } = await readEvidences(ctx, { instanceIds: fleet.map(({ resourceId }) => resourceId), filter: "" });
  for (const { concerns } of rows)
    expect(concerns.map(({ key }) => key)).toEqual(expect.arrayContaining(["silent", "not_ours"]));
  const { outcomes } = await requestBatch(ctx, await agreedAll(ctx, fleet));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(fleet.map(() => "send"));
  expect((await intents()).map(({ state }) => state)).toEqual(fleet.map(() => "ready"));
});

describe("a second person", () => {
  test("agrees to what they saw; the one who asked cannot", async () => {
    await asking();
    const gh = await idle();
    const [ada, ben] = [await who("Ada", "operator"), await who("Ben", "operator")];
    const { id } = await requestTerminate(ada, await agreed(ada, gh));
    expect(await intents()).toMatchObject([{ id, state: "awaiting_approval", queuedAt: null }]);
    expect(await countApprovals(ada)).toMatchObject({ waiting: 1, own: 1 });
    const [mine] = (await readApprovals(ada)).waiting;
    expect(mine?.denied).toContain("yourself");

    const [act] = (await readApprovals(ben)).waiting;
    expect(act).toMatchObject({
      by: "Ada",
      isOwn: false,
      denied: null,
      why: "Every termination needs a second person.",
    });
    const [asked] = act?.intents ?? [];
    if (!asked?.evidence) throw new Error("no evidence");
    const input = { intents: [{ intentId: id, planHash: asked.planHash, seen: asked.evidence.seen }] };
    await expect(approveMany(ada, input)).rejects.toMatchObject({ code: "forbidden" });
    await measure(gh, NOON - 10_000, { utilizationPct: 97 });
    await expect(approveMany(ben, input)).rejects.toMatchObject({
      message: expect.stringContaining("it is working right now"),
    });
    const [fresh] = (await readApprovals(ben)).waiting[0]?.intents ?? [];
    expect(fresh?.changed).toEqual(["it is working right now"]);
    const seen = fresh?.evidence?.seen ?? null;
    await approveMany(ben, { intents: [{ intentId: id, planHash: asked.planHash, seen }] });
    expect(await intents()).toMatchObject([{ state: "ready" }]);
    expect((await readApprovals(ben)).decided).toMatchObject([{ id, decision: "approved", decidedBy: "Ben" }]);
  });

  test("is asked only for what is risky, where the guardrail says so, and refuses with a reason", async () => {
    await asking("risky");
    const [calm, busy] = [await idle("gh-calm"), await idle("gh-busy")];
    await measure(busy, NOON - 10_000, { utilizationPct: 97 });
    const ada = await who("Ada", "operator");
    const { outcomes } = await requestBatch(ada, await agreedAll(ada, [calm, busy]));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["send", "approval"]);
    const id = outcomes[1]?.intentId ?? "";
    await refuseMany(await who("Ben", "admin"), { intentIds: [id], reason: "the run ends tonight" });
    expect(await prisma.intent.findUnique({ where: { id } })).toMatchObject({
      state: "cancelled",
      error: expect.stringContaining("the run ends tonight"),
    });
  });
});

describe("protection", () => {
  test("asks people twice, in words, and is lifted by an admin alone", async () => {
    const gh = await idle();
    const instanceId = gh.resourceId;
    const [ada, root] = [await who("Ada", "operator"), await who("Root", "admin")];
    const input = await agreed(ada, gh);
    await protectInstance(ada, { instanceId, reason: "demo on Friday" });
    await expect(protectInstance(ada, { instanceId, reason: "again" })).rejects.toMatchObject({ code: "conflict" });
    await expect(requestTerminate(ada, input)).rejects.toMatchObject({
      code: "conflict",
      fields: { accepted: "protected" },
      message: expect.stringContaining("it is protected"),
    });
    const late = { ...ada, now: new Date(NOON + 30 * MINUTE) };
    await expect(requestTerminate(late, await agreed(late, gh))).rejects.toMatchObject({
      fields: { stepUp: "required" },
    });
    await expect(unprotectInstance(ada, { instanceId, reason: "over now" })).rejects.toMatchObject({
      code: "forbidden",
    });
    await requestTerminate(ada, await agreed(ada, gh));
    await unprotectInstance(root, { instanceId, reason: "over now" });
    expect(await prisma.resource.findUnique({ where: { id: instanceId } })).toMatchObject({
      isProtected: false,
      protectReason: "",
    });
    expect(await prisma.auditEvent.findFirst({ orderBy: { seq: "desc" } })).toMatchObject({
      action: "instance.unprotected",
      subject: "gh-1",
      reason: "over now",
    });
  });
});

test("a team's checklist is asked, and its ticks stay with the request", async () => {
  const ada = await who("Ada", "operator");
  const items = [
    { text: "Checkpoints copied", isRequired: true },
    { text: "Notebook saved", isRequired: false },
  ];
  await createChecklist(ada, { name: "Research", isShared: true, body: { team: "research", items } });
  const gh = await idle();
  await expect(requestTerminate(ada, await agreed(ada, gh))).rejects.toMatchObject({
    fields: { ticked: "Checkpoints copied" },
  });
  await requestTerminate(ada, await agreed(ada, gh, { ticked: ["Checkpoints copied"] }));
  expect(await intents()).toMatchObject([
    {
      plan: {
        checklist: [
          { text: "Checkpoints copied", isTicked: true },
          { text: "Notebook saved", isTicked: false },
        ],
      },
    },
  ]);
});

test("after the end: gone, billed to the end, its storage named, and its token revoked once that is certain", async () => {
  const gh = await idle();
  const ctx = await who("Ada", "viewer");
  const instanceId = gh.resourceId;
  const states = async () =>
    Object.fromEntries((await readAftermath(ctx, { instanceId })).checks.map(({ key, state }) => [key, state]));
  expect(await states()).toEqual({ listed: "waiting", billing: "waiting", storage: "ok", tokens: "waiting" });
  await prisma.resource.update({
    where: { id: instanceId },
    data: { goneAt: new Date(NOON), goneReason: "terminated_here", billToBest: new Date(NOON) },
  });
  await retireTokens(system(NOON + 9 * MINUTE));
  expect(await states()).toEqual({ listed: "ok", billing: "ok", storage: "ok", tokens: "waiting" });
  await retireTokens(system(NOON + 11 * MINUTE));
  expect(await states()).toMatchObject({ tokens: "ok" });
  expect(await entries("instance.token-revoked")).toBeGreaterThan(0);
});
