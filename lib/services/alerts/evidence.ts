import { type JudgedGpu, listGpus, listMachines, type Machine, spentOn } from "@/lib/db/alerts/readings";
import { readRecent } from "@/lib/db/alerts/recent";
import { type JudgedRule, listRules } from "@/lib/db/alerts/rules";
import { findConnection } from "@/lib/db/fleet/connection";
import { columnsOf, type JudgedColumn } from "@/lib/domain/alerts/gpu-values";
import type { RecentSamples } from "@/lib/domain/alerts/recent";
import { PRODUCT_SEMANTICS } from "@/lib/domain/alerts/semantics";
import { dayOf } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";

/** Senders that report less often than this have samples of their own read for them, not everybody with them. */
const SHORT_MS = 300_000;

type Due = { kind: string; metric: string };

/** Everything that rules may look at, as of one slot. Each part is read once, and only when a rule asks for it. */
export class Evidence {
  private readonly parts = new Map<string, Promise<unknown>>();

  constructor(
    readonly slot: number,
    readonly zone: string,
    private readonly due: readonly Due[],
  ) {}

  /** Reads a part that several rules share. */
  once<T>(part: string, read: () => Promise<T>): Promise<T> {
    const known = this.parts.get(part);
    // The key names the type.
    if (known) return known as Promise<T>;
    const found = read();
    this.parts.set(part, found);
    return found;
  }

  machines(): Promise<Map<string, Machine>> {
    return this.once("machines", async () => {
      const machines = await listMachines(new Date(this.slot));
      return new Map(machines.map((machine) => [machine.id, machine]));
    });
  }

  gpus(): Promise<JudgedGpu[]> {
    return this.once("gpus", listGpus);
  }

  gpusOf(): Promise<Map<string, JudgedGpu[]>> {
    return this.once("gpusOf", async () => groupBy(await this.gpus(), (gpu) => gpu.resourceId));
  }

  connection() {
    return this.once("connection", findConnection);
  }

  spentToday() {
    return this.once("spentToday", () => spentOn(dayOf(this.slot, this.zone)));
  }

  rules(): Promise<JudgedRule[]> {
    return this.once("rules", listRules);
  }

  /** The samples that fit in the lookback, of the columns that rules of this slot read: one reading for all of them. */
  samples(): Promise<(resourceId: string) => RecentSamples | null> {
    return this.once("samples", async () => {
      const [machines, gpus] = await Promise.all([this.machines(), this.gpus()]);
      const columns = [
        ...new Set(this.due.filter(({ kind }) => kind === "gpu_metric").flatMap(({ metric }) => columnsOf(metric))),
      ];
      const lookbackOf = (id: string) => PRODUCT_SEMANTICS(machines.get(id)?.intervalMs ?? 0).lookbackMs;
      const [short, long] = [true, false].map((isShort) =>
        gpus.filter(({ resourceId }) => lookbackOf(resourceId) <= SHORT_MS === isShort),
      );
      const [recent, slow] = await Promise.all([
        this.read(short ?? [], columns, lookbackOf),
        this.read(long ?? [], columns, lookbackOf),
      ]);
      return (resourceId) => (lookbackOf(resourceId) <= SHORT_MS ? recent : slow);
    });
  }

  private async read(
    gpus: readonly JudgedGpu[],
    columns: readonly JudgedColumn[],
    lookbackOf: (id: string) => number,
  ): Promise<RecentSamples | null> {
    if (gpus.length === 0) return null;
    const longest = gpus.reduce((most, { resourceId }) => Math.max(most, lookbackOf(resourceId)), 0);
    return readRecent(
      gpus.map(({ id }) => id),
      columns,
      this.slot - longest,
      this.slot,
    );
  }
}
