import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listRules } from "@/lib/db/alerts/rules";
import { forgetSetting } from "@/lib/db/settings";
import { findTokenByPrefix } from "@/lib/db/tokens";
import type { Ctx } from "@/lib/domain/access";
import { NO_GUARDRAILS } from "@/lib/domain/intents/guardrails";
import { NewLaunch } from "@/lib/domain/intents/launch";
import { LaunchTemplate } from "@/lib/domain/intents/templates";
import { VERIFY_GRACE_MS, VERIFY_WITHIN_MS } from "@/lib/domain/intents/verification";
import { Evidence } from "@/lib/services/alerts/evidence";
import { judgedTargets } from "@/lib/services/alerts/readings";
import { pollCatalog, pollFilesystems, pollInstances, pollTypes } from "@/lib/services/fleet/poll";
import { changeGuardrails } from "@/lib/services/guardrails";
import { ingest } from "@/lib/services/telemetry/ingest";
import { enrolmentToken } from "@/lib/services/tokens";
import { intentOf, LAUNCH, posts, work } from "@/lib/testing/intents";
import { as, lastAudit } from "@/lib/testing/people";
import { count, rows, startWorld, tablesHolding, told, type World } from "@/lib/testing/world";
import { requestLaunch } from "./launch";
import { readLaunchAgain, readLaunchLike } from "./like";
import { readLaunchOffers } from "./offers";
import { launchTemplates } from "./templates";
import { readVerificationOf, verifyLaunches } from "./verify";

let world: World;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 60_000, terminateMs: 60_000 } });
});
beforeEach(async () => {
  await world.reset();
  forgetSetting("guardrails");
  for (const read of [pollTypes, pollInstances, pollFilesystems, pollCatalog]) {
    await read(world.ctx());
    await world.advance(1_000);
  }
});
afterAll(() => world.close());

const HOUR = 3_600_000;
const operator = (): Promise<Ctx> => as("operator", new Date(world.now()));
const rails = async (more: Partial<typeof NO_GUARDRAILS>) =>
  changeGuardrails(await as("admin", new Date(world.now())), { ...NO_GUARDRAILS, ...more });
const wanted = (more: Record<string, unknown> = {}) =>
  NewLaunch.parse({
    intentId: randomUUID(),
    typeName: "gpu_1x_gh200",
    region: "us-east-3",
    sshKeyName: "team-key",
    name: "train-{nn}",
    team: "nlp",
    purpose: "pretraining",
    priceMicros: "2290000",
    ...more,
  });
const launches = () => count("select 1 from intent where kind = 'launch'");

describe("a launch of several", () => {
  test("is as many intents in one act, each sent once, with name, lease, purpose and what is run at the start", async () => {
    const ctx = await operator();
    const own = "#!/bin/bash\necho wandb-secret-quokka\n";
    const leaseUntil = world.now() + 8 * HOUR;
    const input = wanted({ count: 3, leaseUntil, userData: own });
    const answers = await Promise.all(Array.from({ length: 8 }, () => requestLaunch(ctx, input)));
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([input.intentId]));
    const made = await rows<{ id: string; name: string; batch: string }>(
      "select id, request ->> 'name' as name, batch_id as batch from intent order by name",
    );
    expect(made.map(({ name, id }) => name.replace(id.slice(-8), "…"))).toEqual([
      "train-01-…",
      "train-02-…",
      "train-03-…",
    ]);
    expect(made.every(({ batch }) => batch === input.intentId)).toBe(true);
    expect(await count("select 1 from token where kind = 'enrolment'")).toBe(3);
    expect(await count("select 1 from audit_event where action = 'launch.requested'")).toBe(1);
    expect(JSON.stringify(await lastAudit(input.intentId))).not.toContain("quokka");
    expect(await tablesHolding("quokka")).toEqual([]);

    await work(world, 4 * 60_000);
    const sent = posts(world, LAUNCH).map(
      ({ body }) => JSON.parse(body) as { name: string; user_data: string; tags: { key: string; value: string }[] },
    );
    expect(new Set(sent.map(({ name }) => name)).size).toBe(3);
    for (const { user_data, tags } of sent) {
      expect(user_data).toMatch(/^Content-Type: multipart\/mixed/);
      expect(user_data).toContain(Buffer.from(own).toString("base64"));
      expect(tags).toContainEqual({ key: "purpose", value: "pretraining" });
    }
    expect(await rows("select purpose, lease_until as until from resource where kind = 'instance'")).toEqual(
      Array.from({ length: 3 }, () => ({ purpose: "pretraining", until: new Date(leaseUntil) })),
    );
  });

  test("passes over names that are taken or asked for", async () => {
    const ctx = await operator();
    await requestLaunch(ctx, wanted({ count: 2 }));
    const { id } = await requestLaunch(ctx, wanted());
    expect((await intentOf(id)).request.name).toMatch(/^train-03-/);
  });
});

