import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { freePort } from "@/lib/launcher/postgres";
import { type Bars, median } from "./ground";

const OVERVIEW_MS = 300;
const SCRIPT_KB = 250;
const ROUNDS = 30;
const DEMO_DAYS = 45;

/**
 * The product as people start it, with its 45-day demo: how long the server takes for a page, beside one that reads nothing,
 * and how much JavaScript a first visit loads.
 */
export async function benchPages(bars: Bars): Promise<void> {
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
    while (!said.includes("Ctrl-C stops everything")) {
      if (product.exitCode !== null) throw new Error(`the product did not start:\n${said}`);
      await sleep(100);
    }
    await measure(bars, base, await signIn(base));
  } finally {
    product.kill("SIGINT");
    await new Promise((resolve) => product.once("exit", resolve));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(bars: Bars, base: string, cookie: string): Promise<void> {
  const fleet = await (await fetch(`${base}/api/v1/fleet`, { headers: { cookie } })).json();
  const [instance] = (fleet as { rows: { id: string }[] }).rows;
  if (!instance) throw new Error("the demo fleet is empty");
  const pages = [
    "/",
    "/fleet",
    `/fleet/${instance.id}`,
    "/runs",
    "/alerts",
    "/cost",
    "/alignment",
    "/launch",
    "/activity",
    "/settings",
  ];
  const nameOf = (page: string) => page.replace(instance.id, "[instance]");
  const still = await serverMs(base, "/sign-in?again", cookie);
  console.log(
    `\nServer time per page, median of ${ROUNDS}, ${DEMO_DAYS} days of demo (a page that reads nothing: ${still.toFixed(0)} ms)`,
  );
  for (const page of pages) {
    const ms = await serverMs(base, page, cookie);
    console.log(
      `     ${nameOf(page).padEnd(20)} ${ms.toFixed(0).padStart(5)} ms  ${(ms / still).toFixed(1).padStart(5)} ×`,
    );
    if (page === "/") bars.atMost("Overview on the server", ms, OVERVIEW_MS, "ms");
  }
  console.log("\nJavaScript of a first visit, compressed");
  for (const page of [...pages, "/sign-in?again"])
    bars.atMost(nameOf(page), (await scriptBytes(base, page, cookie)) / 1000, SCRIPT_KB, "kB");
}

async function serverMs(base: string, page: string, cookie: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 3; round++) {
    const began = performance.now();
    const response = await fetch(base + page, { headers: { cookie }, redirect: "manual" });
    await response.text();
    if (response.status !== 200) throw new Error(`${page} answered ${response.status}`);
    // The first rounds warm caches that a running product has warm.
    if (round >= 3) times.push(performance.now() - began);
  }
  return median(times);
}

async function scriptBytes(base: string, page: string, cookie: string): Promise<number> {
  const html = await (await fetch(base + page, { headers: { cookie } })).text();
  // What is marked nomodule is for browsers of ten years ago; the others never ask for it.
  const tags = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/ nomodule/i.test(tag));
  const scripts = new Set(tags.flatMap((tag) => / src="([^"]+\.js[^"]*)"/.exec(tag)?.[1] ?? []));
  let bytes = 0;
  for (const script of scripts) bytes += gzipSync(Buffer.from(await (await fetch(base + script)).arrayBuffer())).length;
  return bytes;
}

async function signIn(base: string): Promise<string> {
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
