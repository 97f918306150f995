import { randomUUID } from "node:crypto";
import { findIntent, type Intent, insertIntent } from "@/lib/db/intents";
import { mutate } from "@/lib/db/mutate";
import { insertToken } from "@/lib/db/tokens";
import { NO_LABELS } from "@/lib/domain/fleet/workloads";
import type { IntentKind } from "@/lib/domain/intents/intent";
import { planHash } from "@/lib/domain/intents/plan";
import { lambdaConnection, lambdaOf } from "@/lib/services/fleet/lambda";
import { pollInstances } from "@/lib/services/fleet/poll";
import { seenInstance } from "@/lib/services/fleet/translate";
import { hashBytes } from "@/lib/services/intents/hash";
import { sendIntents, settleIntents } from "@/lib/services/intents/send";
import { enrolmentToken } from "@/lib/services/tokens";
import { admin, launchBody } from "@/lib/simulator/testing";
import { type Duty, rows, type World } from "./world";

export const STEP_MS = 5_000;
export const LOOK: Duty = { everyMs: 15_000, run: pollInstances };
export const SEND: Duty = { everyMs: STEP_MS, run: (ctx) => sendIntents(ctx) };
export const SETTLE: Duty = { everyMs: STEP_MS, run: settleIntents };

export const LAUNCH = "/instance-operations/launch";
export const TERMINATE = "/instance-operations/terminate";
export const RESTART = "/instance-operations/restart";

/** The worker's part in intents goes on: the first minute in small steps, the rest in larger ones. */
export async function work(world: World, ms: number): Promise<void> {
  await world.advance(Math.min(ms, 60_000), [LOOK, SEND, SETTLE], STEP_MS);
  await world.advance(Math.max(0, ms - 60_000), [LOOK, SEND, SETTLE], 15_000);
}

/** The requests that reached the cloud. */
export const posts = (world: World, path: string) =>
  world.requests.filter((one) => one.method === "POST" && one.path === path);

type Facts = Partial<Parameters<typeof insertIntent>[1]>;

async function ask(world: World, kind: IntentKind, facts: Facts): Promise<string> {
  const ctx = world.ctx();
  const id = randomUUID();
  const connection = await lambdaConnection(ctx.now);
  await mutate(ctx, `intent:${kind}`, async (tx) => {
    await insertIntent(tx, {
      id,
      kind,
      connectionId: connection.id,
      targetId: null,
      request: { externalId: "", name: null },
      plan: {},
      reason: null,
      requestedById: null,
      requestedBy: "test",
      createdAt: ctx.now,
      planHash: hashBytes(""),
      ...facts,
    });
    if (kind === "launch") {
      const { prefix, secretHash } = enrolmentToken(id);
      await insertToken(tx, { kind: "enrolment", name: "gh", prefix, secretHash, intentId: id, createdAt: ctx.now });
    }
    return { action: `${kind}.requested`, subjectKind: "intent", subjectId: id, subject: "gh", result: null };
  });
  return id;
}

export const askForLaunch = (world: World, name = "gh-new"): Promise<string> =>
  ask(world, "launch", {
    request: {
      typeName: "gpu_1x_gh200",
      region: "us-east-3",
      imageFamily: null,
      sshKeyName: "team-key",
      fileSystemName: null,
      name,
      labels: { ...NO_LABELS, team: "research" },
    },
  });

/** Asks to end a machine as it is known now. */
export async function askToEnd(world: World, kind: "terminate" | "restart", externalId: string): Promise<string> {
  const connection = await lambdaConnection(world.ctx().now);
  const seen = seenInstance(await lambdaOf(connection, "look").getInstance(externalId));
  const [resource] = await rows<{ id: string }>("select id from resource where external_id = $1", [externalId]);
  return ask(world, kind, {
    targetId: resource?.id ?? null,
    request: { externalId, name: seen.name },
    planHash: hashBytes(planHash(seen)),
  });
}

export async function intentOf(id: string): Promise<Intent> {
  const intent = await findIntent(id);
  if (!intent) throw new Error("no such intent");
  return intent;
}

export type Linked = { externalId: string; intentId: string | null; goneAt: Date | null };
export const resources = () =>
  rows<Linked>(`select external_id as "externalId", launch_intent_id as "intentId", gone_at as "goneAt" from resource`);

/** A machine that was launched elsewhere, runs and is known. */
export async function running(world: World, name = "gh-old"): Promise<string> {
  await admin(world.cloud, "POST", "/launch-outside", launchBody({ name }));
  await work(world, 3 * 60_000);
  return world.cloud.cloud.state.machines.at(-1)?.id ?? "";
}
