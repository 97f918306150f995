import { findConnection } from "@/lib/db/fleet/connection";
import { findIntent, insertIntent } from "@/lib/db/intents";
import { mutate } from "@/lib/db/mutate";
import { insertToken } from "@/lib/db/tokens";
import { authorize, type Ctx } from "@/lib/domain/access";
import { formatUsdRate } from "@/lib/domain/format";
import { missingKeys } from "@/lib/domain/intents/change";
import { type LaunchRequest, machineName } from "@/lib/domain/intents/intent";
import type { NewLaunch } from "@/lib/domain/intents/launch";
import { preflight } from "@/lib/domain/intents/preflight";
import { AppError } from "@/lib/errors";
import { enrolmentToken } from "@/lib/services/tokens";
import { hashBytes } from "./hash";
import { readLaunchOffers } from "./offers";
import { sameRequest } from "./same";

/**
 * Asks for a machine; the worker sends it. The intent's id comes from the form: the same id again is the same launch, whatever
 * else was typed. Errors: `invalid` with fields, `conflict` where the price moved or a warning was not accepted, `unavailable`
 * while the key is refused.
 */
export async function requestLaunch(ctx: Ctx, input: NewLaunch): Promise<{ id: string }> {
  authorize(ctx, "intent:launch");
  const known = await findIntent(input.intentId);
  if (known) return sameRequest(known, { kind: "launch", targetId: null });
  const offers = await readLaunchOffers(ctx);
  if (offers.freshness.isFrozen)
    throw new AppError(
      "unavailable",
      "Lambda refuses our key, so nothing can be launched until it is accepted again. Nothing was sent.",
    );
  const checks = preflight(input, offers);
  const errors = checks.filter((check) => check.level === "error");
  if (errors[0]) {
    const fields = Object.fromEntries(
      errors.flatMap((one) => (one.field ? [[one.field, `${one.title}. ${one.detail}`]] : [])),
    );
    throw new AppError("invalid", `${errors[0].title}. ${errors[0].detail} Nothing was launched.`, fields);
  }
  const offer = offers.offers.find((one) => one.typeName === input.typeName);
  if (offer?.priceMicros !== input.priceMicros)
    throw new AppError(
      "conflict",
      `The price is ${formatUsdRate(offer?.priceMicros ?? null)} now; you saw ${formatUsdRate(input.priceMicros)}. Look again; nothing was launched.`,
    );
  const warnings = checks.filter((check) => check.level === "warning");
  const [unread] = missingKeys(warnings, input.accepted);
  if (unread !== undefined) {
    const warning = warnings.find((check) => check.key === unread);
    throw new AppError(
      "conflict",
      `Read this first and confirm it: ${warning?.title}. ${warning?.detail} Nothing was launched.`,
      { accepted: unread },
    );
  }
  const connection = await findConnection();
  if (!connection) throw new AppError("unavailable", "Lambda was not looked at yet. Try again in a moment.");

  const { owner, team, project, environment, costCenter, workload } = input;
  const request: LaunchRequest = {
    typeName: input.typeName,
    region: input.region,
    imageFamily: input.imageFamily,
    sshKeyName: input.sshKeyName,
    fileSystemName: input.fileSystemName,
    name: machineName(input.name, input.intentId),
    labels: { owner, team, project, environment, costCenter, workload },
  };
  const plan = { priceMicros: input.priceMicros, accepted: input.accepted };
  try {
    return await mutate(ctx, "intent:launch", async (tx) => {
      const intent = await insertIntent(tx, {
        id: input.intentId,
        kind: "launch",
        connectionId: connection.id,
        targetId: null,
        request,
        plan,
        planHash: hashBytes(JSON.stringify([request, plan])),
        reason: null,
        requestedById: ctx.actor.kind === "user" ? ctx.actor.id : null,
        requestedBy: ctx.actor.name,
        createdAt: ctx.now,
      });
      if (!intent) throw new AlreadyThere();
      const { prefix, secretHash } = enrolmentToken(intent.id);
      await insertToken(tx, {
        kind: "enrolment",
        name: request.name,
        prefix,
        secretHash,
        intentId: intent.id,
        createdAt: ctx.now,
      });
      return {
        action: "launch.requested" as const,
        subjectKind: "intent",
        subjectId: intent.id,
        subject: request.name,
        after: { ...request, ...plan },
        result: { id: intent.id },
      };
    });
  } catch (error) {
    const winner = error instanceof AlreadyThere ? await findIntent(input.intentId) : null;
    if (!winner) throw error;
    return sameRequest(winner, { kind: "launch", targetId: null });
  }
}

/** Somebody was quicker with the same id; nothing is written twice, the audit trail included. */
class AlreadyThere extends Error {}
