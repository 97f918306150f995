import { parseDecimal } from "@/lib/domain/cost/decimal";
import { roundHalfAway } from "@/lib/domain/cost/money";
import { formatNumber, formatUsd } from "@/lib/domain/format";
import { type Figure, type FigureSource, figure } from "./formula";
import { plain } from "./numbers";

/** A throughput that the requirement of text processing names, with the machine and price that it names for it. Nobody has measured them here. */
export type Benchmark = {
  model: string;
  parametersB: number;
  gpu: string;
  gpus: number;
  typeName: string;
  provider: string;
  /** Dollars of an hour, as printed there. */
  usdPerHour: string;
  tokensPerSecond: number;
  requestsPerSecond: number | null;
  /** 95th percentile of latency, where it is stated. */
  p95Ms: number | null;
};

export const BENCHMARK_SOURCE = { label: "TextNLP GPU requirements, undated, unverified" };

export const BENCHMARKS: readonly Benchmark[] = [
  {
    model: "GPT-2 small",
    parametersB: 0.124,
    gpu: "t4",
    gpus: 1,
    typeName: "g4dn.xlarge",
    provider: "aws",
    usdPerHour: "0.526",
    tokensPerSecond: 2_500,
    requestsPerSecond: 150,
    p95Ms: 120,
  },
  {
    model: "GPT-2 large",
    parametersB: 0.774,
    gpu: "v100-16",
    gpus: 1,
    typeName: "p3.2xlarge",
    provider: "aws",
    usdPerHour: "3.060",
    tokensPerSecond: 1_200,
    requestsPerSecond: 100,
    p95Ms: null,
  },
  {
    model: "GPT-J 6B",
    parametersB: 6,
    gpu: "a100-40",
    gpus: 1,
    typeName: "a2-highgpu-1g",
    provider: "gcp",
    usdPerHour: "3.673",
    tokensPerSecond: 800,
    requestsPerSecond: 45,
    p95Ms: null,
  },
  {
    model: "Llama 7B",
    parametersB: 7,
    gpu: "a100-40",
    gpus: 1,
    typeName: "a2-highgpu-1g",
    provider: "gcp",
    usdPerHour: "3.673",
    tokensPerSecond: 600,
    requestsPerSecond: 35,
    p95Ms: null,
  },
  {
    model: "Llama 65B",
    parametersB: 65,
    gpu: "a100-80",
    gpus: 8,
    typeName: "8 × Standard_NC24ads_A100_v4",
    provider: "azure",
    usdPerHour: "29.376",
    tokensPerSecond: 400,
    requestsPerSecond: null,
    p95Ms: null,
  },
];

export const TOKENS = 100_000_000;
export const REQUESTS = 1_000_000;

/** Hours that 100 million tokens take. */
export function hoursFor(tokensPerSecond: number): number {
  return TOKENS / tokensPerSecond / 3_600;
}

/** What a count of things costs at so many a second and a price of an hour, in micro-dollars, rounded once. */
export function costOf(count: number, perSecond: number, usdPerHour: string): bigint {
  const { numerator, denominator } = parseDecimal(usdPerHour);
  return roundHalfAway(numerator * 1_000_000n * BigInt(count), denominator * BigInt(perSecond) * 3_600n);
}

export function tokensFigure({ model, tokensPerSecond, usdPerHour, typeName }: Benchmark): Figure {
  return unitFigure(`100 million tokens of ${model}`, TOKENS, tokensPerSecond, usdPerHour, typeName, "tokens");
}

export function requestsFigure({ model, requestsPerSecond, usdPerHour, typeName }: Benchmark): Figure | null {
  return requestsPerSecond === null
    ? null
    : unitFigure(`A million requests to ${model}`, REQUESTS, requestsPerSecond, usdPerHour, typeName, "requests");
}

function unitFigure(
  name: string,
  count: number,
  perSecond: number,
  usdPerHour: string,
  typeName: string,
  unit: string,
): Figure {
  const micros = costOf(count, perSecond, usdPerHour);
  return figure({
    name,
    value: formatUsd(micros),
    amount: Number(micros) / 1e6,
    formula: "{count} ÷ {speed} ÷ 3600 × {price}",
    numbers: [
      { key: "count", name: unit, value: formatNumber(count), amount: count },
      {
        key: "speed",
        name: `${unit} a second`,
        value: formatNumber(perSecond),
        amount: perSecond,
        source: BENCHMARK_SOURCE,
      },
      {
        key: "price",
        name: `price of an hour of ${typeName}`,
        value: `$${usdPerHour}`,
        amount: Number(usdPerHour),
        source: BENCHMARK_SOURCE,
      },
    ],
    notes: ["The throughput is stated, not measured; the price is the one that stands beside it."],
  });
}

