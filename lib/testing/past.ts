import { instanceTypes } from "@/lib/simulator/catalogue";
import { emptyState } from "@/lib/simulator/cloud";
import { edgesOf, planTermination } from "@/lib/simulator/lifecycle";
import { createMachine } from "@/lib/simulator/machine";
import { between, hex, mix, unit } from "@/lib/simulator/random";
import type { AuditEntry, CloudState, FileSystem, Machine } from "@/lib/simulator/types";
import { priceAt } from "@/lib/simulator/views";

/* A cloud's time, thought up whole from a seed, and when somebody was looking at it. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How often the fleet is looked at, and the price list. */
export const POLL_MS = 15_000;
const TYPES_MS = MINUTE;

/** Listings without a machine until it is believed to be gone, also where most are gone at once. */
const GONE_AFTER = 4;

const TYPES = ["gpu_1x_gh200", "gpu_1x_a10", "gpu_8x_h100_sxm5"];

export type Away = { from: number; to: number; isWorkerDown: boolean };

export type Past = {
  state: CloudState;
  from: number;
  to: number;
  away: Away[];
  /** Instants of polls that can show anything new, in order. */
  polls: number[];
  typePolls: number[];
  /** Looks at file systems, all of them. */
  filePolls: number[];
};

/** How often file systems are looked at here: seldom enough for a year of it. */
export const FILES_MS = 6 * HOUR;

/**
 * Machines come and go by hand and by program, prices change, nobody looks for hours at a time, and half of them leave no record. In every
 * time in which nobody looks for half an hour a machine comes and goes. File systems grow, and one of them lasts a third of the time.
 */
export function pastOf(seed: number, from: number, days: number, machines: number): Past {
  const to = from + days * DAY;
  const state = emptyState(seed, from);
  for (const [i, name] of TYPES.entries()) {
    const cents = instanceTypes.get(name)?.cents2026 ?? 100;
    const changes = Math.max(2, Math.floor(days / 20));
    const steps = Array.from({ length: changes }, (_, k) => ({
      from: from + Math.floor((days * DAY * (k + unit(seed, 100 * i + k))) / changes),
      value: Math.max(1, cents + between(seed, 100 * i + 50 + k, -Math.floor(cents / 2), cents)),
    }));
    state.prices[name] = [{ from: 0, value: cents }, ...steps];
  }
  const away = Array.from({ length: Math.ceil(days / 4) }, (_, k): Away => {
    const start = from + Math.floor((days * DAY * (k + 0.8 * unit(seed, 5_000 + k))) / Math.ceil(days / 4));
    const lasting = (k % 4 === 0 ? 30 * HOUR : 3 * HOUR) * unit(seed, 6_000 + k) + 5 * MINUTE;
    return { from: start, to: start + Math.floor(lasting), isWorkerDown: k % 2 === 0 };
  });
  for (let i = 0; i < machines; i++) state.machines.push(machineOf(state, i, from, to));
  const unwatched = away.filter((one) => one.to - one.from > 30 * MINUTE && one.to < to);
  for (const [i, one] of unwatched.entries()) {
    const lasting = Math.floor((one.to - one.from - 10 * MINUTE) * (0.4 + 0.5 * unit(seed, 7_000 + i)));
    state.machines.push(machineOf(state, machines + i, from, to, { launchedAt: one.from + MINUTE, lasting }));
  }
  state.fileSystems.push(...Array.from({ length: 4 }, (_, i) => fileSystemOf(seed, i, from, days)));
  state.machines.sort((a, b) => a.launchedAt - b.launchedAt);
  for (const [i, machine] of state.machines.entries()) if (i % 2 === 0) state.audit.push(...recordsOf(machine));
  state.audit.sort((a, b) => a.at - b.at);
  const edges = state.machines.flatMap(edgesOf);
  const ends = state.machines.flatMap(({ terminatedAt }) => terminatedAt ?? []);
  const prices = Object.values(state.prices).flatMap((steps) => steps.map((step) => step.from));
  return {
    state,
    from,
    to,
    away,
    polls: inOrder([
      ...pollsAround(POLL_MS, [from, ...edges], from, to, away, 1),
      ...pollsAround(POLL_MS, ends, from, to, away, GONE_AFTER),
    ]),
    filePolls: Array.from({ length: Math.floor((days * DAY) / FILES_MS) }, (_, i) => from + i * FILES_MS).filter(
      (at) => !away.some((one) => one.from <= at && at < one.to),
    ),
    typePolls: inOrder(pollsAround(TYPES_MS, [from, ...prices.filter((at) => at > 0)], from, to, away, 1)),
  };
}

