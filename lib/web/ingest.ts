import "server-only";
import { readNowTogether } from "@/lib/services/clock";
import { ingest } from "@/lib/services/telemetry/ingest";
import { senderToken } from "@/lib/services/telemetry/senders";
import { bearerOf, readText } from "./body";
import { answer, json } from "./route";

/** POST /api/v1/ingest/nvidia-smi: what nvidia-smi printed, as the agent sends it or as it is. */
export async function takeReport(request: Request): Promise<Response> {
  return answer(async () => {
    const now = await readNowTogether();
    const token = await senderToken(bearerOf(request), now);
    return json(await ingest(token, await readText(request), now));
  });
}
