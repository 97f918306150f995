import { findConnection } from "@/lib/db/fleet/connection";
import { recordAudit } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import { AppError } from "@/lib/errors";
import type { LambdaClient } from "@/lib/integrations/lambda/client";
import { isOutcomeUnknown, LambdaError } from "@/lib/integrations/lambda/errors";
import { lambdaConnection, lambdaOf, slowDown } from "@/lib/services/fleet/lambda";

type Subject = { subjectKind: string; subjectId: string; subject: string };

type Call<T> = Subject & {
  /** What is being done, as in "add the key". */
  what: string;
  run: (lambda: LambdaClient) => Promise<T>;
  /** Where Lambda did not say how it went: whether it is done, from a fresh look; null: it is not. */
  look: (lambda: LambdaClient) => Promise<T | null>;
};

/**
 * Changes something at Lambda that may be repeated without harm. An answer that was lost is looked up; what stays unknown is
 * said and written down as that, never as done. Throws an AppError in words for people.
 */
export async function change<T>(ctx: Ctx, { what, run, look, ...subject }: Call<T>): Promise<T> {
  const connection = await lambdaConnection(ctx.now);
  if (connection.mutationsFrozenAt || connection.mutateFrozenAt)
    throw new AppError(
      "unavailable",
      `Lambda refuses our key, so we did not ask it to ${what}. See Settings, Connection.`,
    );
  const lambda = lambdaOf(connection, "change");
  try {
    return await run(lambda);
  } catch (error) {
    if (!(error instanceof LambdaError)) throw error;
    await slowDown(connection.id, error);
    if (!isOutcomeUnknown(error)) throw refusal(error, what);
    const found = await look(lambda).catch((failure: unknown) => {
      if (failure instanceof LambdaError) return null;
      throw failure;
    });
    if (found !== null) return found;
    const told = `${error.message}. Whether it happened is not known`;
    await recordAudit(ctx, { ...subject, action: "cloud.outcome-unknown", reason: `Asked to ${what}: ${told}.` });
    throw new AppError("unavailable", `${told}; look at the list again before you repeat it. Repeating does no harm.`);
  }
}

/** Asks Lambda something now. */
export async function look<T>(run: (lambda: LambdaClient) => Promise<T>): Promise<T> {
  const connection = await findConnection();
  if (!connection) throw new AppError("unavailable", "Lambda has not been asked yet.");
  try {
    return await run(lambdaOf(connection, "look"));
  } catch (error) {
    if (!(error instanceof LambdaError)) throw error;
    await slowDown(connection.id, error);
    throw refusal(error, "answer");
  }
}

function refusal(error: LambdaError, what: string): AppError {
  if (error.kind === "throttled" || error.kind === "not_sent")
    return new AppError(
      "unavailable",
      `Lambda's rate limit left no room, so nothing was changed. Try again in a moment.`,
    );
  if (error.kind === "unauthorised")
    return new AppError("unavailable", `Lambda refuses our key (${error.message}). Nothing was changed.`);
  const isBusy = error.status === 409;
  return new AppError(
    isBusy ? "conflict" : "invalid",
    `Lambda would not ${what}: ${error.message} Nothing was changed.`,
  );
}
