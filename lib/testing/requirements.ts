/** Where a figure or a wish of the requirements is settled: a file, and a string that stands in it (the name of a test, or what a page says). */
export type Place = readonly [file: string, words: string];

const D = "lib/domain";
const PLAN = `${D}/plan`;
const PACK = `${D}/alerts`;
const COMPARE = `${PLAN}/comparison.test.ts`;
const ENGINE = `${D}/alignment/engine.test.ts`;
const POOLS = `${D}/alignment/pools.test.ts`;
const CATALOGUE = `${PLAN}/lambda-catalogue.ts`;
const BENCH = `${PLAN}/benchmarks.test.ts`;
const SIMULATE = `${PLAN}/simulate.test.ts`;
const SCENARIOS = `${PLAN}/scenarios.test.ts`;
const DEFAULTS = `${PACK}/default-pack.test.ts`;
const THRESHOLDS: Place = [DEFAULTS, "thresholds are those of the requirements"];
const HERE = "lib/testing/requirements.test.ts";

/** Every row of the requirements' checklist that asks the product for something, by its id. */
export const SETTLED: Readonly<Record<string, readonly Place[]>> = {
  "S0-01": [
    ["lib/services/fleet/poll.db.test.ts", "words and fields that nobody knows yet change nothing but the word"],
    [ENGINE, "S0-02: the type and the region are those of Lambda’s listing"],
  ],
  "S0-02": [
    [CATALOGUE, "GH200 on Lambda"],
    ["components/plan/catalogue-tables.tsx", "MiB as such cards report them (recorded)"],
  ],
  "S0-03": [
    [ENGINE, "S0-03, S0-17: model and memory differ on every machine"],
    [`${D}/telemetry/models.test.ts`, "its memory never tells"],
  ],
  "S0-04": [
    [ENGINE, "S0-03, S0-04, S0-11"],
    [HERE, "S0-04"],
  ],
  "S0-05": [
    [ENGINE, "S0-05, S0-07"],
    [`${PACK}/pack-work.ts`, "A price has changed"],
    [`${PLAN}/catalogue.test.ts`, "S0-05: the GH200 was $1.49"],
  ],
  "S0-06": [
    [HERE, "S0-06"],
    [`${D}/cost/meter.test.ts`, "not twice one"],
  ],
  "S0-07": [
    [HERE, "S0-07"],
    [ENGINE, "S0-05, S0-07"],
  ],
  "S0-08": [
    [HERE, "S0-08"],
    [ENGINE, "$5,378.40 declared"],
  ],
  "S0-09": [
    [HERE, "S0-09"],
    [ENGINE, "S0-07, S0-09"],
  ],
  "S0-10": [
    [HERE, "S0-10"],
    [`${PLAN}/figures.test.ts`, "S0-10: a per cent says what it is of"],
  ],
  "S0-11": [
    [ENGINE, "S0-11"],
    [HERE, "S0-11"],
  ],
  "S0-12": [
    [POOLS, "S0-12, S0-13"],
    [ENGINE, "S0-12: 60 + 40 + 30 + 11"],
  ],
  "S0-13": [
    [POOLS, "S0-12, S0-13"],
    [ENGINE, "S0-13: corrected"],
  ],
  "S0-14": [
    [CATALOGUE, "96 ÷ 24 = 4.0 times"],
    [HERE, "S0-14"],
  ],
  "S0-15": [[`${PLAN}/catalogue.test.ts`, "S0-15: the A10 never cost $2.49"]],
  "S0-16": [
    [`${PLAN}/workload-types.ts`, "< 50 ms"],
    [`${PACK}/pack-work.ts`, "SLO: latency"],
  ],
  "S0-17": [[ENGINE, "S0-03, S0-17"]],
  "S0-18": [
    [POOLS, "S0-18: 85 %"],
    [`${PACK}/pack-gpu.ts`, "memoryUsedPct"],
  ],
  "S0-19": [
    ["lib/services/alignment/yaml.test.ts", "S0-19: a pool may say which tier of memory it is"],
    [POOLS, "head-room is told where processes are listed and a pool names them"],
  ],
  "S0-20": [
    [CATALOGUE, "an H200 has 141 GB; a GH200 has 96"],
    [HERE, "S0-11"],
  ],

  "S1-01": [
    [COMPARE, "S1-01: a difference is drawn only for the same memory"],
    [HERE, "S1-01"],
  ],
  "S1-02": [[COMPARE, '["S1-02", "thunder-compute"']],
  "S1-03": [
    [COMPARE, "S1-03, S1-08: rejected prices"],
    [`${PLAN}/quotes.test.ts`, "S1-03: what was rejected stays rejected"],
  ],
  "S1-04": [[COMPARE, '["S1-04", "tensordock"']],
  "S1-05": [[COMPARE, '["S1-05", "runpod"']],
  "S1-06": [[COMPARE, '["S1-06", "runpod"']],
  "S1-07": [
    [COMPARE, "S1-07, S1-08: not $4.14"],
    [`${PLAN}/spot.test.ts`, "S1-07"],
  ],
  "S1-08": [[COMPARE, "S1-07, S1-08: not $4.14"]],
  "S1-09": [[`${PLAN}/quotes.test.ts`, "S1-09: a machine's price is divided by its GPUs"]],
  "S1-10": [[COMPARE, '["S1-10", "gcp"']],
  "S1-11": [[`${PLAN}/catalogue.test.ts`, "one dated price per SKU and source (S1-11)"]],
  "S1-12": [
    [BENCH, "early stopping: what was promised, and what can be"],
    [`${PLAN}/savings.test.ts`, "less %s"],
  ],
  "S1-13": [
    [SIMULATE, "at most 5 of 10 epochs is at least 50 %"],
    ["components/plan/early-panel.tsx", "Stopping early, explained"],
  ],
  "S1-14": [[`${PLAN}/hints.ts`, "Gradient accumulation"]],
  "S1-15": [[`${PLAN}/spot.test.ts`, "S1-15: spot or on demand, with reasons"]],
  "S1-16": [
    [COMPARE, "S1-16: 50 GiB for 12 hours are $0.1667"],
    [HERE, "S1-16"],
  ],
  "S1-17": [
    [HERE, "S1-17"],
    ["components/cost/waste-words.ts", "Unattached storage"],
  ],
  "S1-18": [
    [HERE, "S1-18"],
    [`${D}/cost/units.ts`, "within ± 10 % it was a good estimate"],
  ],
  "S1-19": [
    [`${PACK}/pack-work.ts`, "Spend nobody expected"],
    [`${D}/intents/checklist.ts`, "checklistFor"],
    [`${D}/intents/aftermath.ts`, "checklist"],
  ],
  "S1-20": [
    [`${PLAN}/quotes.ts`, "A price is stale when it is older than this, or of no known day"],
    [SCENARIOS, "S1-20: prices without a day"],
  ],
  "S1-24": [
    [`${PLAN}/providers.test.ts`, "S1-24: cost, set-up, interface, spot and reliability stand beside each other"],
    ["components/plan/providers-panel.tsx", "not measured"],
  ],
  "S1-25": [
    [COMPARE, "S1-25: Lambda has no spot"],
    ["components/plan/catalogue-room.tsx", "Lambda has no spot offers"],
  ],

  "S2-01": [
    [CATALOGUE, "1-Click Clusters"],
    [`${D}/cost/commitments.test.ts`, "is paid upfront and at the beginning of each week"],
  ],
  "S2-02": [
    [CATALOGUE, "by the minute, from health checks passed to terminate; no minimum"],
    [`${D}/cost/lifecycle.test.ts`, "booting is free"],
  ],
  "S2-03": [[BENCH, "clusters of 16 to 512 GPUs are 2 to 64 nodes"]],
  "S2-04": [
    [HERE, "S2-04"],
    [`${D}/cost/units.test.ts`, "an estimate of %d against %d"],
    [CATALOGUE, "BERT fine-tuning"],
  ],
  "S2-05": [
    [CATALOGUE, "the figure of FP8 with sparsity"],
    ["components/plan/catalogue-tables.tsx", "unverified"],
  ],
  "S2-06": [[BENCH, "by the chart"]],
  "S2-07": [
    [CATALOGUE, "take a factor that you measured"],
    [SCENARIOS, "S2-10"],
  ],
  "S2-09": [[SCENARIOS, "S2-09: 70B"]],
  "S2-10": [
    [SCENARIOS, "S2-10: the move to Lambda"],
    [HERE, "S2-10"],
  ],
  "S2-11": [
    ["components/plan/catalogue-room.tsx", "Availability by region"],
    [HERE, "S2-11"],
  ],
  "S2-15": [
    [`${PLAN}/providers.test.ts`, "S2-15: of 99.9 % one machine has 43.2 min in 30 days"],
    ["components/plan/catalogue-room.tsx", "Downtime left of"],
    [`${PACK}/pack-work.ts`, "SLO: availability"],
  ],
  "S2-16": [[CATALOGUE, "no basis is given; not used anywhere here"]],
  "S2-17": [
    [CATALOGUE, "nvidia-smi, htop, tmux"],
    ["lib/simulator/shell-agent.test.ts", "nvidia-smi"],
  ],

  "S3-01": [THRESHOLDS, [DEFAULTS, "what is bad for training is not asked of inference"]],
  "S3-02": [THRESHOLDS, [`${PACK}/pack-gpu.ts`, "VRAM full"]],
  "S3-03": [THRESHOLDS, [`${PACK}/pack-work.ts`, "SLO: task success"]],
  "S3-04": [
    [`${D}/workload/catalogue.test.ts`, "onnx_export_failure_total"],
    [`${D}/workload/summary.test.ts`, "epochs and exports"],
  ],
  "S3-05": [
    ["agent/probes-cuda.test.ts", "makes a context on each GPU through libcuda"],
    ["lib/services/telemetry/targets.db.test.ts", "one target that fails spoils no other"],
    [`${PACK}/pack-machines.ts`, "nvidia-smi fails"],
    [`${PACK}/pack-machines.ts`, "Instance unhealthy"],
  ],
  "S3-06": [[`${D}/telemetry/parse-csv.test.ts`, "memory.total"]],
  "S3-07": [[`${D}/alignment/software.test.ts`, "a driver below 535.86.10 is wrong"]],
  "S3-08": [
    [`${D}/alignment/software.test.ts`, "S3-07, S3-08: software policy"],
    [CATALOGUE, "Wheels of 2.5 were built for"],
  ],
  "S3-09": [THRESHOLDS, [`${PACK}/pack-work.ts`, "Batch run near the six-hour limit"]],
  "S3-10": [
    [`${PLAN}/hints.ts`, "USUAL_TASK_GB"],
    [`${PLAN}/savings-figures.test.ts`, "holds the peak at 85 %"],
  ],
  "S3-11": [[`${PLAN}/sizing.test.ts`, "GB: batches from"]],
  "S3-13": [[`${D}/alignment/software.test.ts`, "S3-13: the calendar"]],
  "S3-14": [
    ["lib/simulator/shell-agent.test.ts", "aarch64"],
    [`${PLAN}/memory.test.ts`, "arm64"],
  ],
  "S3-15": [
    [`${PACK}/slo.test.ts`, "a runbook carries the names of its alert"],
    [`${PACK}/pack-work.ts`, "runbook"],
  ],

  "S4-01": [[`${PLAN}/sizing.test.ts`, "six kinds, each with an example that some card holds"]],
  "S4-02": [[`${PLAN}/memory.test.ts`, "GB in 16 bits"]],
  "S4-03": [[`${PLAN}/memory.test.ts`, "size classes are half-open"]],
  "S4-04": [
    [`${PLAN}/sizing.test.ts`, "the range of a price runs from its lowest to its highest"],
    [COMPARE, "S4-04"],
  ],
  "S4-05": [[`${PLAN}/catalogue.test.ts`, "S4-05, S4-08"]],
  "S4-06": [[`${PLAN}/catalogue.test.ts`, "S4-06: a price of 8 GPUs"]],
  "S4-07": [
    [`${PLAN}/catalogue-rows.ts`, "Low: another list has $0.82"],
    [`${PLAN}/catalogue-rows.ts`, "Low: another list has $2.95"],
  ],
  "S4-08": [[`${PLAN}/catalogue.test.ts`, "S4-05, S4-08"]],
  "S4-09": [
    [`${PLAN}/workload-types.ts`, "WORKLOAD_TYPES"],
    ["components/plan/workloads-room.tsx", "Cheapest that fits"],
  ],
  "S4-10": [
    [`${PLAN}/workload-types.ts`, "100 to 1,000 a second"],
    [`${PLAN}/workload-types.ts`, "scale on the queue's depth"],
  ],
  "S4-11": [[`${PLAN}/sizing.test.ts`, "10,000 requests an hour are 2.78 a second"]],
  "S4-12": [
    [SCENARIOS, "S4-12, S4-13, S4-14, S4-15, S4-16"],
    [HERE, "S4-12"],
  ],
  "S4-13": [
    [SCENARIOS, "S4-12, S4-13, S4-14, S4-15, S4-16"],
    [HERE, "S4-13"],
  ],
  "S4-14": [
    [SCENARIOS, "S4-12, S4-13, S4-14, S4-15, S4-16"],
    [HERE, "S4-14"],
  ],
  "S4-15": [
    [SCENARIOS, "S4-15: with 52 ÷ 12 weeks"],
    [HERE, "S4-15"],
  ],
  "S4-16": [
    [SCENARIOS, "S4-12, S4-13, S4-14, S4-15, S4-16"],
    [HERE, "S4-16"],
  ],
  "S4-17": [
    [`${PLAN}/spot.test.ts`, "S4-17, S4-18: discounts are measured"],
    ["components/plan/deals-panel.tsx", "claimed ranges are not used"],
  ],
  "S4-18": [
    [SIMULATE, "of 720 hours"],
    [HERE, "S4-18"],
  ],
  "S4-19": [[`${PLAN}/savings-figures.test.ts`, "p4d -36.6 % for a year and -57.3 % for three"]],
  "S4-20": [[BENCH, "100M tokens in"]],
  "S4-21": [
    [BENCH, "are 18 in flight"],
    ["components/plan/throughput-panel.tsx", "In flight"],
  ],
  "S4-22": [[`${PLAN}/mix.test.ts`, "S4-22: targets 60/30/10"]],
  "S4-23": [[`${D}/telemetry/from-metrics.test.ts`, "one card, its labels and its units"]],
  "S4-24": [
    [`${D}/workload/catalogue.test.ts`, "inference_latency_ms"],
    [`${D}/workload/catalogue.test.ts`, "training_throughput"],
    [`${D}/workload/catalogue.ts`, "batch_processing_time_seconds"],
  ],
  "S4-25": [
    [HERE, "S4-25"],
    [`${D}/cost/units.test.ts`, "what a unit cost"],
  ],
  "S4-26": [THRESHOLDS, [DEFAULTS, "what is bad for training is not asked of inference"]],
  "S4-27": [THRESHOLDS],
  "S4-28": [THRESHOLDS, [`${PACK}/pack-work.ts`, "Latency too high"]],
  "S4-29": [THRESHOLDS, [SCENARIOS, "S4-29"], [HERE, "S4-29"]],
  "S4-31": [
    [`${PACK}/pack-work.ts`, "Budget spent"],
    [SIMULATE, "an idle stop saves the minutes after the first half hour"],
    ["components/cost/waste-words.ts", "Idle, empty"],
  ],
  "S4-33": [
    ["components/plan/catalogue-tables.tsx", "Tensor cores"],
    [HERE, "S4-33"],
  ],
};
