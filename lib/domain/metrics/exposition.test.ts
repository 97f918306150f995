import { expect, test } from "vitest";
import { WIDE_METRICS } from "@/lib/domain/telemetry/catalogue";
import { exposition, type Family } from "./exposition";
import { type GpuFacts, type InstanceFacts, type MetricsFacts, metricFamilies } from "./families";

const NOW = Date.parse("2026-11-20T12:00:00Z");

type Parsed = { name: string; labels: Record<string, string>; value: number };

/** Reads the text as the format's grammar has it; throws at the first line that does not fit. */
function parse(text: string): { samples: Parsed[]; help: Map<string, string>; types: Map<string, string> } {
  const help = new Map<string, string>();
  const types = new Map<string, string>();
  const samples: Parsed[] = [];
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.slice(0, -1).split("\n")) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (comment?.[2] && comment[3]) {
      const into = comment[1] === "HELP" ? help : types;
      if (into.has(comment[2])) throw new Error(`twice: ${line}`);
      into.set(comment[2], comment[3]);
      continue;
    }
    const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line);
    if (!sample?.[1] || !sample[3]) throw new Error(`not a line of the format: ${line}`);
    if (!types.has(sample[1])) throw new Error(`before its TYPE: ${line}`);
    samples.push({
      name: sample[1],
      labels: parseLabels(sample[2] ?? ""),
      value: Number(sample[3].replace("Inf", "Infinity")),
    });
  }
  return { samples, help, types };
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== "") {
    const pair = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/.exec(rest);
    if (!pair?.[1]) throw new Error(`not a label: ${rest}`);
    if (pair[1] in labels) throw new Error(`label twice: ${pair[1]}`);
    labels[pair[1]] = (pair[2] ?? "").replace(/\\(["\\n])/g, (_, c: string) => (c === "n" ? "\n" : c));
    rest = rest.slice(pair[0].length);
  }
  return labels;
}

const instance = (over: Partial<InstanceFacts> = {}): InstanceFacts => ({
  id: "i-1",
  externalId: "0920582c7ff041399e34823a0be62549",
  name: "gh-train-01",
  status: "active",
  typeName: "gpu_1x_gh200",
  region: "us-east-3",
  labels: { owner: "ada", team: "research", project: "", environment: "", costCenter: "", workload: "training" },
  isBilled: true,
  isReporting: true,
  priceMicros: "1490000",
  ...over,
});

const values = {
  ...(Object.fromEntries(WIDE_METRICS.map((metric) => [metric, null])) as GpuFacts["values"]),
  throttleReasons: 4,
  eccUncorrected: null,
  utilizationPct: 97,
  memoryUsedMib: 88_064,
  powerW: 604.5,
};

const gpu = (over: Partial<GpuFacts> = {}): GpuFacts => ({
  instanceId: "i-1",
  uuid: "GPU-1",
  mig: "",
  position: 0,
  model: "NVIDIA GH200 480GB",
  memoryMib: 97_871,
  at: NOW - 4_000,
  intervalMs: 10_000,
  values,
  ...over,
});

const facts = (instances: InstanceFacts[], gpus: GpuFacts[]): MetricsFacts => ({
  now: NOW,
  instances,
  gpus,
  house: {
    version: "1.0.0",
    mode: "demo",
    databaseBytes: 1e9,
    checks: [{ name: "worker", isOk: false, ageMs: null }],
    isStale: true,
    isFrozen: false,
    jobs: [{ name: "poll-instances", startedAt: NOW - 5_000, isFailing: true }],
    intents: [{ kind: "launch", state: "sending", count: 2 }],
    outbox: [{ state: "queued", count: 3 }],
    alerts: [{ severity: "critical", status: "firing", count: 1 }],
    dirtyBuckets: 7,
    unassignedSenders: 1,
  },
});

const scrape = (given: MetricsFacts) => {
  const { samples, ...rest } = parse(exposition(metricFamilies(given)));
  const find = (name: string, labels: Record<string, string> = {}) =>
    samples.filter(
      (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    );
  const value = (name: string, labels?: Record<string, string>) => find(name, labels).map((one) => one.value);
  return { samples, find, value, ...rest };
};

test("every line is one of the format, every metric has its HELP and TYPE, no series stands twice", () => {
  const { samples, help, types } = scrape(facts([instance()], [gpu(), gpu({ uuid: "GPU-2", position: 1 })]));
  expect([...help.keys()]).toEqual([...types.keys()]);
  const keys = samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const name of help.keys()) expect(name).toMatch(/^hopperdeck_/);
});

test("values come in Prometheus's base units", () => {
  const { value } = scrape(facts([instance()], [gpu()]));
  expect(value("hopperdeck_gpu_utilization_ratio")).toEqual([0.97]);
  expect(value("hopperdeck_gpu_memory_used_bytes")).toEqual([88_064 * 2 ** 20]);
  expect(value("hopperdeck_gpu_power_watts")).toEqual([604.5]);
  expect(value("hopperdeck_gpu_throttle_reasons")).toEqual([4]);
  expect(value("hopperdeck_gpu_sample_age_seconds")).toEqual([4]);
  expect(value("hopperdeck_fleet_usd_per_hour")).toEqual([1.49]);
});

test("what is missing is absent, never zero", () => {
  const { value } = scrape(facts([instance({ priceMicros: null })], [gpu()]));
  expect(value("hopperdeck_gpu_temperature_celsius")).toEqual([]);
  expect(value("hopperdeck_gpu_ecc_uncorrected")).toEqual([]);
  expect(value("hopperdeck_instance_usd_per_hour")).toEqual([]);
  expect(value("hopperdeck_fleet_usd_per_hour")).toEqual([0]);
  expect(value("hopperdeck_fleet_unpriced_instances")).toEqual([1]);
});

test("a silent GPU says that it is silent, how long, and no number", () => {
  const { value, samples } = scrape(facts([instance({ isReporting: false })], [gpu({ at: NOW - 90_001 })]));
  expect(value("hopperdeck_gpu_silent")).toEqual([1]);
  expect(value("hopperdeck_instance_silent")).toEqual([1]);
  expect(value("hopperdeck_gpu_sample_age_seconds")).toEqual([90.001]);
  const told = samples.filter(({ name }) => /^hopperdeck_gpu_(util|memory_used|power|throttle)/.test(name));
  expect(told).toEqual([]);
});

test("silence counts while the meter runs only", () => {
  const quiet = instance({ isBilled: false, isReporting: false, status: "terminating" });
  const { value } = scrape(facts([quiet], [gpu({ at: null })]));
  expect(value("hopperdeck_gpu_silent")).toEqual([0]);
  expect(value("hopperdeck_instance_silent")).toEqual([0]);
  expect(value("hopperdeck_instance_usd_per_hour")).toEqual([]);
});

test("names with quotes, backslashes and line ends come back whole", () => {
  const name = 'gh "A" \\ b\nnext';
  const { find } = scrape(facts([instance({ name })], []));
  expect(find("hopperdeck_instance_info")[0]?.labels).toMatchObject({
    instance_name: name,
    type: "gpu_1x_gh200",
    workload: "training",
  });
  const odd: Family = {
    name: "x",
    help: "one\ntwo \\ three",
    type: "gauge",
    samples: [{ labels: {}, value: Number.NaN }],
  };
  expect(exposition([odd])).toBe("# HELP x one\\ntwo \\\\ three\n# TYPE x gauge\nx NaN\n");
});

test("intents have a series for each state, so that a rise from nothing is seen", () => {
  const { value } = scrape(facts([], []));
  expect(value("hopperdeck_intents", { kind: "launch", state: "sending" })).toEqual([2]);
  expect(value("hopperdeck_intents", { kind: "launch", state: "indeterminate" })).toEqual([0]);
  expect(value("hopperdeck_worker_job_failing", { job_name: "poll-instances" })).toEqual([1]);
  expect(value("hopperdeck_inventory_stale")).toEqual([1]);
  expect(value("hopperdeck_health_age_seconds")).toEqual([]);
});
