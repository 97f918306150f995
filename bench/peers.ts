import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/lib/launcher/postgres";

/** Another store of metrics, running. */
export type Peer = { name: string; url: string; child: ChildProcess; folder: string };

const PACKAGES = { prometheus: "prometheus", "victoria-metrics": "victoria-metrics" } as const;

/** Where a peer's program lies: on the path, or unpacked here from Debian's package; null where neither is to be had. */
function programOf(name: keyof typeof PACKAGES, folder: string): string | null {
  for (const place of [`/usr/bin/${name}`, path.join(folder, "usr/bin", name)]) if (existsSync(place)) return place;
  try {
    mkdirSync(folder, { recursive: true });
    execFileSync("apt-get", ["download", PACKAGES[name]], { cwd: folder, stdio: "ignore" });
    for (const file of readdirSync(folder).filter((one) => one.startsWith(`${name}_`)))
      execFileSync("dpkg", ["-x", file, "."], { cwd: folder, stdio: "ignore" });
  } catch {
    return null;
  }
  const place = path.join(folder, "usr/bin", name);
  return existsSync(place) ? place : null;
}

/** Starts what can be had of Prometheus and VictoriaMetrics, each with an empty store. */
export async function startPeers(folder: string): Promise<Peer[]> {
  const peers: Peer[] = [];
  const packages = path.join(folder, "peers");
  for (const name of ["prometheus", "victoria-metrics"] as const) {
    const program = programOf(name, packages);
    if (program === null) continue;
    const port = await freePort();
    const data = path.join(folder, `${name}-data`);
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data, { recursive: true });
    const options =
      name === "prometheus"
        ? [
            "--config.file=/dev/null",
            `--storage.tsdb.path=${data}`,
            "--web.enable-remote-write-receiver",
            `--web.listen-address=127.0.0.1:${port}`,
          ]
        : [`-storageDataPath=${data}`, `-httpListenAddr=127.0.0.1:${port}`, "-retentionPeriod=12"];
    const child = spawn(program, options, { stdio: "ignore" });
    const url = `http://127.0.0.1:${port}`;
    const peer = { name: name === "prometheus" ? "Prometheus" : "VictoriaMetrics", url, child, folder: data };
    peers.push(peer);
    await answers(peer);
  }
  return peers;
}

async function answers({ url, name }: Peer): Promise<void> {
  for (let i = 0; i < 150; i += 1) {
    const ok = await fetch(`${url}/-/healthy`).catch(() => null);
    if (ok?.ok) return;
    await sleep(100);
  }
  throw new Error(`${name} does not answer`);
}

export function stopPeers(peers: readonly Peer[]): void {
  for (const { child, folder } of peers) {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One remote-write request; throws unless it was taken. */
export async function push({ url, name }: Peer, body: Buffer): Promise<void> {
  const response = await fetch(`${url}/api/v1/write`, {
    method: "POST",
    body: new Uint8Array(body),
    headers: {
      "content-type": "application/x-protobuf",
      "content-encoding": "snappy",
      "x-prometheus-remote-write-version": "0.1.0",
    },
  });
  if (!response.ok) throw new Error(`${name} answers ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
