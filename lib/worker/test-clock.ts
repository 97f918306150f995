import { createServer, type IncomingMessage } from "node:http";
import { now, setTestClock } from "@/lib/db/clock";
import { env } from "@/lib/env";
import { type Job, once } from "./loop";

const STEP_MS = 10_000;

/**
 * With TEST_CLOCK=1 the worker does not run by itself: a test moves the clock over a loopback port. `advance` goes in steps of
 * 10 s, or as asked; in each the simulator's machines push, then every due job runs to its end. `jump` moves the clock without
 * steps: an outage on purpose. Prints the port as its one line of output.
 */
export async function serveTestClock(jobs: Job[], holder: string, signal: AbortSignal): Promise<void> {
  const due = new Map<string, number>();

  async function runDue(at: number): Promise<void> {
    for (const job of jobs) {
      const beat = Math.floor(at / job.everyMs);
      if ((due.get(job.name) ?? -1) >= beat) continue;
      due.set(job.name, beat);
      await once(job, holder, signal);
    }
  }

  async function moveTo(at: number): Promise<void> {
    await setTestClock(new Date(at));
    await tellSimulator(at);
    await runDue(at);
  }

  const server = createServer((request, response) => {
    const finish = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    handle(request).then(
      (body) => finish(200, body),
      (error: unknown) => finish(500, { error: String(error) }),
    );
  });

  async function handle(request: IncomingMessage): Promise<object> {
    const asked = JSON.parse((await text(request)) || "{}") as { ms?: number; at?: number; stepMs?: number };
    const { ms = 0, at, stepMs = STEP_MS } = asked;
    const start = (await now()).getTime();
    if (request.url === "/set" && at !== undefined) await moveTo(at);
    else if (request.url === "/jump") await setTestClock(new Date(start + ms));
    else if (request.url === "/advance") {
      for (let gone = 0; gone < ms && !signal.aborted; gone += stepMs)
        await moveTo(Math.min(start + gone + stepMs, start + ms));
    } else if (request.url === "/run") await runDue(start);
    else throw new Error(`unknown: ${request.url}`);
    return { now: (await now()).getTime() };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  process.stdout.write(
    `${JSON.stringify({ testClockPort: address && typeof address === "object" ? address.port : null })}\n`,
  );
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  server.close();
}

async function tellSimulator(at: number): Promise<void> {
  if (!env.simulatorAdminUrl) return;
  const response = await fetch(`${env.simulatorAdminUrl}/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ now: at }),
  });
  if (!response.ok) throw new Error(`The simulator's clock answered ${response.status}: ${await response.text()}`);
}

async function text(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}
