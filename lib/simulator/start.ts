import { serveAdmin } from "./admin";
import { serveApi } from "./api";
import { type Clock, manualClock, realClock } from "./clock";
import { Cloud, emptyState } from "./cloud";
import { Faults } from "./faults";
import { Guests } from "./guests";
import { demoScenario } from "./scenario";
import { loadState, StateKeeper } from "./state-file";
import { type Behaviour, type CloudState, lambdaBehaviour } from "./types";
import { WorkPusher } from "./work-pusher";

export type SimulatorOptions = {
  /** 0 takes any free port. */
  apiPort?: number;
  adminPort?: number;
  apiKeys?: readonly string[];
  scenario?: "demo" | "empty";
  /** How much of the past the demo has. */
  days?: number;
  seed?: number;
  clock?: "real" | "manual";
  /** Where a manual clock starts; for the demo, where its past ends. */
  now?: number;
  behaviour?: Partial<Behaviour>;
  /** How long a step of the coming and going of GH200 capacity takes; null keeps it steady. */
  capacityStepMs?: number | null;
  stateFile?: string | null;
  /** The real agent's script; null simulates every agent. */
  agentScript?: string | null;
  /** Where the script's commands are found. */
  searchPath?: string;
  onError?: (error: unknown) => void;
};

export type Simulator = { apiUrl: string; adminUrl: string; cloud: Cloud; faults: Faults; close(): Promise<void> };

export const DEFAULT_KEY = "secret_simulator_0123456789abcdef";
const TICK_MS = 1_000;
const SAVE_MS = 30_000;

/** Starts the fake cloud on this machine's loopback address: `apiUrl` ends in /api/v1. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const onError = options.onError ?? (() => {});
  const { stateFile = null } = options;
  const start = options.now ?? Date.now();
  const saved = stateFile === null ? null : await loadState(stateFile);
  const state = saved ?? freshState(options, start);
  const clock = clockOf(options, saved, start);
  const cloud = new Cloud(state, clock, { ...lambdaBehaviour, ...options.behaviour });
  const faults = new Faults(options.seed);

  const keeper = stateFile === null ? null : new StateKeeper(stateFile, state, onError);
  if (keeper) {
    await keeper.now();
    cloud.onChange(() => keeper.soon());
  }

  const admin = { url: "" };
  const { agentScript = null, searchPath = "/usr/local/bin:/usr/bin:/bin" } = options;
  const shell = agentScript === null ? null : { script: agentScript, searchPath, adminUrl: () => admin.url };
  const guests = new Guests(cloud, shell, options.scenario === "demo" ? new WorkPusher() : null);
  const adminServer = await serveAdmin({ cloud, faults, guests }, options.adminPort ?? 0);
  admin.url = `http://127.0.0.1:${adminServer.port}`;
  const api = await serveApi(cloud, faults, options.apiKeys ?? [DEFAULT_KEY], options.apiPort ?? 0);

  const timers = [setInterval(() => keeper?.soon(), SAVE_MS)];
  if (clock.mode === "real") timers.push(setInterval(() => guests.tick().catch(onError), TICK_MS));

  return {
    apiUrl: `http://127.0.0.1:${api.port}/api/v1`,
    adminUrl: admin.url,
    cloud,
    faults,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await guests.close();
      await Promise.all([api.close(), adminServer.close()]);
      await keeper?.close();
    },
  };
}

function freshState(options: SimulatorOptions, start: number): CloudState {
  const { seed = 1, days = 45, scenario = "empty", capacityStepMs = null } = options;
  const state = scenario === "demo" ? demoScenario(seed, start, days) : emptyState(seed, start);
  return { ...state, capacityStepMs };
}

/** A manual clock that is resumed stands where it stood, as far as its machines tell. */
function clockOf(options: SimulatorOptions, saved: CloudState | null, start: number): Clock {
  if (options.clock !== "manual") return realClock();
  const known = (saved?.machines ?? []).map(({ agent, launchedAt }) => Math.max(agent.sampledTo, launchedAt));
  return manualClock(Math.max(options.now ?? saved?.startedAt ?? start, ...known));
}
