import { z } from "zod";
import { isOlderVersion } from "@/lib/domain/fleet/machine";
import { formatCount } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import { modelOf, nominalGb, shortModelName } from "@/lib/domain/telemetry/models";
import type { HostFacts } from "@/lib/domain/telemetry/report";

export const VERIFICATION_CHECKS = [
  "agent",
  "gpus",
  "model",
  "memory",
  "driver",
  "cuda",
  "filesystem",
  "clock",
] as const;
export type VerificationKey = (typeof VERIFICATION_CHECKS)[number];

export const CHECK_NAMES: Record<VerificationKey, string> = {
  agent: "Agent reports",
  gpus: "Number of GPUs",
  model: "GPU model",
  memory: "VRAM",
  driver: "Driver",
  cuda: "CUDA works",
  filesystem: "File system mounted",
  clock: "Clock in step",
};

/** `waiting`: nothing was said yet. `skipped`: it does not apply, or cannot be told, and why. */
export type CheckState = "passed" | "failed" | "waiting" | "skipped";

const Checked = z.object({
  key: z.enum(VERIFICATION_CHECKS),
  state: z.enum(["passed", "failed", "waiting", "skipped"]),
  /** What was found and what was ordered, in words. */
  words: z.string(),
});

/** What was ordered against what a machine reports, check by check. */
export const Verification = z.object({
  state: z.enum(["checking", "passed", "failed"]),
  checks: z.array(Checked),
  /** Until when everything should have been reported. */
  deadlineAt: z.number(),
  /** When it last changed. */
  since: z.number(),
});
export type Verification = z.output<typeof Verification>;

export type VerificationAnswer = {
  now: number;
  /** Whether it came of a launch from here: another one was ordered by nobody who could be held to it. */
  isOurs: boolean;
  /** Null: not active yet, or not ours. */
  verification: Verification | null;
  /** What the machine has cost so far. */
  costMicros: string;
};

/** The agent is installed within minutes of the boot; its probes follow. */
export const VERIFY_WITHIN_MS = 15 * 60_000;
/** What is wrong right after the boot may still come right: a card that is found late, a mount that waits for the network. */
export const VERIFY_GRACE_MS = 3 * 60_000;

const DAY_MS = 24 * 3_600_000;
const CLOCK_OFF_MS = 30_000;
const OWN_OFFSET_MS = 1_000;

export type Order = {
  gpus: number | null;
  gpuModel: string | null;
  gpuMemoryGb: number | null;
  fileSystemName: string | null;
  /** As the guardrails ask for; empty: any. */
  minDriver: string;
};

export type Reported = {
  activeAt: number;
  /** When its agent was first heard; null: not yet. */
  heardAt: number | null;
  gpus: { uuid: string; model: string; memoryMib: number | null; driverVersion: string | null }[];
  facts: HostFacts;
  clockSkewMs: number | null;
};

type Finding = Omit<z.output<typeof Checked>, "key">;

const passed = (words: string): Finding => ({ state: "passed", words });
const failed = (words: string): Finding => ({ state: "failed", words });
const waiting = (words = "not reported yet"): Finding => ({ state: "waiting", words });
const skipped = (words: string): Finding => ({ state: "skipped", words });

/**
 * Checks a machine against what was ordered. What is missing fails at the deadline; what is wrong fails a few minutes after the
 * first report, since cards and mounts come up one after the other. Of a machine that ran long before it was first checked,
 * what is missing says nothing of its boot.
 */
export function verify(order: Order, reported: Reported, before: Verification | null, now: number): Verification {
  const deadlineAt = reported.activeAt + VERIFY_WITHIN_MS;
  const isOver = now >= deadlineAt;
  const isOld = before === null && now - reported.activeAt > DAY_MS;
  const graceOver = isOver || (reported.heardAt !== null && now - reported.heardAt >= VERIFY_GRACE_MS);
  const checks = VERIFICATION_CHECKS.map((key) => {
    const found = CHECKS[key](order, reported);
    if (found.state === "failed" && !graceOver) return { key, state: "waiting" as const, words: found.words };
    // What only the agent could say is not counted twice.
    if (found.state === "waiting" && isOld) return { key, ...skipped("it ran before anybody checked") };
    if (found.state === "waiting" && isOver) return { key, ...late(key, found, reported) };
    return { key, ...found };
  });
  const state = checks.some((one) => one.state === "failed")
    ? "failed"
    : checks.some((one) => one.state === "waiting")
      ? "checking"
      : "passed";
  return { state, checks, deadlineAt, since: before?.state === state ? before.since : now };
}

function late(key: VerificationKey, found: Finding, { heardAt }: Reported): Finding {
  if (key === "agent") return failed(`nothing heard ${formatDuration(VERIFY_WITHIN_MS)} after it was active`);
  if (heardAt === null) return skipped("the agent never said");
  return failed(`${found.words} after ${formatDuration(VERIFY_WITHIN_MS)}`);
}

