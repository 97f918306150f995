import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "@/lib/launcher/postgres";
import { demoScenario } from "@/lib/simulator/scenario";
import { DEFAULT_KEY, startSimulator } from "@/lib/simulator/start";
import type { Bars } from "./ground";

const run = promisify(execFile);

/** 10,000 GPUs. */
const MOST_MACHINES = 1250;
const MACHINES = 1000;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const WARM_SECONDS = 20;

/** The whole product, as `npm start` runs it, under the reports of a large fleet: answers' times and memory. */
export async function benchHttp(bars: Bars): Promise<void> {
  const cloud = await startSimulator({ scenario: "empty" });
  const [pattern] = demoScenario(1, Date.now(), 1).machines.filter((one) => one.terminatedAt === null);
  if (!pattern) throw new Error("the scenario has no machine");
  for (let i = 0; i < MOST_MACHINES; i++) {
    const address = `10.${20 + (i >> 8)}.${i & 255}.7`;
    cloud.cloud.state.machines.push({
      ...structuredClone(pattern),
      id: i.toString(16).padStart(32, "0"),
      names: [{ from: 0, value: `load-${i}` }],
      hostname: `load-${i}`,
      ip: address,
      privateIp: address,
      agent: { ...structuredClone(pattern.agent), isInstalled: false },
    });
  }
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const dataDir = mkdtempSync(path.join(tmpdir(), "hopperdeck-bench-"));
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    PUBLIC_URL: url,
    DATABASE_URL: "",
    LAMBDA_API_KEY: DEFAULT_KEY,
    LAMBDA_API_URL: cloud.apiUrl,
  };
  const product = spawn(process.execPath, ["lib/launcher/first.cjs", "start"], {
    env,
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
    const words = ["lib/cli/hopperdeck.cjs", "token", "create", "ingest", "--name", "bench"];
    const { stdout } = await run(process.execPath, words, { env });
    const token = /\bhd\S+/.exec(stdout)?.[0] ?? "";
    // Until the worker has seen the fleet, its senders belong to nobody.
    await sleep(20_000);
    const watch = new MemoryWatch(product.pid ?? 0);
    await load(url, token, MACHINES, WARM_SECONDS);
    const thousand = await load(url, token, MACHINES, SECONDS);
    await load(url, token, MOST_MACHINES, WARM_SECONDS);
    const all = await load(url, token, MOST_MACHINES, SECONDS);
    const { web, worker } = watch.end();
    console.log(`\nOver HTTP: machines of 8 GPUs, a report every 10 s, ${SECONDS} s`);
    for (const [machines, seen] of [
      [MACHINES, thousand],
      [MOST_MACHINES, all],
    ] as const)
      console.log(
        `     ${machines} machines: ${seen.answered} reports answered, ${seen.refused} not; p50 ${seen.p50.toFixed(1)} ms, p99 ${seen.p99.toFixed(1)} ms, longest ${seen.max.toFixed(0)} ms`,
      );
    bars.holds("every report is answered", thousand.refused + all.refused === 0);
    bars.atMost("p99 of a report, 1,000 machines × 8 GPUs", thousand.p99, 100, "ms");
    bars.atMost("memory of the web process at 10,000 GPUs", web, 400, "MB");
    bars.atMost("memory of the worker process at 10,000 GPUs", worker, 300, "MB");
  } finally {
    product.kill("SIGINT");
    await new Promise((resolve) => product.once("exit", resolve));
    await cloud.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Seen = { answered: number; refused: number; p50: number; p99: number; max: number };

async function load(url: string, token: string, machines: number, seconds: number): Promise<Seen> {
  const { stdout } = await run(process.execPath, ["--import", "tsx", "bench/load.ts"], {
    env: { ...process.env, URL: url, TOKEN: token, MACHINES: String(machines), SECONDS: String(seconds) },
  });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as Seen;
}

/** The most memory (resident, in MB) that web and worker held at any second. */
class MemoryWatch {
  private most = { web: 0, worker: 0 };
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly launcher: number) {
    this.timer = setInterval(() => this.look(), 1000);
  }

  end(): { web: number; worker: number } {
    clearInterval(this.timer);
    this.look();
    return this.most;
  }

  private look(): void {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        const what = words.includes(".next/processes/web.mjs")
          ? "web"
          : words.includes(".next/processes/worker.mjs")
            ? "worker"
            : null;
        if (what === null || !isBelow(pid, this.launcher)) continue;
        const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
        this.most[what] = Math.max(this.most[what], (kib * 1024) / 1e6);
      } catch {
        // It ended while it was looked at.
      }
    }
  }
}

function isBelow(pid: string, ancestor: number): boolean {
  for (let at = Number(pid); at > 1; ) {
    if (at === ancestor) return true;
    at = Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${at}/status`, "utf8"))?.[1] ?? 0);
  }
  return false;
}
