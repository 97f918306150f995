import { formatNumber } from "@/lib/domain/format";

/** What is known of Lambda's services, hardware and software: typed anew, each with where it is from and how far it can be trusted. */
export type Trust = "documented" | "stated" | "contradicted";

export type Fact = { what: string; value: string; source: string; asOf: string | null; trust: Trust; note?: string };

const COURSE = "Lambda overview course";
const DOCS = "docs.lambda.ai";

export const TRUST_WORDS: Record<Trust, string> = {
  documented: "documented",
  stated: "stated, unverified",
  contradicted: "contradicted",
};

export type LambdaService = {
  name: string;
  size: string;
  billing: string;
  commitment: string;
  charge: "On demand" | "Cluster reservation" | "Reserved";
  note: string;
};

export const SERVICES: readonly LambdaService[] = [
  {
    name: "On-Demand Cloud",
    size: "1 to 8 GPUs an instance",
    billing: "by the minute, from health checks passed to terminate; no minimum",
    commitment: "none",
    charge: "On demand",
    note: "No spot offers. Booting is free; a shutdown inside the machine does not end billing, only terminate does.",
  },
  {
    name: "1-Click Clusters",
    size: "16 to 512 GPUs",
    billing: "by the GPU-hour, invoiced weekly",
    commitment: "a week to months",
    charge: "Cluster reservation",
    note: "The course calls it a cluster-hour; the documentation prices the GPU-hour.",
  },
  {
    name: "Private Cloud",
    size: "1,000 GPUs and more",
    billing: "by contract",
    commitment: "a year and more",
    charge: "Reserved",
    note: "Prices are not public.",
  },
];

export const SERVICE_SOURCE = `${COURSE}; billing as ${DOCS} has it`;

/** Sizes of clusters in GPUs; nodes have eight. */
export const CLUSTERS: readonly { name: string; fromGpus: number; toGpus: number }[] = [
  { name: "small", fromGpus: 16, toGpus: 32 },
  { name: "medium", fromGpus: 64, toGpus: 128 },
  { name: "large", fromGpus: 256, toGpus: 512 },
];
export const GPUS_PER_NODE = 8;

export function nodesOf(gpus: number): number {
  return gpus / GPUS_PER_NODE;
}

/** How much more a GPU trains than a V100, as the course's chart has it. Nobody has measured it here: scenarios take a factor of your own. */
export const TRAINING_SPEED: readonly { gpu: string; factor: number }[] = [
  { gpu: "V100", factor: 1 },
  { gpu: "A100", factor: 3 },
  { gpu: "H100", factor: 5 },
  { gpu: "H200", factor: 5.7 },
  { gpu: "B200", factor: 12.5 },
];

/** One against another, by the chart: H100 against A100 is 1.667. */
export function speedFactor(gpu: string, against: string): number | null {
  const [a, b] = [gpu, against].map((name) => TRAINING_SPEED.find((one) => one.gpu === name)?.factor);
  return a === undefined || b === undefined ? null : a / b;
}

/** What the documents have wrong, twice or without a basis, put right; the wrong figures are not printed again. */
export const CORRECTIONS: readonly { about: string; right: string }[] = [
  {
    about: "H100 against A100",
    right: `the course gives three figures; its chart’s ${formatNumber(5 / 3, 3)} times stands here, unverified: take a factor that you measured`,
  },
  { about: "H100 against V100", right: "5.0 times by the chart; another figure of the course differs" },
  { about: "Savings and speed-ups of customers", right: "left out: no basis is given; not used anywhere here" },
  {
    about: "70B on 64 H100 for three weeks",
    right: "32,256 GPU-hours: $2.00 against $5.58 a GPU-hour, 64.2 % less; neither is a list price of today",
  },
  {
    about: "Peak of an H100 in FP16",
    right: "what is printed is the figure of FP8 with sparsity; dense BF16 is 989 TFLOPS (general knowledge)",
  },
  {
    about: "BERT fine-tuning, 3 h on an H100",
    right: "$9.87 at Lambda’s $3.29 of 2025-11-22, $12.87 at $4.29 of 2026-05-08",
  },
  {
    about: "The alignment report’s H200",
    right: "an H200 has 141 GB; a GH200 has 96. $2.49 was the price of an H100 PCIe, never of an A10",
  },
  { about: "Memory against an A10", right: "96 ÷ 24 = 4.0 times, which is 300 % more" },
];

