import { readMetrics } from "@/lib/services/metrics";
import { answer } from "@/lib/web/route";
import { requestCtx } from "@/lib/web/session";

/** For Prometheus, with an API token as bearer. */
export function GET(request: Request): Promise<Response> {
  return answer(async () => {
    const text = await readMetrics(await requestCtx(request));
    return new Response(text, {
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "private, no-store" },
    });
  });
}
