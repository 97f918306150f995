import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { env } from "node:process";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect } from "vitest";
import { parseReport } from "@/lib/domain/telemetry/agent-report";
import type { HostFacts, Report } from "@/lib/domain/telemetry/report";

export const AGENT = join(import.meta.dirname, "hopperdeck-agent");
export const TOKEN = "hd_ingest_0123456789abcdefABCDEF-_";
/** Every probe that looks beyond nvidia-smi: left out, but for the tests that are about them. */
const PROBES = "kernel clock mounts versions cuda";
/** Nothing listens there. */
export const OFFLINE = { HOPPERDECK_URL: "http://127.0.0.1:9" };

/** An nvidia-smi that answers from $SMI_MODE, knows what an old driver knows, and writes down how it was asked. */
export const FAKE_SMI = `#!/bin/sh
echo "$*" >>"$SMI_LOG"
case $SMI_MODE in
  failing) echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."; exit 9 ;;
  hanging) exec sleep 30 ;;
  partly) header=1; status=15 ;;
  *) status=0 ;;
esac
case $1 in
  --query-compute-apps=pid) echo "$SMI_PIDS"; exit 0 ;;
  --query-gpu=compute_mode,*) echo "\${SMI_FREE:-Default, 90000}"; exit 0 ;;
  -q) printf 'Driver Version    : 570.1\\nCUDA Version      : 12.8\\n'; exit 0 ;;
  --query-compute-apps=*)
    [ "$SMI_MODE" != no-apps ] || { echo "Insufficient Permissions"; exit 4; }
    echo "gpu_uuid, pid, process_name, used_gpu_memory [MiB]"
    echo "GPU-a, 7, /usr/bin/python3, 463 MiB"
    exit 0 ;;
esac
fields=\${1#--query-gpu=}
for field in $SMI_UNKNOWN; do
  case ",$fields," in *",$field,"*) echo "Field \\"$field\\" is not a valid field to query."; echo; exit 2 ;; esac
done
echo "$fields" | sed 's/,/, /g'
row() { echo "$fields" | tr ',' '\\n' | while read -r f; do case $f in
  index) echo $1 ;; uuid) echo GPU-$2 ;; utilization.gpu) echo "37 %" ;; memory.total) echo "97871 MiB" ;;
  memory.used) echo "463 MiB" ;; power.draw) echo "87.88 W" ;; clocks_*) echo 0x0000000000000004 ;; *) echo "[N/A]" ;;
esac; done | paste -sd, | sed 's/,/, /g'; }
row 0 a
[ -z "$header" ] || echo "Unable to determine the device handle for GPU 0000:65:00.0: Unknown Error"
exit $status
`;

type Request = { url: string; headers: IncomingHttpHeaders; report: Report };
type Answer = { status: number; headers?: Record<string, string>; body?: string };
type Env = Record<string, string>;
type Run = { status: number | null; log: string };

/**
 * A machine with a fake nvidia-smi, and a dashboard that keeps what it is sent; both are new for each test of the file that
 * asks for it.
 */
