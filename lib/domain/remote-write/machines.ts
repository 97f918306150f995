import type { Labels, Sample } from "@/lib/domain/exposition/page";
import { textOrNull } from "@/lib/domain/telemetry/text";

/** One machine that a request speaks of, and its samples. */
export type MachineSamples = { hostname: string; privateIp: string | null; samples: Sample[] };

/** A series that names no machine at all. */
const UNNAMED = "unnamed";
const PORT = /:\d{1,5}$/;
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]{2,45}\])$/;

/**
 * Samples by the machine that they are about: the exporter's own `Hostname` or `hostname`, else the address that was scraped,
 * without its port, else `node`.
 */
export function byMachine(samples: readonly Sample[]): MachineSamples[] {
  const machines = new Map<string, MachineSamples>();
  const known = new Map<string, MachineSamples>();
  for (const sample of samples) {
    const { host, instance } = namesOf(sample.labels);
    const key = `${host}\n${instance}`;
    let machine = known.get(key);
    if (machine === undefined) {
      const address = instance?.replace(PORT, "") ?? null;
      const hostname = textOrNull(host ?? address, 100) ?? UNNAMED;
      const privateIp = address !== null && ADDRESS.test(address) ? address.replace(/^\[|\]$/g, "") : null;
      machine = machines.get(hostname) ?? { hostname, privateIp, samples: [] };
      machine.privateIp ??= privateIp;
      machines.set(hostname, machine);
      known.set(key, machine);
    }
    machine.samples.push(sample);
  }
  return [...machines.values()];
}

function namesOf(labels: Labels): { host: string | null; instance: string | null } {
  let host: string | null = null;
  let instance: string | null = null;
  let node: string | null = null;
  for (let i = 0; i < labels.length; i += 2) {
    const name = labels[i];
    if (name === "Hostname" || name === "hostname") host ??= labels[i + 1] ?? null;
    else if (name === "instance") instance = labels[i + 1] ?? null;
    else if (name === "node") node = labels[i + 1] ?? null;
  }
  return { host: host ?? (instance === null ? node : null), instance };
}
