import { type Labels, labelOf } from "@/lib/domain/exposition/page";
import { type CountMetric, METRICS, WIDE_METRICS, type WideMetric } from "./catalogue";
import { type CardLabels, readCardLabels } from "./gpu-labels";
import type { Attribute, Meaning } from "./metric-names";
import { isBlank, judgeNumber, type Quantity } from "./quantity";
import type { Batch } from "./report";
import { emptyValues, type GpuReading, type Missing } from "./sample";

type Saying = Extract<Meaning, { kind: "metric" | "attribute" | "throttle" }>;
type Said = { value: number; meaning: Saying };

/** What was said of one card at one instant: of several names for one thing, the best. */
type Row = {
  said: Map<WideMetric | CountMetric | Attribute, Said>;
  /** Throttle reasons that came one by one. */
  reasons: number | null;
};

/** One GPU or MIG slice, as its series name it, and what they say of it. */
export class Card {
  readonly rows = new Map<number, Row>();
  /** Names that might be shares of 1 and have shown a fraction. */
  readonly ratios = new Set<string>();

  constructor(
    readonly uuid: string,
    readonly labels: CardLabels,
  ) {}

  /** Takes over what another series of this card says about itself. */
  learn(labels: Labels): void {
    const said = readCardLabels(labels);
    this.labels.index ??= said.index;
    this.labels.busId ??= said.busId;
    this.labels.name ??= said.name;
    this.labels.driverVersion ??= said.driverVersion;
  }

  rowAt(at: number): Row {
    const row = this.rows.get(at) ?? { said: new Map(), reasons: null };
    this.rows.set(at, row);
    return row;
  }

  say(at: number, value: number, meaning: Saying): void {
    const row = this.rowAt(at);
    if (meaning.kind === "throttle") {
      if (value === 0 || value === 1) row.reasons = (row.reasons ?? 0) | (value * meaning.bit);
      return;
    }
    const key = meaning.kind === "metric" ? meaning.metric : meaning.attribute;
    if (meaning.kind === "metric" && meaning.mayBeRatio && value > 0 && value < 1) this.ratios.add(key);
    const before = row.said.get(key);
    if (before === undefined || isBetter(meaning, value, before)) row.said.set(key, { value, meaning });
  }
}

/** A lower rank counts, and any number before none. */
function isBetter(meaning: Saying, value: number, before: Said): boolean {
  const isNone = (one: number) => Number.isNaN(one) || isBlank(one);
  if (isNone(before.value) !== isNone(value)) return isNone(before.value);
  return meaning.rank < before.meaning.rank;
}

const MOST_CARDS = 10_000;

export class Cards {
  /** By the labels that tell cards apart, as they are written. */
  readonly #byLabels = new Map<string, Card | null>();
  readonly #byKey = new Map<string, Card>();

