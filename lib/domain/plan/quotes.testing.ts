import type { Quote } from "./quotes";

/** A price of a GH200 at Lambda of today's book; what a test is about is given. */
export function quoteOf(given: Partial<Quote> = {}): Quote {
  return {
    id: "quote",
    provider: "lambda",
    typeName: "gpu_1x_gh200",
    region: "",
    tier: "on_demand",
    unit: "instance",
    gpu: "GH200",
    gpus: 1,
    gpuMemoryGb: 96,
    vcpus: 64,
    memoryGib: 432,
    micros: 2_290_000n,
    status: "confirmed",
    source: "test",
    asOf: "2026-11-01",
    note: "",
    origin: "entered",
    ...given,
  };
}
