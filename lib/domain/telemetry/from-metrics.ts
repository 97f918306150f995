import type { MetricType, Sample } from "@/lib/domain/exposition/page";
import { type Format, parsePage } from "@/lib/domain/exposition/parse";
import { isCounter, recogniseWorkloadMetric } from "@/lib/domain/workload/catalogue";
import { type Card, Cards } from "./gpu-cards";
import { isGpuName, KNOWN_NAMES, type Meaning, type Meanings } from "./metric-names";
import { keepProcess, processName } from "./parse-processes";
import { Problems } from "./problems";
import { judgeNumber } from "./quantity";
import type { LabelledValue, Report, XidSighting } from "./report";
import type { GpuProcess } from "./sample";
import { cleanText } from "./text";

/** What the series of a page, or of a remote-write request of one machine, say. */
export type FromMetrics = Pick<Report, "batches" | "problems" | "sightings" | "labelled" | "processes"> & {
  /** Samples that nobody here has a use for: other exporters' and such of GPUs as are not kept. */
  ignored: number;
  /** The machine, where an exporter names it. */
  hostname: string | null;
};

export type PageOptions = {
  format?: Format;
  /** Names beyond those that are known (`namesWith`). */
  names?: Meanings;
  /** Reports bad lines and keeps the others; without it one bad line spoils the page, as it does for Prometheus. */
  isForgiving?: boolean;
};

/** Reads a metrics page of one machine. Never throws. `receivedAt` is the instant of a sample that carries none. */
export function parseMetricsPage(text: string, receivedAt: number, options: PageOptions = {}): FromMetrics {
  const page = parsePage(text, options.format, options.isForgiving);
  const isSpoilt = page.problems.some(({ kind }) => !options.isForgiving || kind === "tooLarge");
  const found = readingsFromSamples(isSpoilt ? [] : page.samples, receivedAt, {
    names: options.names ?? KNOWN_NAMES,
    types: page.types,
    isWhole: true,
  });
  const problems = new Problems();
  for (const { kind, line, message } of page.problems)
    problems.add(kind === "tooLarge" ? "too_large" : "malformed", `line ${line}: ${message}`, line);
  if (page.problems.length === 0 && page.samples.length === 0) problems.add("empty", "The page holds no metric");
  return { ...found, problems: [...problems.list, ...found.problems] };
}

export type SamplesOptions = {
  names?: Meanings;
  types?: ReadonlyMap<string, MetricType>;
  /** The samples are all that the machine says; false where some of an instant may come in another request. */
  isWhole: boolean;
};

/**
 * Sorts samples of one machine into readings, one per card and instant, and what stands beside them. A metric that is not
 * mentioned, such as the utilisation of a card in MIG mode, is missing from its reading.
 */
export function readingsFromSamples(
  samples: Iterable<Sample>,
  receivedAt: number,
  options: SamplesOptions,
): FromMetrics {
  const sorter = new Sorter(options.names ?? KNOWN_NAMES, options.types ?? new Map(), receivedAt);
  for (const sample of samples) sorter.add(sample);
  return sorter.finish(options.isWhole);
}

/** The kinds of Xid go up to some hundreds. */
const XID_MAX = 9999;
const FIVE_MINUTES = 300_000;

class Sorter {
  readonly #names: Meanings;
  readonly #types: ReadonlyMap<string, MetricType>;
  readonly #receivedAt: number;
  readonly #problems = new Problems();
  readonly #cards = new Cards();
  readonly #sightings: XidSighting[] = [];
  readonly #labelled: LabelledValue[] = [];
  readonly #processes = new Map<number, Map<string, GpuProcess[]>>();
  #isProcessListComplete = false;
  #ignored = 0;
  /** Whether a name is a workload's, asked once per name. */
  readonly #workload = new Map<string, { isCounter: boolean } | null>();

  constructor(names: Meanings, types: ReadonlyMap<string, MetricType>, receivedAt: number) {
    this.#names = names;
    this.#types = types;
    this.#receivedAt = receivedAt;
  }

  add(sample: Sample): void {
    const meanings = this.#names.get(sample.name);
    if (meanings === undefined) {
      this.#addLabelled(sample);
      return;
    }
    let isMeant = false;
    for (const meaning of meanings) {
      if (meaning.where.length > 0 && !hasLabels(sample, meaning)) continue;
      isMeant = true;
      this.#addMeant(sample, meaning);
    }
    if (!isMeant) this.#ignored += 1;
  }