const SHEETS = "data sheets, from general knowledge";

export const HARDWARE: readonly Fact[] = [
  { what: "H100 SXM", value: "80 GB, 3.35 TB/s", source: COURSE, asOf: null, trust: "stated" },
  {
    what: "H200",
    value: "141 GB, 4.8 TB/s",
    source: COURSE,
    asOf: null,
    trust: "stated",
    note: "No instance type of Lambda's has it.",
  },
  { what: "B200", value: "180 GB, 8 TB/s", source: COURSE, asOf: null, trust: "stated" },
  {
    what: "H200 against H100",
    value: "+76.3 % memory, +43.3 % bandwidth",
    source: "computed",
    asOf: null,
    trust: "documented",
  },
  {
    what: "GH200 on Lambda",
    value: "96 GB",
    source: "Lambda API, “GH200 (96 GB)”",
    asOf: "2025-11-22",
    trust: "documented",
    note: "HBM3; the alignment report calls it HBM3e. “480GB” in its name is the memory of its CPU, which is ARM64.",
  },
  {
    what: "Registers and shared memory of an H100",
    value: "64 KB and 164 KB an SM",
    source: COURSE,
    asOf: null,
    trust: "contradicted",
    note: "These are figures of an A100.",
  },
  { what: "L2 cache of an H100", value: "50 MB", source: COURSE, asOf: null, trust: "stated" },
  { what: "Cores and tensor cores", value: "see the table of GPUs", source: SHEETS, asOf: null, trust: "stated" },
];

export const SOFTWARE: readonly Fact[] = [
  {
    what: "Driver",
    value: "535.86.10 at least, 550 recommended",
    source: "GPU infrastructure overview",
    asOf: "2024-11-04",
    trust: "stated",
    note: "Held against every machine under Alignment.",
  },
  { what: "CUDA", value: "12.6", source: "GPU infrastructure overview", asOf: "2024-11-04", trust: "stated" },
  {
    what: "PyTorch",
    value: "2.5.0+cu126",
    source: "GPU infrastructure overview",
    asOf: "2024-11-04",
    trust: "contradicted",
    note: "Wheels of 2.5 were built for cu118, cu121 and cu124 (general knowledge).",
  },
  {
    what: "Compute capability",
    value: "6.0 at least",
    source: "GPU infrastructure overview",
    asOf: "2024-11-04",
    trust: "stated",
  },
  {
    what: "Memory",
    value: "4 GB at least, 8 GB recommended",
    source: "GPU infrastructure overview",
    asOf: "2024-11-04",
    trust: "stated",
  },
  {
    what: "Task limit",
    value: "6 h (21,600 s), warned at 5.5 h (19,800 s)",
    source: "GPU infrastructure overview",
    asOf: "2024-11-04",
    trust: "stated",
    note: "A run longer than planned raises an alert.",
  },
  {
    what: "On the machine",
    value: "nvidia-smi, htop, tmux",
    source: COURSE,
    asOf: null,
    trust: "stated",
    note: "The agent reads nvidia-smi; metrics of DCGM and programs are scraped.",
  },
  {
    what: "Uptime",
    value: "99.9 %",
    source: COURSE,
    asOf: null,
    trust: "stated",
    note: "43.2 min in 30 days; no agreement with Lambda is known.",
  },
];

/** Minutes of a number of days that an availability leaves. */
export function downMinutes(availabilityPct: number, days: number): number {
  return ((100 - availabilityPct) * days * 24 * 60) / 100;
}
