import { type ChildProcess, spawn } from "node:child_process";

/** What `npm start` runs is built into one file each; the simulated cloud is not. */
const BUILT: Readonly<Record<string, string>> = {
  "lib/web/server.ts": ".next/processes/web.mjs",
  "lib/worker/main.ts": ".next/processes/worker.mjs",
};

/** One of the product's processes, as the launcher starts it; it ends with this one. What it complains of is shown, unless it has reason to. */
export function startProcess(
  name: string,
  script: string,
  variables: Record<string, string>,
  isShown = true,
): ChildProcess {
  const built = BUILT[script];
  const what = built === undefined ? ["--import", "tsx", script] : [built];
  const child = spawn(process.execPath, ["--import", "./lib/launcher/leash.mjs", ...what], {
    env: { ...process.env, ...variables, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    if (isShown) process.stderr.write(`${name} │ ${chunk}`);
  });
  return child;
}

/** The first line of JSON that a process prints: where it listens. */
export async function firstLine<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk;
      const line = text.split("\n").find((one) => one.startsWith("{"));
      if (line && text.includes("\n")) resolve(JSON.parse(line) as T);
    });
    child.once("exit", (code) => reject(new Error(`a process ended with ${code} before it was ready`)));
  });
}

/** Resolves when the web app says that it listens. */
export async function listening(web: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    web.on("message", (message) => message === "listening" && resolve());
    web.once("exit", (code) => reject(new Error(`the web app ended with ${code} while starting`)));
  });
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exit;
}