describe("the guardrails", () => {
  const HELD: [Partial<typeof NO_GUARDRAILS>, string][] = [
    [{ types: ["gpu_1x_a10"] }, "typeName"],
    [{ maxPersonMicrosPerHour: "2000000" }, "count"],
    [{ namePattern: "nlp-*" }, "name"],
    [{ labels: ["costCenter"] }, "costCenter"],
    [{ maxLeaseMs: HOUR }, "leaseUntil"],
  ];
  test("hold whatever the form thought, and nothing is written", async () => {
    const ctx = await operator();
    for (const [more, field] of HELD) {
      await rails(more);
      const fields = { [field]: expect.any(String) };
      await expect(requestLaunch(ctx, wanted())).rejects.toMatchObject({ code: "invalid", fields });
    }
    expect(await launches()).toBe(0);
  });

  test("are kept by many who launch at the same moment", async () => {
    await rails({ maxFleetMicrosPerHour: "4580000" });
    const people = await Promise.all([operator(), operator(), operator(), operator()]);
    const answers = await Promise.allSettled(people.map((ctx, i) => requestLaunch(ctx, wanted({ name: `gh-${i}` }))));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await launches()).toBe(2);
    expect((await readLaunchOffers(await operator())).committedMicrosPerHour).toBe("4580000");
  });

  test("have a second person asked: nothing is sent while it waits", async () => {
    await rails({ approval: { ...NO_GUARDRAILS.approval, launchAboveMicrosPerHour: "3000000", expiresMs: HOUR } });
    const ctx = await operator();
    const one = await requestLaunch(ctx, wanted());
    expect(await intentOf(one.id)).toMatchObject({ state: "ready" });
    const two = await requestLaunch(ctx, wanted({ count: 2, name: "big-{n}" }));
    expect(await intentOf(two.id)).toMatchObject({
      state: "awaiting_approval",
      approvalExpiresAt: new Date(ctx.now.getTime() + HOUR),
    });
    await work(world, 60_000);
    expect(posts(world, LAUNCH)).toHaveLength(1);
  });

  test("are an admin's to change", async () => {
    await expect(changeGuardrails(await operator(), NO_GUARDRAILS)).rejects.toMatchObject({ code: "forbidden" });
  });
});

test("a launch can be asked for again: by its machine, by itself, by a template", async () => {
  const ctx = await operator();
  const userData = "#!/bin/sh\necho mine\n";
  const { id } = await requestLaunch(ctx, wanted({ userData, leaseUntil: world.now() + HOUR, name: "eval" }));
  await work(world, 3 * 60_000);
  const [machine] = await rows<{ id: string }>("select id from resource where kind = 'instance'");
  const like = await readLaunchLike(ctx, { instanceId: machine?.id ?? "" });
  expect(like).toMatchObject({
    typeName: "gpu_1x_gh200",
    name: "eval",
    team: "nlp",
    purpose: "pretraining",
    leaseMs: HOUR,
    userData,
  });
  // What was to be run at the start is shown to nobody else.
  expect(await readLaunchAgain(await operator(), { intentId: id })).toEqual({ ...like, userData: "" });
  const kept = await launchTemplates.create(ctx, { name: "Evaluation", isShared: true, body: like });
  expect((await launchTemplates.find(await operator(), kept)).body).toEqual(LaunchTemplate.parse(like));
});