  /** The card that the labels name; null where they name none. */
  of(labels: Labels): Card | null {
    const key = keyOf(labels);
    let card = this.#byLabels.get(key);
    if (card === undefined) {
      card = this.#find(labels);
      if (this.#byLabels.size < MOST_CARDS) this.#byLabels.set(key, card);
    }
    return card;
  }

  #find(labels: Labels): Card | null {
    const said = readCardLabels(labels);
    const uuid =
      said.uuid ?? (said.busId && `bus:${said.busId}`) ?? (said.index === null ? null : `index:${said.index}`);
    if (uuid === null) return null;
    const key = `${uuid} ${said.mig}`;
    const known = this.#byKey.get(key);
    if (known) return known;
    if (this.#byKey.size >= MOST_CARDS) return null;
    // A part of a text keeps the whole text in memory; what names a card may live long.
    const own = said.uuid === null ? null : copied(said.uuid);
    const card = new Card(own ?? copied(uuid), { ...said, uuid: own, busId: said.busId && copied(said.busId) });
    this.#byKey.set(key, card);
    return card;
  }

  /** The machine that the cards are in, as one of them says. */
  get hostname(): string | null {
    for (const { labels } of this.#byKey.values()) if (labels.hostname !== null) return labels.hostname;
    return null;
  }

  /** All that was said, by instant, oldest first. */
  batches(isWhole: boolean): Batch[] {
    const byInstant = new Map<number, GpuReading[]>();
    for (const card of this.#byKey.values()) {
      for (const [at, row] of card.rows) {
        const readings = byInstant.get(at) ?? [];
        readings.push(readingOf(card, row, at, isWhole));
        byInstant.set(at, readings);
      }
    }
    return [...byInstant].sort(([a], [b]) => a - b).map(([at, readings]) => ({ at, readings, problems: [] }));
  }
}

function keyOf(labels: Labels): string {
  const uuid = labelOf(labels, "UUID") ?? labelOf(labels, "uuid");
  if (uuid !== null) return `${uuid}\n${labelOf(labels, "GPU_I_ID") ?? ""}`;
  return labels.join("\n");
}

function copied(text: string): string {
  return [...text].join("");
}

function readingOf(card: Card, row: Row, at: number, isWhole: boolean): GpuReading {
  const missing: Missing = {};
  const keep = (metric: WideMetric | CountMetric, quantity: Quantity) => {
    if (quantity.missing !== null) missing[metric] = quantity.missing;
    return quantity.value;
  };
  const values = emptyValues();
  for (const metric of WIDE_METRICS) values[metric] = keep(metric, measured(card, row, metric));
  const memoryTotalMib = memoryTotal(row, isWhole);
  if (memoryTotalMib !== null && (values.memoryUsedMib ?? 0) > memoryTotalMib) {
    values.memoryUsedMib = null;
    missing.memoryUsedMib = "out_of_range";
  }
  const { labels } = card;
  const mask = measured(card, row, "throttleReasons");
  const reasons: Quantity = row.reasons === null ? mask : { value: row.reasons, missing: null };
  return {
    uuid: card.uuid,
    mig: labels.mig,
    index: attribute(row, "index", 0, 1023) ?? labels.index,
    busId: labels.busId,
    name: labels.name,
    driverVersion: labels.driverVersion,
    memoryTotalMib,
    powerLimitW: attribute(row, "powerLimitW", 1, METRICS.powerW.max),
    pstate: pstate(attribute(row, "pstate", 0, 15)),
    migMode: migMode(attribute(row, "migMode", 0, 1), labels.mig),
    remappedRows: remappedRows(row),
    slowdownTemperatureC: attribute(row, "slowdownTemperatureC", 60, 130),
    at,
    values,
    throttleReasons: keep("throttleReasons", mask.missing === null ? mask : reasons),
    eccUncorrected: keep("eccUncorrected", measured(card, row, "eccUncorrected")),
    missing,
  };
}

function measured(card: Card, row: Row, metric: WideMetric | CountMetric): Quantity {
  const said = row.said.get(metric);
  if (said === undefined || said.meaning.kind !== "metric") return { value: null, missing: "not_reported" };
  const { min, max, kind } = METRICS[metric];
  const { value, meaning } = said;
  if (isBlank(value)) return judgeNumber(value, min, max);
  if (meaning.isZeroMissing && value === 0) return { value: null, missing: "sentinel" };
  const ratio = meaning.mayBeRatio && value <= 1 && card.ratios.has(metric) ? 100 : 1;
  const ours = scaled(value * ratio, meaning);
  if (kind === "count" && Number.isFinite(ours) && !Number.isInteger(ours))
    return { value: null, missing: "malformed" };
  return judgeNumber(ours, min, max);
}

/** In our unit. A scale brings noise of binary fractions into the last digits, which is taken out again. */
function scaled(value: number, { multiply, divide }: Saying): number {
  if (multiply === 1 && divide === 1) return value;
  const ours = (value * multiply) / divide;
  return Math.abs(ours) < 1e9 ? Math.round(ours * 1e6) / 1e6 : ours;
}

function attribute(row: Row, name: Attribute, min: number, max: number): number | null {
  const said = row.said.get(name);
  if (said === undefined || isBlank(said.value)) return null;
  return judgeNumber(scaled(said.value, said.meaning), min, max).value;
}

/**
 * As told, else what is in use, reserved and free together. Where parts may come in another request, all three must be there;
 * on a whole page the reserved memory may be one that this exporter does not tell.
 */
function memoryTotal(row: Row, isWhole: boolean): number | null {
  const { max } = METRICS.memoryUsedMib;
  const told = attribute(row, "memoryTotalMib", 1, max);
  if (told !== null) return told;
  const part = (name: "memoryUsedMib" | "memoryReservedMib") => {
    const said = row.said.get(name);
    return said === undefined ? null : judgeNumber(scaled(said.value, said.meaning), 0, max).value;
  };
  const used = part("memoryUsedMib");
  const free = attribute(row, "memoryFreeMib", 0, max);
  const reserved = part("memoryReservedMib") ?? (isWhole ? 0 : null);
  if (used === null || free === null || reserved === null) return null;
  const total = used + free + reserved;
  return total >= 1 && total <= max ? total : null;
}

function pstate(value: number | null): string | null {
  return value !== null && Number.isInteger(value) ? `P${value}` : null;
}

function migMode(value: number | null, mig: string): GpuReading["migMode"] {
  if (mig !== "" || value === 1) return "enabled";
  return value === 0 ? "disabled" : null;
}

function remappedRows(row: Row): GpuReading["remappedRows"] {
  const correctable = attribute(row, "remappedCorrectable", 0, 1_000_000);
  const uncorrectable = attribute(row, "remappedUncorrectable", 0, 1_000_000);
  if (correctable === null || uncorrectable === null) return null;
  const isPending = attribute(row, "remappedPending", 0, 1) === 1;
  const isFailed = attribute(row, "remappedFailure", 0, 1) === 1;
  return { correctable, uncorrectable, isPending, isFailed };
}
