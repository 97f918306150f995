import { createHash } from "node:crypto";
import { type Connection, findConnection } from "@/lib/db/fleet/connection";
import { findIntent, insertIntent } from "@/lib/db/intents";
import { lockLaunches, openLaunches } from "@/lib/db/launches";
import { mutate, type Tx } from "@/lib/db/mutate";
import { readSettingNow } from "@/lib/db/settings";
import { insertToken } from "@/lib/db/tokens";
import { authorize, type Ctx, requireFreshSignIn } from "@/lib/domain/access";
import { formatUsdRate } from "@/lib/domain/format";
import { missingKeys } from "@/lib/domain/intents/change";
import { approvalExpiresAt, approvalNeeded } from "@/lib/domain/intents/guardrails";
import { type LaunchRequest, machineName } from "@/lib/domain/intents/intent";
import type { NewLaunch } from "@/lib/domain/intents/launch";
import { namesOf } from "@/lib/domain/intents/names";
import type { LaunchOffers } from "@/lib/domain/intents/offers";
import { preflight } from "@/lib/domain/intents/preflight";
import { launchMicrosPerHour } from "@/lib/domain/intents/preflight-money";
import { AppError } from "@/lib/errors";
import { storeSecret } from "@/lib/services/secrets";
import { enrolmentToken } from "@/lib/services/tokens";
import { batchIntentId, hashBytes } from "./hash";
import { readLaunchOffers } from "./offers";
import { personBehind } from "./person";
import { sameRequest } from "./same";

/** Where a launch comes from, when it is not a person's form. */
export type LaunchOrigin = {
  policyId: string;
  requestedBy: string;
  reason: string;
  /** Kept in the intent's plan beside price and accepted warnings. */
  plan: object;
};

const TRIES = 4;

/**
 * Asks for machines, each an intent of its own; the worker sends them one by one. The first intent's id comes from the form: the
 * same id again is the same launch, whatever else was typed. Judged here anew, whatever the form thought. Where the guardrails
 * want a second person, it waits for one. Errors: `invalid` with fields, `conflict` where the price moved or a warning was not
 * accepted, `unavailable` while the key is refused.
 */
export async function requestLaunch(ctx: Ctx, input: NewLaunch, origin?: LaunchOrigin): Promise<{ id: string }> {
  authorize(ctx, "intent:launch");
  for (let tries = 1; ; tries++) {
    const known = await findIntent(input.intentId);
    if (known) return sameRequest(known, { kind: "launch", targetId: null });
    const open = await openLaunches(ctx.now);
    const offers = await readLaunchOffers(ctx);
    judge(input, offers);
    const connection = await findConnection();
    if (!connection) throw new AppError("unavailable", "Lambda was not looked at yet. Try again in a moment.");
    try {
      return await ask(ctx, input, { offers, connection, origin, open: idsOf(open) });
    } catch (error) {
      if (error instanceof AlreadyThere) continue;
      if (!(error instanceof Overtaken)) throw error;
      if (tries === TRIES)
        throw new AppError(
          "conflict",
          "Others launch at the same moment, so the limits could not be judged. Nothing was launched; try again.",
        );
    }
  }
}

/** Throws for what stands in the way, and for a warning that was not read. */
function judge(input: NewLaunch, offers: LaunchOffers): void {
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
}

type Judged = { offers: LaunchOffers; connection: Connection; origin: LaunchOrigin | undefined; open: string };

async function ask(ctx: Ctx, input: NewLaunch, { offers, connection, origin, open }: Judged): Promise<{ id: string }> {
  const [guardrails, person] = await Promise.all([readSettingNow("guardrails"), personBehind(ctx)]);
  const offer = offers.offers.find((one) => one.typeName === input.typeName);
  const approval =
    approvalNeeded(
      { kind: "launch", actor: ctx.actor, microsPerHour: launchMicrosPerHour(input, offer) ?? 0n },
      guardrails,
    ) ?? (offers.stop?.act === "ask" ? offers.stop.words : null);
  if (approval !== null) requireFreshSignIn(ctx);
  const names = namesOf(input.name, input.count, offers.names);
  const plan = {
    ...origin?.plan,
    priceMicros: input.priceMicros,
    accepted: input.accepted,
    ...(approval !== null && { approval }),
  };
  return mutate(ctx, "intent:launch", async (tx) => {
    await lockLaunches(tx);
    if (idsOf(await openLaunches(ctx.now, tx)) !== open) throw new Overtaken();
    const userDataId = input.userData.trim() === "" ? null : await storeSecret(tx, USER_DATA, input.userData, ctx.now);
    for (const [index, name] of names.entries()) {
      const id = batchIntentId(input.intentId, index);
      const request = requestOf(input, machineName(name, id), userDataId);
      const intent = await insertIntent(tx, {
        id,
        kind: "launch",
        connectionId: connection.id,
        targetId: null,
        request,
        plan,
        planHash: hashBytes(JSON.stringify([request, plan])),
        reason: origin?.reason ?? null,
        requestedById: person,
        requestedBy: origin?.requestedBy ?? ctx.actor.name,
        createdAt: ctx.now,
        policyId: origin?.policyId ?? null,
        batchId: names.length > 1 ? input.intentId : null,
        approvalExpiresAt: approval === null ? null : new Date(approvalExpiresAt(ctx.now.getTime(), guardrails)),
      });
      if (!intent) throw new AlreadyThere();
      await enrol(tx, id, request.name, ctx.now);
    }
    const first = requestOf(input, machineName(names[0] ?? input.name, input.intentId), userDataId);
    return {
      action: "launch.requested" as const,
      subjectKind: "intent",
      subjectId: input.intentId,
      subject: names.length > 1 ? `${first.name} and ${names.length - 1} more` : first.name,
      after: {
        ...first,
        ...plan,
        ...(names.length > 1 && { machines: names.join(", ") }),
        ...(userDataId !== null && { userDataSha256: createHash("sha256").update(input.userData).digest("hex") }),
      },
      reason: approval ?? origin?.reason ?? null,
      result: { id: input.intentId },
    };
  });
}

export const USER_DATA = "launch.user-data";

function requestOf(input: NewLaunch, name: string, userDataId: string | null): LaunchRequest {
  const { typeName, region, imageFamily, sshKeyName, fileSystemName, purpose, leaseUntil } = input;
  const { owner, team, project, environment, costCenter, workload } = input;
  return {
    typeName,
    region,
    imageFamily,
    sshKeyName,
    fileSystemName,
    name,
    labels: { owner, team, project, environment, costCenter, workload },
    purpose,
    leaseUntil: leaseUntil ?? null,
    userDataId,
  };
}

/** The machine's own credential, before there is a machine. */
async function enrol(tx: Tx, intentId: string, name: string, at: Date): Promise<void> {
  const { prefix, secretHash } = enrolmentToken(intentId);
  await insertToken(tx, { kind: "enrolment", name, prefix, secretHash, intentId, createdAt: at });
}

function idsOf(open: readonly { id: string }[]): string {
  return open.map(({ id }) => id).join(" ");
}

/** Somebody was quicker with the same id; nothing is written twice, the audit trail included. */
class AlreadyThere extends Error {}

/** Another launch was asked for since this one was judged, so it is judged again. */
class Overtaken extends Error {}
