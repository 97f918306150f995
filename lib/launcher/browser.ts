import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { StartError } from "./report";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
const MAC_APPS = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const DOWNLOAD_MS = 60_000;
const INSTALL_MS = 300_000;

/** An existing Chromium, else Playwright's download tried for a minute, else Debian's package; else a sentence. */
export async function findBrowser(): Promise<{ file: string; how: string }> {
  const present = existingBrowser(process.env, isExecutable);
  if (present) return { file: present, how: present };
  await run(process.execPath, ["node_modules/playwright/cli.js", "install", "--only-shell", "chromium"], DOWNLOAD_MS);
  const downloaded = playwrightBrowser(process.env, isExecutable);
  if (downloaded && (await starts(downloaded))) return { file: downloaded, how: "downloaded by Playwright" };
  if (process.platform === "linux" && process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0) {
    await run("apt-get", ["update", "-qq"], INSTALL_MS);
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], INSTALL_MS);
    const installed = existingBrowser(process.env, isExecutable);
    if (installed) return { file: installed, how: "installed from Debian's package" };
  }
  throw new StartError(
    "No browser for the journeys: there is no Chromium on this machine, Playwright's download did not come, and Debian's package could not be installed. Install Chromium, or name one with CHROMIUM=/path/to/chromium.",
  );
}

/** The first browser that is there: the one named by CHROMIUM, one on the PATH, one that Playwright downloaded before. */
export function existingBrowser(
  env: Record<string, string | undefined>,
  isThere: (file: string) => boolean,
): string | null {
  if (env.CHROMIUM && isThere(env.CHROMIUM)) return env.CHROMIUM;
  const folders = [...(env.PATH ?? "").split(path.delimiter).filter(Boolean), "/usr/bin", "/snap/bin"];
  const onPath = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...onPath, ...MAC_APPS].find(isThere) ?? playwrightBrowser(env, isThere);
}

function playwrightBrowser(env: Record<string, string | undefined>, isThere: (file: string) => boolean): string | null {
  const folder = env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(env.HOME ?? homedir(), ".cache", "ms-playwright");
  if (!existsSync(folder)) return null;
  const files = readdirSync(folder)
    .filter((name) => name.startsWith("chromium"))
    .sort()
    .reverse()
    .flatMap((name) =>
      [
        "chrome-linux/chrome",
        "chrome-linux/headless_shell",
        "chrome-headless-shell-linux64/chrome-headless-shell",
        "chrome-linux64/chrome",
      ].map((file) => path.join(folder, name, file)),
    );
  return files.find(isThere) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A downloaded browser may lack system libraries. */
async function starts(file: string): Promise<boolean> {
  return (await run(file, ["--headless", "--no-sandbox", "--dump-dom", "about:blank"], 20_000)) === 0;
}

function run(command: string, args: string[], limitMs: number): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: "ignore",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      timeout: limitMs,
      killSignal: "SIGKILL",
    });
    child.once("error", () => resolve(null));
    child.once("close", (code) => resolve(code));
  });
}
