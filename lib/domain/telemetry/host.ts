import { z } from "zod";
import type { HostFacts, Report } from "./report";

/** What a report says of its machine, by key, to be laid over what was known: of each probe the newest answer, with its time. */
export function hostRecord({ agent, facts }: Report): Record<string, unknown> {
  const said = {
    machine: agent?.machine,
    kernel: agent?.kernel,
    ip: agent?.ip,
    dropped: agent?.dropped?.toString(),
    ...facts,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null && value !== undefined));
}

const text = z.string().max(1000);
const count = z.number().min(0).nullable();

function probe<T extends z.ZodType>(found: T) {
  const at = z.number();
  return z
    .union([z.object({ at, found }), z.object({ at, missing: text })])
    .optional()
    .catch(undefined);
}

const Known = z.object({
  driverVersion: probe(text),
  cudaVersion: probe(text),
  torchVersion: probe(text),
  cudaProbe: probe(
    z.object({ isUsable: z.boolean(), devices: z.number(), tookMs: z.number(), message: text.nullable() }),
  ),
  cudaBusy: probe(text),
  clockOffsetMs: probe(z.number()),
  clockSource: probe(text),
  mounts: probe(
    z.array(
      z.object({
        path: text,
        device: text,
        type: text,
        sizeBytes: count,
        usedBytes: count,
        problem: text.nullable(),
      }),
    ),
  ),
  kernelLog: probe(text),
  processList: probe(z.literal(true)),
  machine: text.optional().catch(undefined),
  kernel: text.optional().catch(undefined),
});

/** What is known of a machine; what an older agent never said is absent. */
export type Host = HostFacts & { machine?: string | undefined; kernel?: string | undefined };

/** Reads back what `hostRecord` wrote, of whatever release. Never throws. */
export function readHost(json: unknown): Host {
  const { data } = Known.safeParse(json);
  if (!data) return {};
  // Without the keys that are absent, which zod keeps as undefined.
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as Host;
}
