import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, ensureConnection } from "@/lib/db/fleet/connection";
import { forgive, holdBack, reserve } from "@/lib/db/rate-limit";
import { env } from "@/lib/env";
import { type CallKind, type LambdaClient, lambdaClient } from "@/lib/integrations/lambda/client";
import { LambdaError } from "@/lib/integrations/lambda/errors";

/** Lambda allows one request a second; a little more room keeps clocks from meeting. */
export const SPACING_MS = 1_100;
/** One launch every 12 s, likewise. */
export const LAUNCH_SPACING_MS = 12_500;
const LONGEST_WAIT_MS = 30_000;
const STEP_MS = 10_000;
const HOLD_LEAST_MS = 5_000;
const HOLD_MOST_MS = 120_000;

export const launchKey = (connectionId: string) => `launch:${connectionId}`;
export const callsKey = (connectionId: string) => `lambda:${connectionId}`;

/** The one Lambda account that the environment names. */
export async function lambdaConnection(now: Date): Promise<Connection> {
  return ensureConnection({
    provider: "lambda",
    name: "Lambda Cloud",
    baseUrl: env.lambdaApiUrl,
    keyLast4: (env.lambdaApiKey ?? "").slice(-4),
    mutateKeyLast4: env.lambdaApiKeyMutate?.slice(-4) ?? null,
    at: now,
  });
}

/** A client for looking or for changing, inside the rate limit that all processes share. */
export function lambdaOf(connection: Connection, purpose: "look" | "change"): LambdaClient {
  const key = (purpose === "change" && env.lambdaApiKeyMutate) || env.lambdaApiKey;
  if (!key) throw new LambdaError("unauthorised", "LAMBDA_API_KEY is not set");
  return lambdaClient({ baseUrl: connection.baseUrl, key, acquire: (kind) => waitForTurn(connection.id, kind) });
}

async function waitForTurn(connectionId: string, kind: CallKind): Promise<void> {
  // The test clock moves in steps: what falls due within one happens at once, and nothing sleeps.
  const atMostMs = env.testClock ? STEP_MS : LONGEST_WAIT_MS;
  const launchWaitMs = kind === "launch" ? await reserve(launchKey(connectionId), LAUNCH_SPACING_MS, atMostMs) : 0;
  const callWaitMs = launchWaitMs === null ? null : await reserve(callsKey(connectionId), SPACING_MS, atMostMs);
  if (launchWaitMs === null || callWaitMs === null)
    throw new LambdaError("not_sent", "The request waits for its turn in Lambda's rate limit");
  const waitMs = Math.max(launchWaitMs, callWaitMs);
  if (waitMs > 0 && !env.testClock) await sleep(waitMs);
}

/** Lambda asked us to slow down, or its edge did: nobody calls for a while, longer each time in a row. */
export async function slowDown(connectionId: string, error: LambdaError): Promise<void> {
  if (error.kind === "throttled")
    await holdBack(callsKey(connectionId), error.retryAfterMs ?? HOLD_LEAST_MS, HOLD_MOST_MS);
  if (error.kind === "edge_page")
    await holdBack(callsKey(connectionId), error.retryAfterMs ?? 4 * HOLD_LEAST_MS, HOLD_MOST_MS);
}

export async function allIsWell(connectionId: string): Promise<void> {
  await forgive(callsKey(connectionId));
}
