import { untilDisconnected } from "@/lib/db/memory";
import type { MinuteRow } from "@/lib/db/telemetry/read";
import { groupBy } from "@/lib/domain/group";

const MINUTE_MS = 60_000;
/** Samples later than this are taken in by the next look at the whole. */
const SETTLED_MS = 15 * MINUTE_MS;
/** Of more, a day is read anew each time: each takes some forty kilobytes a day. */
const MOST_GPUS = 2_000;
/** Today and, around midnight, the day before. */
const MOST_WINDOWS = 2;

/** One GPU's minutes from an instant on, in columns; where nothing was reported, nothing stands. */
type Columns = {
  effective: Float64Array;
  mean: Float64Array;
  memory: Float64Array;
  flags: Uint8Array;
};
type Kept = { until: number; gpus: Map<number, Columns> };
type Window = { from: number; machines: Map<string, Kept> };

const IS_THERE = 1;
const IS_THROTTLED = 2;
const HAS_LOOKED = 4;
const HAS_PROCESS = 8;

/**
 * What machines' GPUs did, minute by minute, of the windows that are asked for again and again: what is settled is remembered, and only
 * what came since is read. The same rows as a whole look gives, but for samples that came a quarter of an hour late.
 */
export class MinuteMemory {
  #windows: Window[] = [];

  constructor(readonly readMinutes: (resourceIds: string[], from: Date, to: Date) => Promise<MinuteRow[]>) {
    untilDisconnected(() => {
      this.#windows = [];
    });
  }

  /** Everything is read anew next time. */
  forget(from: number): void {
    this.#windows = this.#windows.filter((one) => one.from !== from);
  }

  async read(resourceIds: readonly string[], from: number, to: number): Promise<MinuteRow[]> {
    const window = this.#windowOf(from);
    const known = resourceIds.filter((id) => (window.machines.get(id)?.until ?? Number.POSITIVE_INFINITY) <= to);
    const others = resourceIds.filter((id) => !known.includes(id));
    const since = Math.min(...known.map((id) => window.machines.get(id)?.until ?? from));
    const whole = others.length === 0 ? [] : await this.readMinutes([...others], new Date(from), new Date(to));
    const fresh = known.length === 0 ? [] : await this.readMinutes([...known], new Date(since), new Date(to));
    const rows = known.flatMap((id) => {
      const kept = window.machines.get(id);
      if (!kept) return [];
      const newer = fresh.filter((row) => row.resourceId === id && row.at.getTime() >= kept.until);
      return [...unpacked(id, kept, from), ...newer];
    });
    const all = [...whole, ...rows];
    this.#remember(window, resourceIds, all, to);
    return all;
  }

  #windowOf(from: number): Window {
    const known = this.#windows.find((one) => one.from === from);
    if (known) return known;
    const made = { from, machines: new Map() };
    this.#windows = [...this.#windows, made].slice(-MOST_WINDOWS);
    return made;
  }

  #remember(window: Window, resourceIds: readonly string[], rows: readonly MinuteRow[], to: number): void {
    const until = Math.floor((to - SETTLED_MS) / MINUTE_MS) * MINUTE_MS;
    if (until <= window.from) return;
    const own = groupBy([...rows], ({ resourceId }) => resourceId);
    for (const id of resourceIds) {
      const kept = window.machines.get(id) ?? { until: window.from, gpus: new Map() };
      if (!window.machines.has(id) && this.#gpus() >= MOST_GPUS) continue;
      for (const row of own.get(id) ?? [])
        if (row.at.getTime() >= kept.until && row.at.getTime() < until) put(kept.gpus, row, window.from);
      window.machines.set(id, { ...kept, until: Math.max(kept.until, until) });
    }
  }

  #gpus(): number {
    return this.#windows.reduce(
      (all, { machines }) => all + [...machines.values()].reduce((sum, { gpus }) => sum + gpus.size, 0),
      0,
    );
  }
}

/** A day of 25 hours, and half an hour on either side of it. */
const MINUTES = 26 * 60;

function put(gpus: Map<number, Columns>, row: MinuteRow, from: number): void {
  const columns = gpus.get(row.gpuId) ?? {
    effective: new Float64Array(MINUTES),
    mean: new Float64Array(MINUTES),
    memory: new Float64Array(MINUTES),
    flags: new Uint8Array(MINUTES),
  };
  gpus.set(row.gpuId, columns);
  const i = Math.round((row.at.getTime() - from) / MINUTE_MS);
  columns.effective[i] = row.effectivePct ?? Number.NaN;
  columns.mean[i] = row.meanPct ?? Number.NaN;
  columns.memory[i] = row.memoryUsedMib ?? Number.NaN;
  columns.flags[i] =
    IS_THERE |
    (row.isThrottled ? IS_THROTTLED : 0) |
    (row.hasProcess === null ? 0 : HAS_LOOKED) |
    (row.hasProcess ? HAS_PROCESS : 0);
}

const nullable = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value);

function unpacked(resourceId: string, { gpus }: Kept, from: number): MinuteRow[] {
  return [...gpus].flatMap(([gpuId, columns]) => {
    const rows: MinuteRow[] = [];
    for (const [i, flags] of columns.flags.entries()) {
      if ((flags & IS_THERE) === 0) continue;
      rows.push({
        gpuId,
        resourceId,
        at: new Date(from + i * MINUTE_MS),
        effectivePct: nullable(columns.effective[i]),
        meanPct: nullable(columns.mean[i]),
        memoryUsedMib: nullable(columns.memory[i]),
        isThrottled: (flags & IS_THROTTLED) !== 0,
        hasProcess: (flags & HAS_LOOKED) === 0 ? null : (flags & HAS_PROCESS) !== 0,
      });
    }
    return rows;
  });
}
