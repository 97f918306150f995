import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { StartError } from "./report";

const GENERATED = "lib/db/generated";
const GENERATED_MARK = path.join(GENERATED, ".made-from");
const BUILD_ID = ".next/BUILD_ID";
const BUILD_MARK = ".next/made-from";
/** What `npm start` runs, each in one file: compiled while it runs, it would carry the compiler along. */
const PROCESSES = { web: "lib/web/server.ts", worker: "lib/worker/main.ts" };
const PROCESSES_FOLDER = ".next/processes";
const LEASH = "./lib/launcher/leash.mjs";
/** What the built app is made from. */
const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "prisma/schema.prisma",
  "package-lock.json",
  "next.config.ts",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
];

/** Writes the Prisma client when the schema has changed since it was last written. */
export async function generateClient(signal?: AbortSignal): Promise<boolean> {
  const fingerprint = fingerprintOf(["prisma/schema.prisma", "package-lock.json"]);
  if (markIs(GENERATED_MARK, fingerprint)) return false;
  // Generating needs no schema engine; without this, the command would try to download one.
  await runNode(
    "node_modules/prisma/build/index.js",
    ["generate"],
    { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
    "The Prisma client could not be generated",
    signal,
  );
  writeFileSync(GENERATED_MARK, fingerprint);
  return true;
}

/** Builds the web app when a source has changed since it was last built. */
export async function buildApp(signal?: AbortSignal): Promise<boolean> {
  const fingerprint = fingerprintOf(SOURCES);
  if (existsSync(BUILD_ID) && markIs(BUILD_MARK, fingerprint)) return false;
  for (const file of [BUILD_MARK, BUILD_ID]) rmSync(file, { force: true });
  await runNode(
    "node_modules/next/dist/bin/next",
    ["build"],
    { NEXT_TELEMETRY_DISABLED: "1" },
    "The app could not be built",
    signal,
  );
  if (!existsSync(BUILD_ID)) throw new StartError("The app could not be built: the build ended without a result.");
  await build({
    entryPoints: PROCESSES,
    outdir: PROCESSES_FOLDER,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  writeFileSync(BUILD_MARK, fingerprint);
  return true;
}

/** Where the built script of a process lies. */
export function processScript(name: keyof typeof PROCESSES): string {
  return path.posix.join(PROCESSES_FOLDER, `${name}.mjs`);
}

function markIs(file: string, fingerprint: string): boolean {
  return existsSync(file) && readFileSync(file, "utf8") === fingerprint;
}

function fingerprintOf(places: string[]): string {
  const hash = createHash("sha256").update(process.versions.node.split(".")[0] ?? "");
  for (const place of places) for (const file of filesBelow(place)) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

function filesBelow(place: string): string[] {
  if (!existsSync(place) || place === GENERATED || place.endsWith(".test.ts")) return [];
  let entries: string[];
  try {
    entries = readdirSync(place);
  } catch {
    return [place];
  }
  return entries.sort().flatMap((name) => filesBelow(path.posix.join(place, name)));
}

async function runNode(
  script: string,
  args: string[],
  env: Record<string, string>,
  failed: string,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const child = spawn(process.execPath, ["--import", LEASH, script, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    ...(signal && { signal }),
  });
  // Its end, by the signal too, is told by "close".
  child.once("error", () => {});
  let output = "";
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-20_000);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  signal?.throwIfAborted();
  if (code === 0) return;
  const forbidden = /(?:EACCES|EPERM): [^']*'([^']+)'/.exec(output)?.[1];
  if (forbidden) {
    throw new StartError(
      `${failed}: ${forbidden} may not be written by this user. It was made by another one, by a start with sudo perhaps; give the folder back with chown -R.`,
    );
  }
  if (/ENOSPC|No space left/.test(output)) throw Object.assign(new Error(output), { code: "ENOSPC" });
  throw new StartError(`${output.trim()}\n\n${failed}; what was said stands above.`);
}
