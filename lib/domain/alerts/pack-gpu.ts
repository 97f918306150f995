import { BASE, HOUR, LOOK, MINUTE, NOT_INFERENCE, type PackRule } from "./pack-rule";

const GPU = { ...BASE, kind: "gpu_metric" } satisfies Partial<PackRule>;
const VRAM = {
  ...GPU,
  selector: NOT_INFERENCE,
  metric: "memoryUsedPct",
  comparison: "above",
  forMs: 5 * MINUTE,
  runbook: `${LOOK}\n2. Who holds it: nvidia-smi --query-compute-apps=pid,used_memory,name --format=csv -i {gpu}\n3. A process that nobody knows: ask {team} before you end it.\n4. Grows without end: the job leaks; restart it from its last checkpoint with a smaller batch.`,
} satisfies Partial<PackRule>;
const HEAT = {
  ...GPU,
  metric: "slowdownMarginC",
  comparison: "at_most",
  runbook: `${LOOK}\n2. How hot, and what it costs: nvidia-smi -q -d TEMPERATURE,PERFORMANCE,CLOCK -i {gpu}\n3. Clocks fall: save a checkpoint and move the job.\n4. Report {instance} with GPU {uuid} to Lambda: cooling is theirs.`,
} satisfies Partial<PackRule>;
const REMAP = {
  ...GPU,
  comparison: "at_least",
  threshold: 1,
  runbook: `${LOOK}\n2. What the card says: nvidia-smi -q -d ROW_REMAPPER,ECC -i {gpu}\n3. Save a checkpoint, end what runs on {uuid}.\n4. Restart {instance} once; if it comes back, terminate it, launch another and write to Lambda with the UUID.`,
} satisfies Partial<PackRule>;

