import { access, constants } from "node:fs/promises";
import path from "node:path";
import { DEFAULT_KEY, startSimulator } from "./start";

/*
 * The fake cloud as a process. Environment: SIM_API_PORT and SIM_ADMIN_PORT (0 or none: any), SIM_API_KEY (several by
 * comma), SIM_SCENARIO demo|empty, SIM_DAYS, SIM_SEED, SIM_CLOCK real|manual, SIM_NOW (epoch ms or ISO), SIM_STATE_FILE,
 * SIM_AGENT_SCRIPT (the real agent; by default the one in this checkout). Prints one line of JSON when it is ready.
 */
const variables = process.env;

function whole(name: string, otherwise: number): number {
  const text = variables[name];
  if (!text) return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${name} must be a whole number.`);
  return value;
}

function choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
  const text = variables[name];
  if (!text) return choices[0];
  const chosen = choices.find((one) => one === text);
  if (!chosen) throw new Error(`${name} must be one of ${choices.join(", ")}.`);
  return chosen;
}

function instant(name: string): number | null {
  const text = variables[name];
  if (!text) return null;
  const at = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(at)) throw new Error(`${name} must be an instant.`);
  return at;
}

/** The script, if this machine can run it: a shell and curl are all it needs. */
async function runnableScript(searchPath: string): Promise<string | null> {
  const script = path.resolve(variables.SIM_AGENT_SCRIPT || "agent/hopperdeck-agent");
  const isThere = (file: string, mode: number) =>
    access(file, mode).then(
      () => true,
      () => false,
    );
  const curls = searchPath.split(":").map((folder) => isThere(path.join(folder, "curl"), constants.X_OK));
  const hasCurl = (await Promise.all(curls)).includes(true);
  return hasCurl && (await isThere(script, constants.R_OK)) ? script : null;
}

async function main(): Promise<void> {
  const clock = choice("SIM_CLOCK", ["real", "manual"]);
  const scenario = choice("SIM_SCENARIO", ["demo", "empty"]);
  const now = instant("SIM_NOW");
  const searchPath = variables.PATH || "/usr/local/bin:/usr/bin:/bin";
  const isLifelike = clock === "real";
  const simulator = await startSimulator({
    apiPort: whole("SIM_API_PORT", 0),
    adminPort: whole("SIM_ADMIN_PORT", 0),
    apiKeys: (variables.SIM_API_KEY || DEFAULT_KEY).split(","),
    scenario,
    days: whole("SIM_DAYS", 45),
    seed: whole("SIM_SEED", 1),
    clock,
    ...(now === null ? {} : { now }),
    behaviour: isLifelike ? { launchLatencyMs: [1_000, 4_000] } : {},
    capacityStepMs: isLifelike && scenario === "demo" ? 240_000 : null,
    stateFile: variables.SIM_STATE_FILE || null,
    agentScript: await runnableScript(searchPath),
    searchPath,
    onError: (error) => process.stderr.write(`simulator: ${error instanceof Error ? error.message : String(error)}\n`),
  });
  process.stdout.write(`${JSON.stringify({ apiUrl: simulator.apiUrl, adminUrl: simulator.adminUrl })}\n`);

  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    simulator.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  process.on("disconnect", end);
}

main().catch((error: unknown) => {
  process.stderr.write(`simulator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