export function testMachine() {
  const machine = {
    home: "",
    url: "",
    requests: [] as Request[],
    /** What the dashboard says to a report; status 0 breaks the connection after the report has arrived. */
    answer: (): Answer => ({ status: 202 }),
    /** What the dashboard serves, by path. */
    files: new Map<string, string>(),

    start(shell: readonly string[], script: string, args: string[], extra: Env) {
      const [command = "sh", ...first] = shell;
      const whole: NodeJS.ProcessEnv = {
        NODE_ENV: "test",
        PATH: `${machine.home}:${env.PATH}`,
        SMI_LOG: join(machine.home, "smi.log"),
        SMI_MODE: "",
        SMI_UNKNOWN: "",
        SMI_PIDS: "",
        HOPPERDECK_SKIP: PROBES,
        HOPPERDECK_ROOT: machine.place("root"),
        HOPPERDECK_URL: machine.url,
        HOPPERDECK_TOKEN_FILE: join(machine.home, "token"),
        HOPPERDECK_SPOOL: join(machine.home, "spool"),
        HOPPERDECK_CONFIG: join(machine.home, "agent.conf"),
        ...extra,
      };
      const child = spawn(find(command) ?? command, [...first, script, ...args], { env: whole });
      children.push(child);
      let log = "";
      for (const output of [child.stdout, child.stderr]) {
        output.on("data", (chunk) => {
          log += chunk;
        });
      }
      const done = new Promise<Run>((resolve) => child.on("close", (status) => resolve({ status, log })));
      return { child, done };
    },

    /** One beat at an instant. */
    beat(at: string, extra: Env = {}, shell: readonly string[] = ["sh"]): Promise<Run> {
      return machine.start(shell, AGENT, [], { HOPPERDECK_ONCE: "1", HOPPERDECK_NOW: at, ...extra }).done;
    },

    /** A path on the machine. */
    place(path: string): string {
      return join(machine.home, path);
    },

    /** Puts a file where /proc and the like are looked for. */
    file(path: string, text: string): void {
      const whole = join(machine.home, "root", path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, text);
    },

    /** Puts a program in the way of the real one. */
    tool(name: string, script: string): void {
      writeFileSync(machine.place(name), `#!/bin/sh\n${script}\n`);
      chmodSync(machine.place(name), 0o755);
    },

    /** Samples that wait to be sent. */
    spooled(): string[] {
      const spool = join(machine.home, "spool");
      return existsSync(spool) ? readdirSync(spool).filter((name) => name.startsWith("s-")) : [];
    },

    /** How nvidia-smi was asked. */
    questions(): string[] {
      return readFileSync(join(machine.home, "smi.log"), "utf8").trim().split("\n");
    },

    sampleTimes(): string[] {
      const batches = machine.requests.flatMap(({ report }) => report.batches);
      return batches.map(({ at }) => new Date(at).toISOString());
    },

    /** A PATH with everything that the agent may use, but for one program. */
    pathWithout(missing: string): string {
      const bin = join(machine.home, "bin");
      mkdirSync(bin);
      for (const name of TOOLS.split(" ")) {
        const path = name === missing ? null : find(name);
        if (path !== null && existsSync(path)) symlinkSync(path, join(bin, name));
      }
      return `${machine.home}:${bin}`;
    },
  };

  const children: ChildProcess[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const url = request.url ?? "";
      if (request.method === "GET") {
        response.end(machine.files.get(url) ?? "<html>Sign in</html>");
        return;
      }
      const raw = Buffer.concat(chunks);
      const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw).toString("utf8");
      machine.requests.push({ url, headers: request.headers, report: parseReport(text, Date.now()) });
      const { status, headers = {}, body = "" } = machine.answer();
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, headers).end(body);
    });
  });

  beforeEach(async () => {
    machine.home = mkdtempSync(join(tmpdir(), "hopperdeck-agent-"));
    machine.requests = [];
    machine.answer = () => ({ status: 202 });
    machine.files = new Map();
    writeFileSync(join(machine.home, "nvidia-smi"), FAKE_SMI);
    chmodSync(join(machine.home, "nvidia-smi"), 0o755);
    writeFileSync(join(machine.home, "token"), `${TOKEN}\n`, { mode: 0o600 });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    // `address()` is a pipe's name or an address; a server that listens on a port has an address.
    machine.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    rmSync(machine.home, { recursive: true, force: true, maxRetries: 3 });
  });

  return machine;
}

/** A machine whose probes run, with none of their tools but what a test puts there. */
export function probeMachine() {
  const machine = testMachine();
  let path = "";
  beforeEach(() => {
    path = machine.pathWithout("python3");
    machine.file("proc/sys/kernel/random/boot_id", "0b8f9d1c-1111-4222-8333-444455556666\n");
  });
  const bare = () => ({ HOPPERDECK_SKIP: "", PATH: path });
  return {
    machine,
    bare,
    beat: (at: string, more: Env = {}, shell?: readonly string[]) => machine.beat(at, { ...bare(), ...more }, shell),
    /** What the probes said last. */
    facts: (): HostFacts => machine.requests.at(-1)?.report.facts ?? {},
    /** Makes a probe due again, as if its time had passed. */
    due: (name: string) => rmSync(machine.place(`spool/due-${name}`), { force: true }),
  };
}

/** Waits for a state of the world, at most 10 s. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !isSo(); i++) await new Promise((wait) => setTimeout(wait, 50));
  expect(isSo()).toBe(true);
}

/** Instants a minute apart. */
export function minute(n: number): string {
  return `2026-11-21T01:${String(n).padStart(2, "0")}:00Z`;
}

/** Where a program really lies; null where it is missing. */
function find(command: string): string | null {
  try {
    return realpathSync(execFileSync("sh", ["-c", `command -v ${command}`], { encoding: "utf8" }).trim());
  } catch {
    return null;
  }
}

const TOOLS =
  "sh awk cat cksum curl cut date dirname du echo grep gzip head hostname id mkdir mv paste rm sed sleep tail tr uname wc";

/** The shells of this computer, each once: `sh` is often one of the others. */
export const SHELLS = [["dash"], ["bash"], ["busybox", "sh"], ["sh"]].filter(
  ([command = "sh"], i, all) =>
    find(command) !== null && all.findIndex(([one = ""]) => find(one) === find(command)) === i,
);
