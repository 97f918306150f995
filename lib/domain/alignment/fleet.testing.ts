import { Declaration } from "./declaration";
import type { ObservedCard, ObservedMachine } from "./observed";

/* Fleets for tests of the drift engine. */

export const POLL = Date.parse("2026-11-20T12:00:00Z");
export const DECLARED_AT = POLL - 6 * 24 * 3_600_000;

/** The plan of the requirements' first document: H200 with 141 GB at $2.49, pools of 60, 40, 30 and 11 GB. */
export const H200_PLAN = {
  name: "h200-trainers",
  instanceType: "gpu_1x_gh200",
  gpu: "H200",
  memoryGb: "141",
  count: "3",
  regions: ["us-east-3"],
  pricePerHour: "2.49",
  pools: [
    { name: "weights", gb: "60" },
    { name: "kv-cache", gb: "40" },
    { name: "activations", gb: "30" },
    { name: "reserve", gb: "11" },
  ],
};

export function declared(groups: readonly object[], more: object = {}): Declaration {
  return Declaration.parse({ version: "1", groups, ...more });
}

export function gh200(uuid: string, over: Partial<ObservedCard> = {}): ObservedCard {
  return {
    id: Number.parseInt(uuid.replace(/\D/g, "") || "1", 10),
    uuid: `GPU-${uuid}`,
    name: "NVIDIA GH200 480GB",
    memoryMib: 97_871,
    driver: "570.148.08",
    at: POLL - 4_000,
    ...over,
  };
}

export function machine(name: string, over: Partial<ObservedMachine> = {}): ObservedMachine {
  return {
    id: `id-${name}`,
    externalId: `ext-${name}`,
    name,
    status: "active",
    firstSeenAt: POLL - 24 * 3_600_000,
    typeName: "gpu_1x_gh200",
    region: "us-east-3",
    workload: "training",
    tags: {},
    labels: {},
    priceMicros: 2_290_000n,
    image: null,
    record: { gpuModel: "GH200", gpus: 1, gpuMemoryGb: 96, architecture: "arm64" },
    cards: [gh200(name)],
    architecture: { value: "aarch64", at: POLL - 60_000 },
    cuda: { value: "12.8", at: POLL - 60_000 },
    pytorch: { value: "2.7.0", at: POLL - 60_000 },
    driver: { value: "570.148.08", at: POLL - 60_000 },
    ...over,
  };
}
