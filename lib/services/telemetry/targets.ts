import type { Client } from "@/lib/db/client";
import { mutate, type Tx } from "@/lib/db/mutate";
import { adoptSource, findPresentInstance } from "@/lib/db/telemetry/sources";
import {
  findTarget,
  insertTarget,
  listTargets,
  retireTarget,
  type Target,
  type TargetValues,
  updateTarget,
} from "@/lib/db/telemetry/targets";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { NewTarget, TargetChange, TargetId, TargetsAnswer, TargetTest } from "@/lib/domain/targets";
import { MetricMapping } from "@/lib/domain/telemetry/metric-mapping";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { OutboundError } from "@/lib/integrations/outbound";
import { checkedTarget } from "@/lib/integrations/scrape/fetch";
import { readFleet } from "@/lib/services/fleet/read";
import { storeSecret } from "@/lib/services/secrets";
import { credentialOf, readTarget } from "./scrape";

/** As far back as samples are still taken; what was derived of older ones stays without the machine. */
const DERIVED_ANEW_MS = 2 * 24 * 3_600_000;

/** The pages that the worker fetches, and what came of the last try of each. */
export async function readTargets(ctx: Ctx): Promise<TargetsAnswer> {
  authorize(ctx, "fleet:read");
  const [targets, fleet] = await Promise.all([listTargets(), readFleet(ctx)]);
  const instances = fleet.rows.filter((row) => !row.isGone).map(({ id, name }) => ({ id, name }));
  const rows = await Promise.all(
    targets.map(async (target) => {
      const credential = await credentialOf(target.secretId);
      const hasGiven = target.gpus > 0 || target.lastReceivedAt > target.firstSeenAt;
      return {
        id: target.id,
        name: target.name,
        url: target.url,
        everySeconds: Math.round(target.everyMs / 1000),
        isEnabled: target.isEnabled,
        instanceId: target.resourceId,
        instanceName: fleet.rows.find((row) => row.id === target.resourceId)?.name ?? null,
        credential: credential === null || credential === "unreadable" ? ("none" as const) : credential.kind,
        isUnreadable: credential === "unreadable",
        mapping: mappingOf(target),
        fetchedAt: target.fetchedAt?.getTime() ?? null,
        receivedAt: hasGiven ? target.lastReceivedAt.getTime() : null,
        error: target.error,
        gpus: target.gpus,
      };
    }),
  );
  return { now: ctx.now.getTime(), targets: rows, instances };
}

/** Adds a page to fetch. Its credential is kept encrypted and never shown again. */
export async function createTarget(ctx: Ctx, input: NewTarget): Promise<{ id: string }> {
  authorize(ctx, "token:ingest");
  checkUrl(input.url);
  return unlessTaken(() =>
    mutate(ctx, "token:ingest", async (tx) => {
      await checkInstance(tx, input.instanceId);
      const { name, url, instanceId, mapping } = input;
      const secretId =
        input.credential === "none" ? null : await keepCredential(tx, input.credential, input.secret, ctx.now);
      const values = {
        name,
        url,
        everyMs: input.everySeconds * 1000,
        isEnabled: true,
        resourceId: instanceId,
        secretId,
        mapping,
      };
      const { id } = await insertTarget(tx, values, ctx.now);
      return { action: "target.created", ...subject(id, name), after: shown(values), result: { id } };
    }),
  );
}

/** Changes a target; it is fetched anew with the next run. An empty credential leaves the one that is kept. */
export async function changeTarget(ctx: Ctx, { targetId, ...change }: TargetChange): Promise<{ id: string }> {
  authorize(ctx, "token:ingest");
  if (change.url !== undefined) checkUrl(change.url);
  return unlessTaken(() =>
    mutate(ctx, "token:ingest", async (tx) => {
      const before = await theTarget(tx, targetId);
      if (change.instanceId !== undefined && change.instanceId !== before.resourceId)
        await checkInstance(tx, change.instanceId);
      const after: TargetValues = {
        name: change.name ?? before.name,
        url: change.url ?? before.url,
        everyMs: change.everySeconds === undefined ? before.everyMs : change.everySeconds * 1000,
        isEnabled: change.isEnabled ?? before.isEnabled,
        resourceId: change.instanceId === undefined ? before.resourceId : change.instanceId,
        secretId: await secretAfter(tx, before, change, ctx.now),
        mapping: change.mapping ?? mappingOf(before),
      };
      await updateTarget(tx, targetId, after);
      if (after.resourceId !== null && after.resourceId !== before.resourceId)
        await adoptSource(tx, targetId, after.resourceId, new Date(ctx.now.getTime() - DERIVED_ANEW_MS));
      return {
        action: "target.changed",
        ...subject(targetId, after.name),
        before: shown({ ...before, mapping: mappingOf(before) }),
        after: shown(after),
        result: { id: targetId },
      };
    }),
  );
}