/** Requests in flight at a rate and a latency (Little’s law). */
export function inFlight(requestsPerSecond: number, latencyMs: number): number {
  return (requestsPerSecond * latencyMs) / 1_000;
}

/** How long 100 million tokens take at a speed that is stated or measured. */
export function hoursFigure(model: string, tokensPerSecond: number, source: FigureSource): Figure {
  const hours = hoursFor(tokensPerSecond);
  return figure({
    name: `100 million tokens of ${model} take`,
    value: `${formatNumber(hours, hours < 100 ? 2 : 1)} h`,
    amount: hours,
    formula: "{tokens} ÷ {speed} ÷ 3600",
    numbers: [plain("tokens", "tokens", TOKENS), plain("speed", "tokens a second", tokensPerSecond, "", source)],
  });
}

/** Requests that are worked on at once; null where no rate or no latency is stated. */
export function inFlightFigure({ model, requestsPerSecond, p95Ms }: Benchmark): Figure | null {
  if (requestsPerSecond === null || p95Ms === null) return null;
  const count = inFlight(requestsPerSecond, p95Ms);
  return figure({
    name: `Requests to ${model} in flight`,
    value: formatNumber(count),
    amount: count,
    formula: "{rate} × {latency} ÷ 1000",
    numbers: [
      plain("rate", "requests a second", requestsPerSecond, "", BENCHMARK_SOURCE),
      plain("latency", "95th percentile of latency", p95Ms, " ms", BENCHMARK_SOURCE),
    ],
    notes: ["Little’s law: the rate is of many streams, not of one."],
  });
}

/** Tokens that a model made for each second of a GPU; null: none were counted. */
export function speedFigure({ model, tokens, gpuMinutes }: Measured, days: number): Figure | null {
  if (tokens === null || gpuMinutes <= 0) return null;
  const speed = tokens / gpuMinutes / 60;
  return figure({
    name: `Tokens a second of ${model}`,
    value: formatNumber(speed, speed < 10 ? 1 : 0),
    amount: speed,
    formula: "{tokens} ÷ {minutes} ÷ 60",
    numbers: [
      plain("tokens", `tokens counted in ${days} days`, tokens, "", COUNTERS),
      plain("minutes", "billed GPU-minutes of the machines that made them", gpuMinutes, "", { label: "ledger" }),
    ],
    notes: ["Of one GPU, while it idled or loaded too."],
  });
}

const COUNTERS = { label: "the programs’ counters" };

export type Measured = {
  model: string;
  /** Micro-dollars as text; null: nothing of it was counted. */
  perMillionTokens: string | null;
  perThousandRequests: string | null;
  /** Null: none were counted. */
  tokens: number | null;
  gpuMinutes: number;
  costMicros: string;
};

/** What the ledger's money and the programs' own counters come to; measured figures go before stated ones. */
export function measuredFigure(one: Measured, what: "tokens" | "requests", days: number): Figure | null {
  const isTokens = what === "tokens";
  const price = isTokens ? one.perMillionTokens : one.perThousandRequests;
  if (price === null) return null;
  const times = isTokens ? TOKENS / 1_000_000 : REQUESTS / 1_000;
  const micros = BigInt(price) * BigInt(times);
  return figure({
    name: isTokens ? `100 million tokens of ${one.model}` : `A million requests to ${one.model}`,
    value: formatUsd(micros),
    amount: Number(micros) / 1e6,
    formula: "{price} × {times}",
    numbers: [
      {
        key: "price",
        name: `${isTokens ? "a million tokens" : "a thousand requests"}, measured in ${days} days`,
        value: `$${Number(price) / 1e6}`,
        amount: Number(price) / 1e6,
        source: { label: "ledger and the programs’ counters, see Unit costs" },
      },
      { key: "times", name: isTokens ? "millions" : "thousands", value: formatNumber(times), amount: times },
    ],
    notes: ["Measured: what the machine cost while it idled or loaded is in it."],
  });
}
