import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cloud } from "./cloud";
import { edgePage, type Faults, withExtraFields, withNullFields, withStatus } from "./faults";
import { type Listening, listen, readBody, sendJson, sendText, TooLarge } from "./http";
import { ApiProblem, problems } from "./problems";
import { hashText, hex, unit } from "./random";
import { RateLimit } from "./rate-limit";
import { RequestBody } from "./request-body";
import { type Call, type Outcome, openApiDocument, type Route, routes } from "./routes";
import type { Actor } from "./types";

const PREFIX = "/api/v1";
const BODY_LIMIT_BYTES = 2_000_000;

/** The fake Lambda Cloud's API under /api/v1, for callers with one of `apiKeys`. */
export function serveApi(cloud: Cloud, faults: Faults, apiKeys: readonly string[], port: number): Promise<Listening> {
  // One request a second, one launch in twelve (the specification); how much may come at once is not said.
  const limits = {
    any: new RateLimit(cloud.clock, 1, cloud.clock.mode === "manual" ? 10 : 2),
    launch: new RateLimit(cloud.clock, 1 / 12, 1),
  };

  return listen(port, async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const method = request.method ?? "GET";
    const path = url.pathname.startsWith(PREFIX) ? url.pathname.slice(PREFIX.length) : url.pathname;
    if (method === "GET" && path === "/openapi.json") return sendJson(response, 200, openApiDocument());

    const late = faults.strike("slow", method, path);
    if (late) await sleep(late.number("ms", 3_000), undefined, { ref: false });
    const edge = faults.strike("edge_page", method, path);
    if (edge) {
      const status = edge.number("status", 403);
      return sendText(response, status, "text/html; charset=UTF-8", edgePage(status));
    }
    const hung = faults.strike("hang", method, path);
    if (hung) return hang(request, hung.number("resetAfterMs", 0));

    const trouble = { method, path, url, request, response };
    try {
      await answer(cloud, faults, apiKeys, limits, trouble);
    } catch (error) {
      if (error instanceof ApiProblem) return sendJson(response, error.status, error.envelope());
      throw error;
    }
  });
}

type Exchange = { method: string; path: string; url: URL; request: IncomingMessage; response: ServerResponse };
type Limits = { any: RateLimit; launch: RateLimit };

async function answer(
  cloud: Cloud,
  faults: Faults,
  apiKeys: readonly string[],
  limits: Limits,
  { method, path, url, request, response }: Exchange,
): Promise<void> {
  const key = keyOf(request.headers.authorization, apiKeys);
  if (key === null || faults.strike("unauthorised", method, path, key)) throw problems.invalidKey();
  const isLaunch = path === "/instance-operations/launch" && method === "POST";
  const slowedDown = faults.strike("rate_limited", method, path, key);
  if (slowedDown) {
    const seconds = slowedDown.number("retryAfter", 0);
    if (seconds > 0) response.setHeader("retry-after", String(seconds));
    throw problems.tooMany();
  }
  if (!limits.any.take(key) || (isLaunch && !limits.launch.take(key))) throw problems.tooMany();
  const broken = faults.strike("server_error", method, path, key);
  if (broken) throw problems.internal(broken.number("status", 500));

  const { route, id } = find(method, path);
  const body = method === "POST" || method === "PATCH" ? await readJson(request) : RequestBody.of({});
  if (faults.strike("account_inactive", method, path, key)) throw problems.accountInactive();
  const call: Call = { cloud, faults, method, path, id, query: url.searchParams, body, actor: actorOf(key) };
  const outcome: Outcome = route.answer(call);
  if ("hang" in outcome) return hang(request, outcome.resetAfterMs);
  const lost = faults.strike("answer_lost", method, path, key);
  if (lost) return hang(request, lost.number("resetAfterMs", 0));
  if (faults.strike("answer_500", method, path, key)) throw problems.internal();
  const page = faults.strike("answer_page", method, path, key);
  if (page) {
    const status = page.number("status", 502);
    return sendText(response, status, "text/html; charset=UTF-8", edgePage(status));
  }

  if (isLaunch) {
    const [from, to] = cloud.behaviour.launchLatencyMs;
    const ms = from + (to - from) * unit(cloud.state.counter, 9);
    if (ms > 0) await sleep(ms, undefined, { ref: false });
  }
  let payload: unknown = outcome;
  const odd = faults.strike("unknown_status", method, path);
  if (odd) payload = withStatus(payload, odd.text("status") ?? "hibernating", odd.text("id"));
  if (faults.strike("null_fields", method, path)) payload = withNullFields(payload);
  if (faults.strike("extra_fields", method, path)) payload = withExtraFields(payload);
  sendJson(response, 200, payload);
}

/** Bearer, Basic with the key as user, or Basic with the bare key (the specification's three forms). */
function keyOf(header: string | undefined, apiKeys: readonly string[]): string | null {
  const [, scheme, value] = /^(Bearer|Basic)\s+(\S+)$/i.exec(header ?? "") ?? [];
  if (!scheme || !value) return null;
  const user = Buffer.from(value, "base64").toString("utf8").split(":")[0];
  const candidates = scheme.toLowerCase() === "bearer" ? [value] : [value, user];
  return apiKeys.find((key) => candidates.includes(key)) ?? null;
}

const actorOf = (key: string): Actor => ({
  lrn: `lrn:cloud:identity:${hex(hashText(key), "identity")}`,
  apiKeyLrn: `lrn:cloud:api_key:${hex(hashText(key), "api_key")}`,
});

const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace("{id}", "([^/]+)")}$`),
}));

function find(method: string, path: string): { route: Route; id: string } {
  const here = patterns.filter(({ pattern }) => pattern.test(path));
  if (here.length === 0) throw problems.notFound();
  const match = here.find(({ route }) => route.method === method);
  if (!match) throw problems.methodNotAllowed();
  return { route: match.route, id: match.pattern.exec(path)?.[1] ?? "" };
}

async function readJson(request: IncomingMessage): Promise<RequestBody> {
  try {
    return RequestBody.of(JSON.parse(await readBody(request, BODY_LIMIT_BYTES)));
  } catch (error) {
    if (error instanceof ApiProblem) throw error;
    if (error instanceof SyntaxError) throw problems.invalid("Error in request body: Invalid JSON");
    if (error instanceof TooLarge) throw problems.invalid("Error in request body: Input is too large");
    throw error;
  }
}

/** Leaves the caller waiting; the connection ends when the caller, the server or `resetAfterMs` ends it. */
function hang(request: IncomingMessage, resetAfterMs: number): void {
  if (resetAfterMs > 0) setTimeout(() => request.socket.destroy(), resetAfterMs).unref();
}
