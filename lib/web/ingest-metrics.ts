import "server-only";
import { formatOf } from "@/lib/domain/exposition/parse";
import { AppError } from "@/lib/errors";
import { readNow } from "@/lib/services/clock";
import { takePage } from "@/lib/services/telemetry/push";
import { senderToken } from "@/lib/services/telemetry/senders";
import { bearerOf, readText } from "./body";
import { answer, json } from "./route";
import { inTurn } from "./turns";

/** POST /api/v1/ingest/metrics?host=: a metrics page, Prometheus text or OpenMetrics. */
export async function takeMetrics(request: Request): Promise<Response> {
  return answer(async () => {
    const now = await readNow();
    const token = await senderToken(bearerOf(request), now);
    const contentType = request.headers.get("content-type");
    const format = formatOf(contentType ?? "text/plain");
    if (format === null)
      throw new AppError(
        "unsupported",
        `Content-Type ${(contentType ?? "").slice(0, 60)} is not taken; send text/plain; version=0.0.4 or application/openmetrics-text.`,
      );
    const host = new URL(request.url).searchParams.get("host");
    const text = await readText(request, true);
    return json(await inTurn(() => takePage(token, { text, format, host }, now)));
  });
}
