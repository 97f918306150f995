import "server-only";
import { readNow } from "@/lib/services/clock";
import { senderToken } from "@/lib/services/telemetry/senders";
import { pushWorkload } from "@/lib/services/workload/push";
import { bearerOf, readText } from "./body";
import { answer, json } from "./route";

/** POST /api/v1/ingest/workload: a run and what a program says of it, as JSON. */
export async function takeWorkload(request: Request): Promise<Response> {
  return answer(async () => {
    const now = await readNow();
    const token = await senderToken(bearerOf(request), now);
    return json(await pushWorkload(token, await readText(request), now));
  });
}