const CHECKS: Record<VerificationKey, (order: Order, reported: Reported) => Finding> = {
  agent: (_, { heardAt, activeAt }) =>
    heardAt === null
      ? waiting()
      : passed(
          heardAt - activeAt > VERIFY_WITHIN_MS
            ? "it reports"
            : heardAt <= activeAt
              ? "before it was called active"
              : `${formatDuration(heardAt - activeAt)} after it was active`,
        ),
  gpus: ({ gpus }, reported) => {
    if (gpus === null || gpus === 0) return skipped("its type names none");
    const found = new Set(reported.gpus.map(({ uuid }) => uuid)).size;
    if (found === 0) return waiting();
    const words = `${formatCount(found, "GPU")}, ${gpus} ordered`;
    return found === gpus ? passed(words) : failed(words);
  },
  model: ({ gpus, gpuModel }, reported) => {
    if (gpuModel === null || gpus === 0) return skipped("its type names none");
    if (reported.gpus.length === 0) return waiting();
    const others = reported.gpus.filter(({ model }) => !isModel(gpuModel, model));
    const [other] = others;
    const [first] = reported.gpus;
    if (other === undefined) return passed(first ? shortModelName(first.model) : gpuModel);
    return failed(`${other.model}, ${gpuModel} ordered`);
  },
  memory: ({ gpus, gpuMemoryGb }, reported) => {
    if (gpuMemoryGb === null || gpus === 0) return skipped("its type names none");
    const told = reported.gpus.filter(({ memoryMib }) => memoryMib !== null);
    if (told.length === 0) return waiting();
    const sizes = told.map(({ model, memoryMib }) => ({ memoryMib, gb: nominalGb(model, memoryMib), model }));
    const wrong = sizes.find(({ gb }) => gb !== null && gb !== gpuMemoryGb);
    if (wrong) return failed(`${wrong.gb} GB (${wrong.memoryMib} MiB), ${gpuMemoryGb} GB ordered`);
    const odd = sizes.find(({ gb }) => gb === null);
    if (odd)
      return modelOf(odd.model) === null
        ? skipped(`${odd.memoryMib} MiB; what a ${odd.model} should report is not known here`)
        : failed(`${odd.memoryMib} MiB is no size of this card; ${gpuMemoryGb} GB ordered`);
    return passed(`${gpuMemoryGb} GB (${sizes[0]?.memoryMib} MiB each)`);
  },
  driver: ({ gpus, minDriver }, reported) => {
    if (gpus === 0) return skipped("it has no GPU");
    const probe = reported.facts.driverVersion;
    const version =
      (probe && "found" in probe ? probe.found : null) ??
      reported.gpus.find(({ driverVersion }) => driverVersion !== null)?.driverVersion ??
      null;
    if (version === null) return waiting();
    if (minDriver === "") return passed(`${version}; the guardrails ask for none`);
    const words = `${version}, at least ${minDriver} is asked for`;
    return isOlderVersion(version, minDriver) ? failed(words) : passed(words);
  },
  cuda: ({ gpus }, { facts }) => {
    if (gpus === 0) return skipped("it has no GPU");
    const { cudaProbe: probe, cudaBusy: busy } = facts;
    // A job that runs is the better proof, and no probe stands in its way.
    if (busy && (!probe || busy.at > probe.at) && !(probe && "found" in probe && !probe.found.isUsable))
      return passed("in use by a job, so the probe was put off");
    if (!probe) return waiting();
    if ("missing" in probe) return skipped(probe.missing);
    const { isUsable, devices, message } = probe.found;
    if (!isUsable) return failed(message ?? "no context could be made");
    const words = `a context on each of ${formatCount(devices, "GPU")}`;
    return gpus === null || devices >= gpus ? passed(words) : failed(`${words}, ${gpus} ordered`);
  },
  filesystem: ({ fileSystemName }, { facts: { mounts } }) => {
    if (fileSystemName === null) return skipped("none ordered");
    if (!mounts) return waiting();
    if ("missing" in mounts) return skipped(mounts.missing);
    const mount = mounts.found.find(
      ({ path, device }) => path.split("/").includes(fileSystemName) || device.split(/[/:]/).includes(fileSystemName),
    );
    if (!mount) return failed(`${fileSystemName} is not mounted`);
    return mount.problem === null ? passed(`${mount.path}`) : failed(`${mount.path}: ${mount.problem}`);
  },
  clock: (_, { clockSkewMs, facts: { clockOffsetMs } }) => {
    const offset = clockOffsetMs && "found" in clockOffsetMs ? clockOffsetMs.found : null;
    if (clockSkewMs === null && offset === null) return waiting();
    if (clockSkewMs !== null && Math.abs(clockSkewMs) > CLOCK_OFF_MS)
      return failed(`${formatDuration(Math.abs(clockSkewMs))} off, as seen from here`);
    if (offset !== null && Math.abs(offset) > OWN_OFFSET_MS)
      return failed(`${formatDuration(Math.abs(offset))} off, as its time service says`);
    return passed(offset === null ? "as seen from here" : "by its time service");
  },
};

const MODEL = /\b(?:rtx ?pro ?\d{4}|rtx ?a?\d{4}|[a-z]{1,3}\d{1,4}[a-z]?)\b/i;

/** Whether a card that names itself so is what the type promises; bus and form are compared where both say them. */
function isModel(ordered: string, reported: string): boolean {
  const core = (text: string) =>
    MODEL.exec(text)?.[0]
      .toLowerCase()
      .replaceAll(" ", "")
      .replace(/^rtx(?=a)/, "") ?? text.toLowerCase();
  const isPcie = (text: string) => /pcie/i.test(text);
  const isSxm = (text: string) => /sxm|hbm3/i.test(text);
  if (core(ordered) !== core(reported)) return false;
  return !((isPcie(ordered) && isSxm(reported)) || (isSxm(ordered) && isPcie(reported)));
}

/** Reads back what was written, of whatever release; null: nothing that can be read. */
export function readVerification(json: unknown): Verification | null {
  return Verification.safeParse(json).data ?? null;
}
