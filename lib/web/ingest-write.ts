import "server-only";
import { AppError, failure, httpStatus } from "@/lib/errors";
import { readNow } from "@/lib/services/clock";
import { senderToken } from "@/lib/services/telemetry/senders";
import { takeWrite } from "@/lib/services/telemetry/write";
import { bearerOf, encodingOf, readBytes } from "./body";
import { reportError } from "./report-error";
import { inTurn } from "./turns";

/**
 * POST /api/v1/write: Prometheus remote write 1.0. 204: all of it is stored, or was before, or is of no use here. 400: what the
 * text names is refused for good, the rest is stored. 5xx: nothing may be stored, send it again.
 */
export async function takeRemoteWrite(request: Request): Promise<Response> {
  try {
    const now = await readNow();
    const token = await senderToken(bearerOf(request), now);
    checkHeaders(request);
    const body = await readBytes(request);
    const { refused } = await inTurn(() => takeWrite(token, body, now));
    return refused === null ? new Response(null, { status: 204 }) : plain(refused, 400);
  } catch (error) {
    try {
      const { code, message, retryAfterMs } = failure(error);
      const headers = retryAfterMs === null ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
      return plain(message, httpStatus[code], headers);
    } catch {
      return plain(`Something went wrong on our side; reference ${reportError("write", error)}.`, 500);
    }
  }
}

function checkHeaders(request: Request): void {
  const refuse = (what: string) => {
    throw new AppError("unsupported", `${what} is not taken; send remote write 1.0, protobuf in a snappy block.`);
  };
  const encoding = encodingOf(request);
  if (encoding !== null && encoding !== "snappy") refuse(`Content-Encoding ${encoding.slice(0, 40)}`);
  const type = request.headers.get("content-type")?.toLowerCase() ?? "application/x-protobuf";
  const [name, ...parameters] = type.split(";").map((part) => part.trim());
  const proto = parameters.find((part) => part.startsWith("proto="));
  const isOne = proto === undefined || proto === "proto=prometheus.writerequest";
  if (name !== "application/x-protobuf" || !isOne) refuse(`Content-Type ${type.slice(0, 80)}`);
  const version = request.headers.get("x-prometheus-remote-write-version") ?? "0.1.0";
  if (!/^(0\.1|1)\./.test(version)) refuse(`Remote write version ${version.slice(0, 20)}`);
}

/** Senders write the first line of an answer into their log. */
function plain(text: string, status: number, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers },
  });
}