function fileSystemOf(seed: number, index: number, from: number, days: number): FileSystem {
  const createdAt = from + Math.floor(DAY * (index + unit(seed, 8_000 + index)));
  return {
    id: hex(mix(seed, 9_000 + index), "filesystem"),
    name: `files-${index}`,
    regionName: "us-east-3",
    createdAt,
    createdBy: { id: "0", email: "somebody@example.com" },
    deletedAt: index === 1 ? createdAt + Math.floor((days * DAY) / 3) : null,
    bytesAtStart: between(seed, 8_100 + index, 0, 4_000) * 2 ** 30,
    bytesPerDay: between(seed, 8_200 + index, 0, 200) * 2 ** 30 + index,
  };
}

type Spell = { launchedAt: number; lasting: number };

function machineOf(state: CloudState, index: number, from: number, to: number, spell?: Spell): Machine {
  const seed = mix(state.seed, 1_000 + index);
  const launchedAt = spell?.launchedAt ?? from + Math.floor((to - from) * unit(seed, 1));
  const typeName = TYPES[between(seed, 2, 0, TYPES.length - 1)] ?? "gpu_1x_gh200";
  const machine = createMachine({
    id: hex(seed, "machine"),
    typeName,
    regionName: "us-east-3",
    name: `machine-${index}`,
    hostname: null,
    sshKeyNames: ["team-key"],
    mounts: [],
    tags: [],
    imageId: "",
    userData: null,
    launchedAt,
    listedAt: launchedAt + between(seed, 3, 0, 20_000),
    launchCents: priceAt(state, typeName, launchedAt),
    bootMs: "lambda",
    isUnhealthy: index % 17 === 16,
    isInStep: false,
  });
  const spells = [8 * MINUTE, 3 * HOUR, 4 * DAY, 20 * DAY];
  const lasting = spell?.lasting ?? (spells[between(seed, 4, 0, spells.length - 1)] ?? HOUR) * (0.3 + unit(seed, 5));
  const endsAt = Math.floor(launchedAt + lasting);
  if (endsAt < to) {
    machine.terminateRequestedAt = endsAt;
    machine.terminatedAt = planTermination(seed, endsAt, "lambda");
  }
  const sickAt = launchedAt + Math.floor(lasting * unit(seed, 6));
  if (index % 5 === 0 && machine.activeAt !== null && sickAt > machine.activeAt)
    machine.healths.push({ from: sickAt, value: "unhealthy" }, { from: sickAt + 20 * MINUTE, value: "healthy" });
  return machine;
}

function recordsOf(machine: Machine): AuditEntry[] {
  const record = (at: number, action: string): AuditEntry => ({
    id: `${action}-${machine.id}`,
    at,
    resource: "instance",
    action,
    actor: { lrn: "lrn:cloud:identity:somebody", apiKeyLrn: null },
    resourceIds: [machine.id],
    details: { instance_type: machine.typeName, region: machine.regionName },
  });
  const ended = machine.terminateRequestedAt;
  return [record(machine.launchedAt, "launched"), ...(ended === null ? [] : [record(ended, "terminated")])];
}

/** The polls of the grid around each edge; those at which somebody was away are made up for when he is back. */
function pollsAround(
  everyMs: number,
  edges: readonly number[],
  from: number,
  to: number,
  away: readonly Away[],
  after: number,
): number[] {
  const polls = new Set<number>();
  const isAway = (at: number) => away.some((one) => one.from <= at && at < one.to);
  const grid = (at: number) => from + Math.ceil((at - from) / everyMs) * everyMs;
  for (const edge of edges) {
    let before = grid(edge) - everyMs;
    while (before >= from && isAway(before)) before -= everyMs;
    polls.add(before);
    let at = grid(edge);
    for (let seen = 0; seen < after && at <= to; at += everyMs) {
      if (isAway(at)) continue;
      polls.add(at);
      seen++;
    }
  }
  return [...polls].filter((at) => at >= from && at <= to);
}

const inOrder = (instants: readonly number[]) => [...new Set(instants)].sort((a, b) => a - b);
