import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";

/**
 * Starts the product as people do, with its 45-day demo, and measures what people wait for: how long the server takes for a
 * page, and how much JavaScript a first visit loads. Times are medians of one run, beside a page that reads nothing, because
 * machines differ; the last line is a sentence with every bar that was missed, and the exit status says so.
 */
const OVERVIEW_MS = 300;
const SCRIPT_BYTES = 250_000;
const ROUNDS = 30;
const DEMO_DAYS = 45;

const port = await freePort();
const base = `http://localhost:${port}`;
const dataDir = mkdtempSync(path.join(tmpdir(), "hopperdeck bench "));
const product = spawn(process.execPath, ["lib/launcher/first.cjs", "start"], {
  env: {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    DEMO_DAYS: String(DEMO_DAYS),
    PUBLIC_URL: base,
    DATABASE_URL: "",
    LAMBDA_API_KEY: "",
  },
  stdio: ["ignore", "pipe", "inherit"],
});
let said = "";
product.stdout.on("data", (chunk: Buffer) => {
  said += chunk;
});

try {
  await until(
    () => said.includes("Ctrl-C stops everything"),
    10 * 60_000,
    () => said,
  );
  const cookie = await signIn();
  const [instance] = (
    (await (await fetch(`${base}/api/v1/fleet`, { headers: { cookie } })).json()) as { rows: { id: string }[] }
  ).rows;
  if (!instance) throw new Error("the demo fleet is empty");
  const missed: string[] = [];
  const reported: string[] = [];

  const pages = ["/", "/fleet", `/fleet/${instance.id}`, "/alerts", "/cost", "/launch", "/activity", "/settings"];
  const still = await median("/sign-in?again", cookie);
  console.log(
    `Server time per page, median of ${ROUNDS}, ${DEMO_DAYS} days of demo (a page that reads nothing: ${still.toFixed(0)} ms)`,
  );
  for (const page of pages) {
    const ms = await median(page, cookie);
    const name = page.replace(instance.id, "[instance]");
    console.log(`  ${name.padEnd(20)} ${ms.toFixed(0).padStart(5)} ms  ${(ms / still).toFixed(1).padStart(5)} ×`);
    if (page === "/" && ms > OVERVIEW_MS) {
      // Machines are shared: a bar in milliseconds fails when it is missed by more than double.
      (ms > 2 * OVERVIEW_MS ? missed : reported).push(
        `Overview takes ${ms.toFixed(0)} ms on the server, the bar is ${OVERVIEW_MS}`,
      );
    }
  }

  console.log("JavaScript of a first visit, compressed");
  for (const page of [...pages, "/sign-in?again"]) {
    const bytes = await scriptBytes(page, cookie);
    const name = page.replace(instance.id, "[instance]");
    console.log(`  ${name.padEnd(20)} ${(bytes / 1000).toFixed(0).padStart(5)} kB`);
    if (bytes > SCRIPT_BYTES)
      missed.push(`${name} loads ${(bytes / 1000).toFixed(0)} kB of JavaScript, the bar is ${SCRIPT_BYTES / 1000}`);
  }
  const words = [...missed, ...reported].join("; ");
  console.log(words === "" ? "\nEvery bar holds." : `\n${words}.`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  product.kill("SIGINT");
  await new Promise((resolve) => product.once("exit", resolve));
  rmSync(dataDir, { recursive: true, force: true });
}

async function median(page: string, cookie: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 3; round++) {
    const began = performance.now();
    const response = await fetch(base + page, { headers: { cookie }, redirect: "manual" });
    await response.text();
    if (response.status !== 200) throw new Error(`${page} answered ${response.status}`);
    // The first rounds warm caches that a running product has warm.
    if (round >= 3) times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN;
}

async function scriptBytes(page: string, cookie: string): Promise<number> {
  const html = await (await fetch(base + page, { headers: { cookie } })).text();
  // What is marked nomodule is for browsers of ten years ago; the others never ask for it.
  const tags = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/ nomodule/i.test(tag));
  const scripts = new Set(tags.flatMap((tag) => / src="([^"]+\.js[^"]*)"/.exec(tag)?.[1] ?? []));
  let bytes = 0;
  for (const script of scripts) bytes += gzipSync(Buffer.from(await (await fetch(base + script)).arrayBuffer())).length;
  return bytes;
}

async function signIn(): Promise<string> {
  const jar = new Map<string, string>();
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
  };
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const first = await fetch(`${base}/api/auth/csrf`);
  keep(first);
  const { csrfToken } = (await first.json()) as { csrfToken: string };
  const response = await fetch(`${base}/api/auth/callback/demo`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookies(), origin: base, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ role: "admin", csrfToken, json: "true", callbackUrl: "/" }),
  });
  if (!response.ok) throw new Error(`signing in answered ${response.status}: ${await response.text()}`);
  keep(response);
  return cookies();
}

async function until(isSo: () => boolean, patienceMs: number, words: () => string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!isSo()) {
    if (Date.now() > deadline || product.exitCode !== null) throw new Error(`The product did not start:\n${words()}`);
    await sleep(100);
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(address && typeof address === "object" ? address.port : 0));
    });
  });
}
