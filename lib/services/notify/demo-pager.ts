import { env, isLoopback } from "@/lib/env";
import { type Answer, OutboundError } from "@/lib/integrations/outbound";

/** Stands for the simulator's own receiver, wherever it listens. Nobody can enter it: what a person types must be http or https. */
export const DEMO_PAGER = "demo:pager";

const DEADLINE_MS = 10_000;

/** Hands a message to the demo's receiver, which answers and throws it away. In the demo only, and on loopback only. */
export async function postToDemoPager(body: string, headers: Record<string, string>): Promise<Answer> {
  const { mode, simulatorAdminUrl } = env;
  if (mode !== "demo" || simulatorAdminUrl === null || !isLoopback(simulatorAdminUrl))
    throw new OutboundError("The demo's receiver is there in the demo only.");
  const response = await fetch(`${simulatorAdminUrl}/pager`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
    redirect: "error",
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  await response.body?.cancel();
  return { statusCode: response.status, retryAfterMs: null, body: "" };
}