/** What is measured on cards. */
export const GPU_RULES: readonly PackRule[] = [
  {
    ...GPU,
    packKey: "gpu-saturated",
    name: "Inference GPU saturated",
    severity: "warning",
    selector: { workload: ["inference"] },
    metric: "utilizationPct",
    comparison: "above",
    threshold: 90,
    forMs: 10 * MINUTE,
    reason: "An inference server above 90 % for 10 minutes has no room for a peak: requests begin to queue.",
    action:
      "Scale up: add an instance behind the load balancer, or move to a larger type. Look at latency first; if it is fine, raise the threshold.",
    runbook:
      "1. Look at latency and the queue on the instance's page.\n2. Both fine: raise the threshold of this rule for the team.\n3. Not fine: launch another instance of the same type and put it behind the load balancer.\n4. Afterwards: is the load here to stay? Then compare a larger type in Launch.",
  },
  {
    ...GPU,
    packKey: "training-starved",
    name: "Training GPU under-used",
    severity: "warning",
    selector: { workload: ["training"] },
    metric: "utilizationPct",
    comparison: "below",
    threshold: 80,
    forMs: 10 * MINUTE,
    reason:
      "A training run should keep its GPU above 80 %. Below that, the GPU waits for data, for another GPU, or the run has stopped.",
    action:
      "Check that the run is alive. If it is, look at data loading, CPU and disk, then at the batch size. If it is over, terminate the instance.",
    runbook: `${LOOK}\n2. Is it alive: nvidia-smi -i {gpu}; tail the run's log.\n3. CPU: top. Disk and network: iostat -x 5, ifstat.\n4. Waits for data: more workers for the loader (num_workers), pinned memory, local copies.\n5. Over: terminate {instance}.`,
  },
  {
    ...GPU,
    packKey: "gpu-idle-empty",
    name: "GPU idle and empty",
    kind: "money",
    severity: "warning",
    selector: { workload: ["training", "batch", "dev", "unknown"] },
    metric: "emptyMs",
    comparison: "at_least",
    threshold: 30 * MINUTE,
    params: { critical: 2 * HOUR },
    reason:
      "No more than 5 % busy for 30 minutes, no process, less than 1 GiB held: it does nothing and costs its full price. Critical after two hours.",
    action: "Terminate it, or say in its labels who keeps it and until when.",
    runbook:
      "1. Whose is it: the labels of {instance}; ask {team}.\n2. Anything on its disk that is nowhere else? Copy it.\n3. Terminate it. A file system that stays attached costs on; its own rule tells.",
  },
  {
    ...GPU,
    packKey: "gpu-idle-held",
    name: "GPU idle, memory held",
    kind: "money",
    severity: "warning",
    selector: { workload: ["training", "batch", "dev", "unknown"] },
    metric: "heldMs",
    comparison: "at_least",
    threshold: 30 * MINUTE,
    params: { critical: 2 * HOUR },
    reason:
      "No more than 5 % busy for 30 minutes while somebody holds its memory: a notebook left open, or a run that hangs. Critical after two hours.",
    action:
      "Ask who holds it (the instance's page names the process). If the run hangs, restart it; if nobody needs it, terminate it.",
    runbook: `${LOOK}\n2. Who holds it: nvidia-smi --query-compute-apps=pid,used_memory,name --format=csv\n3. Does it hang: py-spy dump --pid PID, or the last lines of its log.\n4. Nobody answers within the hour: save what can be saved and terminate {instance}.`,
  },
  {
    ...VRAM,
    packKey: "vram-high",
    name: "VRAM nearly full",
    severity: "warning",
    threshold: 85,
    reason: "Above 85 % of what the GPU reports, one longer sequence or larger batch may not fit any more.",
    action: "Reduce the batch size, or plan a type with more memory before the next run.",
  },
  {
    ...VRAM,
    packKey: "vram-full",
    name: "VRAM full",
    severity: "critical",
    threshold: 90,
    reason: "Above 90 % of what the GPU reports, the next allocation may end the job with an out-of-memory error.",
    action: "Save a checkpoint now. Then reduce the batch size, or scale up to a type with more memory.",
  },
  {
    ...HEAT,
    packKey: "gpu-hot",
    name: "GPU hot",
    severity: "warning",
    threshold: 5,
    clearThreshold: 7,
    forMs: 5 * MINUTE,
    params: { fallbackC: 88 },
    reason:
      "Within 5 °C of the temperature at which this card slows itself down; of a card that does not name it, from 83 °C.",
    action:
      "Look at clocks and throttle reasons. If clocks fall, the job is slower than what you pay for: move it and report the machine to Lambda.",
  },
  {
    ...HEAT,
    packKey: "gpu-overheating",
    name: "GPU overheating",
    severity: "critical",
    threshold: 0,
    clearThreshold: 2,
    forMs: MINUTE,
    params: { fallbackC: 90 },
    reason: "At its limit (90 °C where the card names none) the GPU slows down to protect itself, and may switch off.",
    action:
      "Save a checkpoint, stop the job and launch it elsewhere. Then report the machine to Lambda and terminate it.",
  },
  {
    ...GPU,
    packKey: "hardware-throttle",
    name: "GPU slowed down by its hardware",
    severity: "warning",
    metric: "hardwareThrottled",
    comparison: "at_least",
    threshold: 1,
    forMs: 5 * MINUTE,
    keepFiringMs: 5 * MINUTE,
    reason:
      "Five minutes of hardware slowdown, thermal slowdown or power brake: the machine gives less than what is paid for, through no fault of the job.",
    action:
      "Move the job and report the machine to Lambda. A power cap under full load is normal and does not raise this.",
    runbook: `${LOOK}\n2. Which reason: nvidia-smi -q -d PERFORMANCE -i {gpu}\n3. Heat: see the temperature on the alert's page. Power brake: nothing to do from inside.\n4. Write to Lambda with {instance}, {uuid}, and the time since when; ask for a credit.`,
  },
  {
    ...GPU,
    packKey: "hardware-throttle-long",
    name: "GPU slowed down by its hardware for half an hour",
    severity: "critical",
    metric: "hardwareThrottled",
    comparison: "at_least",
    threshold: 1,
    forMs: 30 * MINUTE,
    keepFiringMs: 5 * MINUTE,
    reason: "Half an hour of it is no spike: until somebody moves the job, every minute is paid and partly lost.",
    action: "Save a checkpoint and move the job now; terminate the machine when it is empty.",
    runbook: `${LOOK}\n2. nvidia-smi -q -d PERFORMANCE,CLOCK -i {gpu}\n3. Save a checkpoint, launch elsewhere, terminate {instance}.\n4. Ask Lambda for a credit for the throttled minutes; Waste has them by machine.`,
  },
  {
    ...GPU,
    packKey: "ecc-uncorrected",
    name: "Uncorrected memory error",
    severity: "critical",
    metric: "eccUncorrected",
    comparison: "above",
    threshold: 0,
    reason: "An error that the memory could not correct: what the job computes from here on may be wrong.",
    action: "Stop the job, go back to the last checkpoint before the error, and restart the machine to reset the card.",
    runbook: REMAP.runbook,
  },
  {
    ...REMAP,
    packKey: "remap-failed",
    name: "Row remapping failed",
    severity: "critical",
    metric: "remapFailed",
    reason: "The card has run out of spare rows, or could not use one: its memory cannot be trusted any more.",
    action: "Move the job, terminate the machine and report the card to Lambda by its UUID.",
  },
  {
    ...REMAP,
    packKey: "remap-pending",
    name: "GPU waits for a reset",
    severity: "warning",
    metric: "remapPending",
    reason: "A row of memory is to be replaced at the next reset; until then the bad one is in use.",
    action: "Restart the machine when the run has saved a checkpoint.",
  },
];