describe("checks after the boot", () => {
  const OK = "usable=yes\ndevices=1\ntook_ms=900\n";

  async function booted(): Promise<{ id: string; ctx: Ctx; say: (cuda: string) => Promise<void> }> {
    const ctx = await operator();
    const { id: intentId } = await requestLaunch(ctx, wanted({ name: "gh" }));
    await work(world, 3 * 60_000);
    const [machine] = await rows<{ id: string }>("select id from resource where kind = 'instance'");
    const token = await findTokenByPrefix(enrolmentToken(intentId).prefix);
    if (!machine || !token) throw new Error("no machine");
    const say = async (cuda: string) => {
      const at = new Date(world.now()).toISOString();
      const body = [
        `#agent protocol=2 version=1.5.0 host=gh interval=10 sent_at=${at}`,
        `#gpu at=${at}\nindex, uuid, name, driver_version, utilization.gpu [%], memory.total [MiB]`,
        "0, GPU-1, NVIDIA GH200 480GB, 570.148.08, 0 %, 97871 MiB",
        `#cuda at=${at}\n${cuda}`,
      ].join("\n");
      const answer = await ingest(token, body, new Date(world.now()));
      expect(answer).toMatchObject({ accepted: 1 });
    };
    return { id: machine.id, ctx, say };
  }
  const standing = async (id: string) => {
    await verifyLaunches(world.ctx());
    const { verification } = await readVerificationOf(await operator(), { instanceId: id });
    return {
      state: verification?.state,
      failed: verification?.checks.filter(({ state }) => state === "failed").map(({ key }) => key),
    };
  };

  /** What the rule of the default pack sees. */
  const judged = async () => {
    const rule = (await listRules()).find(({ packKey }) => packKey === "verification-failed");
    if (!rule) throw new Error("the pack has no such rule");
    const targets = await judgedTargets(rule, new Evidence(world.now(), "UTC", [rule]));
    return targets.map(({ reading }) => reading.value);
  };

  test("a machine that is what was ordered has passed, once", async () => {
    const { id, say } = await booted();
    expect(await standing(id)).toEqual({ state: "checking", failed: [] });
    await say(OK);
    expect(await standing(id)).toEqual({ state: "passed", failed: [] });
    await verifyLaunches(world.ctx());
    expect((await told(0)).filter(({ action }) => action.startsWith("instance.verif"))).toHaveLength(1);
  });

  test("one without CUDA fails after its grace, and passes when it is mended", async () => {
    const { id, say } = await booted();
    await say("usable=no\ndevices=1\ntook_ms=900\nmessage=cuInit: 802\n");
    expect(await standing(id)).toEqual({ state: "checking", failed: [] });
    await world.advance(VERIFY_GRACE_MS);
    expect(await standing(id)).toEqual({ state: "failed", failed: ["cuda"] });
    expect(await lastAudit(id)).toMatchObject({ action: "instance.verification-failed" });
    expect(await judged()).toEqual([1]);
    await say(OK);
    expect(await standing(id)).toEqual({ state: "passed", failed: [] });
    expect(await judged()).toEqual([0]);
  });

  test("one that is never heard fails at its deadline", async () => {
    const { id } = await booted();
    await world.advance(VERIFY_WITHIN_MS, [], 60_000);
    expect(await standing(id)).toEqual({ state: "failed", failed: ["agent"] });
  });
});