  #addMeant(sample: Sample, meaning: Meaning): void {
    const at = sample.at ?? this.#receivedAt;
    if (meaning.kind === "workload") {
      const value = (sample.value * meaning.multiply) / meaning.divide;
      const rises = isCounter({ metric: meaning.metric, part: "value" });
      this.#keepLabelled({ ...sample, value }, meaning.metric, rises);
      return;
    }
    if (meaning.kind === "processesAnswered") {
      this.#isProcessListComplete = sample.value === 1;
      return;
    }
    const card = this.#cards.of(sample.labels);
    if (card === null) {
      this.#problems.add("no_identity", `${cleanText(sample.name, 100)} without a label that names its GPU`);
      return;
    }
    switch (meaning.kind) {
      case "info":
        card.learn(sample.labels);
        return;
      case "process":
        this.#addProcess(card, sample, meaning, at);
        return;
      case "xidGauge":
        card.rowAt(at);
        this.#see(card, sample, "gauge", sample.value, at);
        return;
      case "xidCount":
        card.rowAt(at);
        if (sample.value > 0) this.#see(card, sample, "count", Number(label(sample, "xid") ?? 0), at);
        return;
      default:
        card.say(at, sample.value, meaning);
    }
  }

  #see(card: Card, sample: Sample, seenBy: "gauge" | "count", code: number, at: number): void {
    if (judgeNumber(code, 0, XID_MAX).missing !== null || !Number.isInteger(code)) return;
    if (seenBy === "count" && code === 0) return;
    const windowMs = Number(label(sample, "window_size_in_ms") ?? FIVE_MINUTES);
    const text =
      seenBy === "count"
        ? `Xid ${code}, ${sample.value} in ${Math.round(windowMs / 60_000)} min`
        : (label(sample, "err_msg") ?? "");
    const { uuid, mig, busId, index } = card.labels;
    const place = { uuid, mig, busId, index };
    this.#sightings.push({ at, code, place, seenBy, text: cleanText(text, 500), pid: null, processName: null });
  }

  #addProcess(card: Card, sample: Sample, { multiply, divide }: Meaning, at: number): void {
    const pid = Number(label(sample, "pid"));
    if (!Number.isInteger(pid) || pid < 1 || pid > 0x7fffffff) return;
    const used = multiply === 0 ? null : judgeNumber((sample.value * multiply) / divide, 0, 1_000_000).value;
    const name = processName(label(sample, "process_name") ?? "");
    const byUuid = this.#processes.get(at) ?? new Map<string, GpuProcess[]>();
    this.#processes.set(at, byUuid);
    const known = byUuid.get(card.uuid)?.find((process) => process.pid === pid);
    if (known) known.usedMib ??= used;
    else keepProcess(byUuid, card.uuid, { pid, name, usedMib: used, user: null });
  }

  #addLabelled(sample: Sample): void {
    let known = this.#workload.get(sample.name);
    if (known === undefined) {
      const found = isGpuName(sample.name) ? null : recogniseWorkloadMetric(sample.name);
      known = found && { isCounter: isCounter(found) || this.#types.get(sample.name) === "counter" };
      this.#workload.set(sample.name, known);
    }
    if (known === null) this.#ignored += 1;
    else this.#keepLabelled(sample, sample.name, known.isCounter);
  }

  #keepLabelled(sample: Sample, metric: string, rises: boolean): void {
    if (Number.isNaN(sample.value)) return;
    const labels: Record<string, string> = Object.fromEntries(pairs(sample));
    this.#labelled.push({ at: sample.at ?? this.#receivedAt, metric, labels, value: sample.value, isCounter: rises });
  }

  finish(isWhole: boolean): FromMetrics {
    const batches = this.#cards.batches(isWhole);
    if (this.#isProcessListComplete && this.#processes.size === 0) {
      for (const { at } of batches) this.#processes.set(at, new Map());
    }
    return {
      batches,
      problems: this.#problems.list,
      sightings: this.#sightings,
      labelled: this.#labelled,
      processes: [...this.#processes].map(([at, byUuid]) => ({ at, byUuid })),
      ignored: this.#ignored,
      hostname: this.#cards.hostname,
    };
  }
}

function hasLabels(sample: Sample, { where }: Meaning): boolean {
  return where.every(([name, value]) => label(sample, name) === value);
}

function label({ labels }: Sample, name: string): string | null {
  for (let i = 0; i < labels.length; i += 2) if (labels[i] === name) return labels[i + 1] ?? null;
  return null;
}

function pairs({ labels }: Sample): [string, string][] {
  const list: [string, string][] = [];
  for (let i = 0; i < labels.length; i += 2) list.push([labels[i] ?? "", labels[i + 1] ?? ""]);
  return list;
}
