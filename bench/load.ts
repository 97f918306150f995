import { Agent, request } from "node:http";
import { formatReport } from "@/lib/domain/telemetry/agent-report";
import type { GpuReading } from "@/lib/domain/telemetry/sample";
import { SyntheticFleet } from "./fleet";

/*
 * Machines that report every ten seconds, each at its own moment, for some time. Environment: URL, TOKEN, MACHINES, SECONDS.
 * Prints one line of JSON: how many reports were answered, how many not, and how long the answers took.
 */
const GPUS = 8;
const EVERY_MS = 10_000;
const url = `${process.env.URL}/api/v1/ingest/nvidia-smi`;
const token = process.env.TOKEN ?? "";
const machines = Number(process.env.MACHINES);
const seconds = Number(process.env.SECONDS);

const fleet = new SyntheticFleet(machines * GPUS);
const times: number[] = [];
let refused = 0;

function reportOf(machine: number, at: number, values: readonly GpuReading["values"][]): string {
  const readings = values.map(
    (own, gpu): GpuReading => ({
      uuid: `GPU-${machine.toString(16).padStart(8, "0")}-0000-4000-8000-00000000000${gpu}`,
      mig: "",
      index: gpu,
      busId: `0000000${gpu}:01:00.0`,
      name: "NVIDIA GH200 480GB",
      driverVersion: "570.148.08",
      memoryTotalMib: 97_871,
      powerLimitW: 700,
      pstate: "P0",
      migMode: "disabled",
      remappedRows: null,
      slowdownTemperatureC: null,
      at,
      values: own,
      throttleReasons: 0,
      eccUncorrected: 0,
      missing: {},
    }),
  );
  return formatReport({
    agent: { hostname: `load-${machine}`, intervalMs: EVERY_MS, sentAt: at },
    batches: [{ at, readings }],
    processes: [],
  });
}

/** Node's own client: `fetch` would take a fifth of a core from the product that is measured. */
const agent = new Agent({ keepAlive: true });

async function send(body: string): Promise<void> {
  const began = performance.now();
  const status = await new Promise<number>((resolve) => {
    const sent = request(url, {
      agent,
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "text/plain",
        "content-length": Buffer.byteLength(body),
      },
    });
    sent.on("response", (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0)));
    sent.on("error", () => resolve(0));
    sent.end(body);
  });
  if (status >= 200 && status < 300) times.push(performance.now() - began);
  else refused += 1;
}

// All is written before the first is sent: what the load costs to make is no part of an answer's time.
const ticks = Math.ceil((seconds * 1000) / EVERY_MS);
const start = Date.now() + ticks * 1_000;
const reports = Array.from({ length: ticks }, (_, tick) => {
  const values = fleet.tick();
  return Array.from({ length: machines }, (__, machine) => {
    const due = start + tick * EVERY_MS + (machine * EVERY_MS) / machines;
    return { due, body: reportOf(machine, Math.floor(due), values.slice(machine * GPUS, (machine + 1) * GPUS)) };
  });
}).flat();
const open = new Set<Promise<void>>();
for (const { due, body } of reports) {
  while (Date.now() < due) await new Promise((resolve) => setTimeout(resolve, Math.max(1, due - Date.now())));
  const sent = send(body);
  open.add(sent);
  void sent.finally(() => open.delete(sent));
}
await Promise.all(open);
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
console.log(JSON.stringify({ answered: times.length, refused, p50: at(0.5), p99: at(0.99), max: times.at(-1) }));
process.exit();