/** Fetches no more. What came from it stays stored. */
export async function removeTarget(ctx: Ctx, { targetId }: TargetId): Promise<{ id: string }> {
  return mutate(ctx, "token:ingest", async (tx) => {
    const before = await theTarget(tx, targetId);
    await retireTarget(tx, targetId, ctx.now);
    return {
      action: "target.removed",
      ...subject(targetId, before.name),
      before: shown({ ...before, mapping: mappingOf(before) }),
      result: { id: targetId },
    };
  });
}

/** Fetches the page once, now, and says what is on it. Nothing of it is stored. */
export async function testTarget(ctx: Ctx, { targetId }: TargetId): Promise<TargetTest> {
  authorize(ctx, "token:ingest");
  const target = (await listTargets()).find((one) => one.id === targetId);
  if (!target) throw new AppError("not-found", "There is no such target.");
  const found = await tryTarget(target, ctx.now);
  return mutate(ctx, "token:ingest", async () => ({
    action: "target.tested",
    ...subject(targetId, target.name),
    after: { problem: found.problem, gpus: found.gpus },
    result: found,
  }));
}

async function tryTarget(target: Target, now: Date): Promise<TargetTest> {
  try {
    const { batches, labelled, ignored, problems } = await readTarget(target, now);
    const gpus = new Set(batches.flatMap(({ readings }) => readings.map(({ uuid, mig }) => `${uuid} ${mig}`))).size;
    return { gpus, otherMetrics: labelled.length, ignored, problem: problems[0]?.message ?? null };
  } catch (error) {
    if (error instanceof OutboundError) return { gpus: 0, otherMetrics: 0, ignored: 0, problem: error.message };
    throw error;
  }
}

function checkUrl(url: string): void {
  try {
    checkedTarget(url, env.outboundPrivateCidrs);
  } catch (error) {
    if (error instanceof OutboundError) throw new AppError("invalid", error.message, { url: error.message });
    throw error;
  }
}

async function checkInstance(tx: Client, instanceId: string | null): Promise<void> {
  if (instanceId !== null && !(await findPresentInstance(tx, instanceId)))
    throw new AppError("not-found", "This instance is gone. Choose one that is there; nothing was changed.", {
      instanceId: "is gone",
    });
}

async function theTarget(tx: Client, id: string): Promise<Target> {
  const target = await findTarget(tx, id);
  if (!target) throw new AppError("not-found", "There is no such target.");
  return target;
}

async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: string }).code === "P2002")
      throw new AppError("conflict", "This page is fetched already, by another target; nothing was changed.", {
        url: "is fetched already",
      });
    throw error;
  }
}

async function secretAfter(
  tx: Tx,
  before: Target,
  change: Omit<TargetChange, "targetId">,
  now: Date,
): Promise<string | null> {
  const { credential, secret } = change;
  if (credential === "none") return null;
  if (secret) {
    const kept = await credentialOf(before.secretId);
    const kind = credential ?? (kept === null || kept === "unreadable" ? "bearer" : kept.kind);
    return keepCredential(tx, kind, secret, now);
  }
  if (before.secretId !== null && change.url !== undefined && new URL(change.url).origin !== new URL(before.url).origin)
    throw new AppError(
      "invalid",
      "The page is elsewhere now: enter its credential again, or choose none. Nothing was changed.",
      {
        secret: "Enter it again for the new address",
      },
    );
  if (credential !== undefined && before.secretId === null)
    throw new AppError("invalid", "There is no credential yet; nothing was changed.", {
      secret: "Give what is to be sent",
    });
  return before.secretId;
}

function keepCredential(tx: Tx, kind: "bearer" | "basic", secret: string, now: Date): Promise<string> {
  return storeSecret(tx, "target", `${kind} ${secret}`, now);
}

function mappingOf({ mapping }: Pick<Target, "mapping">): MetricMapping {
  return MetricMapping.catch([]).parse(mapping ?? []);
}

function subject(id: string, name: string) {
  return { subjectKind: "target", subjectId: id, subject: name };
}

function shown({ name, url, everyMs, isEnabled, resourceId, secretId, mapping }: TargetValues) {
  return {
    name,
    url,
    everySeconds: Math.round(everyMs / 1000),
    isEnabled,
    instanceId: resourceId,
    hasCredential: secretId !== null,
    mapping: JSON.stringify(mapping),
  };
}
