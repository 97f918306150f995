import { gunzipSync } from "node:zlib";
import { listen } from "./http";
import { isRecord } from "./request-body";
import { DEFAULT_KEY, type Simulator, type SimulatorOptions, startSimulator } from "./start";

/** A Saturday noon, for clocks that stand still. */
export const NOON = Date.UTC(2026, 10, 21, 12);

export type Answer = { status: number; type: string; headers: Headers; text: string; json: unknown };

/** A cloud with a manual clock and machines that are active after a minute. */
export function startTestCloud(options: SimulatorOptions = {}): Promise<Simulator> {
  const behaviour = { bootMs: 60_000, terminateMs: 30_000, ...options.behaviour };
  return startSimulator({ clock: "manual", now: NOON, ...options, behaviour });
}

export async function request(url: string, method = "GET", body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  const json: unknown = type.startsWith("application/json") ? JSON.parse(text) : null;
  const answer: Answer = { status: response.status, type, headers: response.headers, text, json };
  return answer;
}

/** Asks the API with the key, after moving a manual clock on so that its rate limit allows it. */
export async function call(simulator: Simulator, method: string, path: string, body?: unknown): Promise<Answer> {
  const { clock } = simulator.cloud;
  if (clock.mode === "manual") clock.moveTo(clock.now() + (path.endsWith("/launch") ? 13_000 : 1_000));
  return request(`${simulator.apiUrl}${path}`, method, body, { authorization: `Bearer ${DEFAULT_KEY}` });
}

export const admin = (simulator: Simulator, method: string, path: string, body?: unknown): Promise<Answer> =>
  request(`${simulator.adminUrl}${path}`, method, body);

/** Moves the manual clock on, and waits until every agent has sent what is due. */
export const advance = (simulator: Simulator, ms: number): Promise<Answer> =>
  admin(simulator, "POST", "/clock", { now: simulator.cloud.now() + ms });

export const launchBody = (more: Record<string, unknown> = {}) => ({
  region_name: "us-east-3",
  instance_type_name: "gpu_1x_gh200",
  ssh_key_names: ["team-key"],
  ...more,
});

/** Walks down an answer: `at(json, "data", 0, "id")`. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner) && typeof key === "number") return inner[key];
    return isRecord(inner) ? inner[key] : undefined;
  }, value);
}

export async function launch(simulator: Simulator, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await call(simulator, "POST", "/instance-operations/launch", launchBody(more));
  const id = at(answer.json, "data", "instance_ids", 0);
  if (typeof id !== "string") throw new Error(`launch was refused: ${answer.text}`);
  return id;
}

export type Received = { path: string; authorization: string; text: string };
export type Dashboard = {
  url: string;
  received: Received[];
  /** What it answers from now on. */
  status: number;
  retryAfter: string | null;
  close(): Promise<void>;
};

/** Stands in for the product: takes what agents send. */
export async function startDashboard(): Promise<Dashboard> {
  const dashboard: Dashboard = { url: "", received: [], status: 202, retryAfter: null, close: async () => {} };
  const server = await listen(0, async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const bytes = Buffer.concat(chunks);
    const text = (incoming.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString("utf8");
    const authorization = incoming.headers.authorization ?? "";
    if (dashboard.status < 300) dashboard.received.push({ path: incoming.url ?? "", authorization, text });
    response.writeHead(dashboard.status, dashboard.retryAfter === null ? {} : { "retry-after": dashboard.retryAfter });
    response.end();
  });
  dashboard.url = `http://127.0.0.1:${server.port}`;
  dashboard.close = server.close;
  return dashboard;
}

/** The instants of the GPU samples in what was received, in order of arrival. */
export const sampledAt = (received: readonly Received[]): number[] =>
  received.flatMap(({ text }) => [...text.matchAll(/^#gpu at=(\S+)$/gm)].map(([, iso]) => Date.parse(iso ?? "")));

/** What cloud-init brings to a new machine. */
export const userData = (url: string, token: string): string =>
  `#cloud-config\nruncmd:\n  - curl -fsSL ${url}/agent/install.sh | sudo sh -s -- --url '${url}' --token '${token}'\n`;
