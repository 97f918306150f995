import type { ProcessesByUuid } from "./parse-processes";
import type { GpuReading, Problem } from "./sample";

/** Who sent it. Everything but the protocol is as the sender says. */
export type AgentHeader = {
  protocol: number;
  version: string | null;
  hostname: string | null;
  intervalMs: number | null;
  sentAt: number | null;
  machine: string | null;
  kernel: string | null;
  ip: string | null;
  /** Samples that the sender's full disk buffer has thrown away, since it was installed. */
  dropped: number | null;
};

/** The GPUs of one machine at one instant. */
export type Batch = { at: number; readings: GpuReading[]; problems: Problem[] };
/** All processes of one machine at one instant; a GPU that is not in the map has none. */
export type ProcessList = { at: number; byUuid: ProcessesByUuid };
export type SmiError = { at: number; status: number; message: string };

/** Which card a sender speaks of, by what it knows of it. */
export type GpuPlace = { uuid: string | null; mig: string; busId: string | null; index: number | null };

/**
 * An Xid as somebody saw it. `kernel`: a line of the kernel's log. `gauge`: DCGM's gauge that holds the last Xid (0: none),
 * an event only when it changes. `count`: DCGM's count of one Xid in a window.
 */
export type XidSighting = {
  at: number;
  /** How `at` is known, where it is not written: a time without a zone read as UTC, or the instant at which we were told. */
  atIs?: "assumed_utc" | "received";
  code: number;
  place: GpuPlace;
  seenBy: "kernel" | "gauge" | "count";
  /** The line, or what the exporter says beside the code. */
  text: string;
  pid: number | null;
  processName: string | null;
};

/** A value of a labelled metric beside the GPU's own. Names are those of lib/domain/workload's catalogue, or the sender's own. */
export type LabelledValue = {
  at: number;
  metric: string;
  labels: Readonly<Record<string, string>>;
  value: number;
  isCounter: boolean;
};

/** What a probe of the agent found at an instant; a probe that could not run says why. */
export type Probe<T> = { at: number } & ({ found: T } | { missing: string });

/** A file system of a machine; without its sizes it says why, such as a server that does not answer. */
export type Mount = {
  path: string;
  device: string;
  type: string;
  sizeBytes: number | null;
  usedBytes: number | null;
  problem: string | null;
};

/** A real context through libcuda, on each GPU in turn: how many it made, and how long that took. */
export type CudaAnswer = { isUsable: boolean; devices: number; tookMs: number; message: string | null };

/** Facts about the machine beside its GPUs; a key that is absent was not asked for. */
export type HostFacts = {
  driverVersion?: Probe<string>;
  /** The newest CUDA that the driver can run. */
  cudaVersion?: Probe<string>;
  torchVersion?: Probe<string>;
  cudaProbe?: Probe<CudaAnswer>;
  /** Why the last look at CUDA was put off: it never stands in the way of a job. */
  cudaBusy?: Probe<string>;
  /** How far the machine's clock is ahead of true time, as its own time service says. */
  clockOffsetMs?: Probe<number>;
  /** The time service that says so. */
  clockSource?: Probe<string>;
  mounts?: Probe<Mount[]>;
  /** What the kernel's log is read with. */
  kernelLog?: Probe<string>;
  /** Whether processes can be listed. */
  processList?: Probe<true>;
};

/** Everything that one body of one sender says, whatever its format. */
export type Report = {
  agent: AgentHeader | null;
  batches: Batch[];
  processes: ProcessList[];
  errors: SmiError[];
  problems: Problem[];
  sightings: XidSighting[];
  labelled: LabelledValue[];
  facts: HostFacts | null;
};

export function emptyReport(): Report {
  return {
    agent: null,
    batches: [],
    processes: [],
    errors: [],
    problems: [],
    sightings: [],
    labelled: [],
    facts: null,
  };
}
