import { transact } from "@/lib/db/client";
import { listPastMachines } from "@/lib/db/demo";
import { assignSource, type GpuIdentity, touchGpus, touchSources } from "@/lib/db/telemetry/identity";
import { bulkSamples } from "@/lib/db/telemetry/write";
import { insertToken } from "@/lib/db/tokens";
import { WIDE_METRICS } from "@/lib/domain/telemetry/catalogue";
import { encodeMissing } from "@/lib/domain/telemetry/sample";
import type { SampleRow } from "@/lib/domain/telemetry/store";
import { env } from "@/lib/env";
import { mintToken } from "@/lib/services/tokens";
import { type CloudState, enrol, readSamples, type SampleChunk, valuesAt } from "./history";

/** The demo's machines with the credential of each agent. */
export type Guests = Map<string, { resourceId: string; tokenId: string; secret: string }>;

/** A token for every machine that was ever seen, as its launch would have made it. */
export async function meetGuests(_state: CloudState, at: number): Promise<Guests> {
  const guests: Guests = new Map();
  for (const machine of await listPastMachines()) {
    const { secret, prefix, secretHash } = mintToken();
    const token = await transact((tx) =>
      insertToken(tx, {
        kind: "enrolment",
        name: machine.name,
        prefix,
        secretHash,
        resourceId: machine.id,
        createdAt: new Date(at),
      }),
    );
    guests.set(machine.externalId, { resourceId: machine.id, tokenId: token.id, secret });
  }
  return guests;
}

/** Samples of [from, to), in through the bulk path. */
export async function loadSamples(
  guests: Guests,
  adminUrl: string,
  from: number,
  to: number,
  stepMs: number,
): Promise<number> {
  const gpuIds = new Map<string, number>();
  async function* rows(): AsyncGenerator<SampleRow[]> {
    for await (const chunk of readSamples(adminUrl, from, to, stepMs)) {
      const gpuId = await gpuOf(guests, chunk, gpuIds);
      if (gpuId !== null) yield chunk.at.map((at, i) => sampleRow(chunk, gpuId, at, i));
    }
  }
  return bulkSamples(rows());
}

async function gpuOf(guests: Guests, chunk: SampleChunk, known: Map<string, number>): Promise<number | null> {
  const key = `${chunk.instanceId} ${chunk.gpu.uuid}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const guest = guests.get(chunk.instanceId);
  if (!guest) return null;
  const at = new Date(chunk.at.at(-1) ?? 0);
  const [source] = await touchSources([
    {
      id: null,
      kind: "agent",
      tokenId: guest.tokenId,
      hostname: chunk.hostname,
      resourceId: guest.resourceId,
      intervalMs: 10_000,
      agentVersion: "2.0.0",
      host: {},
      clockSkewMs: 0,
      lastError: null,
      at,
    },
  ]);
  if (!source) return null;
  await transact((tx) => assignSource(tx, source.id, guest.resourceId));
  const { uuid, index, name, driverVersion, memoryTotalMib, powerLimitW, busId } = chunk.gpu;
  const identity: GpuIdentity = {
    uuid,
    mig: "",
    position: index,
    model: name,
    driverVersion,
    memoryMib: memoryTotalMib,
    powerLimitW,
    attrs: { busId },
  };
  const gpus = await touchGpus(source, [identity], at);
  const id = gpus.get(`${uuid} `)?.id ?? null;
  if (id !== null) known.set(key, id);
  return id;
}

function sampleRow(chunk: SampleChunk, gpuId: number, at: number, i: number): SampleRow {
  const values = valuesAt(chunk, i);
  const missing = Object.fromEntries(
    WIDE_METRICS.filter((metric) => values[metric] === null).map((metric) => [metric, "not_reported" as const]),
  );
  return {
    gpuId,
    at,
    values,
    throttleReasons: chunk.columns.throttleReasons?.[i] ?? null,
    eccUncorrected: chunk.columns.eccUncorrected?.[i] ?? null,
    missing: encodeMissing(missing),
    quality: null,
  };
}

/** From here on the machines that still run report by themselves. */
export async function startAgents(guests: Guests, state: CloudState, adminUrl: string): Promise<void> {
  for (const machine of state.machines) {
    const guest = guests.get(machine.id);
    if (guest && machine.agent.isInstalled && machine.terminatedAt === null)
      await enrol(adminUrl, machine.id, env.publicUrl, guest.secret);
  }
}
