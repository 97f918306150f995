import { readHealth } from "@/lib/services/health";
import { json } from "@/lib/web/route";

/** For probes, without a sign-in: 200 only when everything serves, else 503 with what does not. */
export async function GET(): Promise<Response> {
  const health = await readHealth();
  return json({ status: health.isOk ? "ok" : "failing", checks: health.checks }, health.isOk ? 200 : 503);
}
