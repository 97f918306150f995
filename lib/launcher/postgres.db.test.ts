import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { postgresPlace } from "./postgres";

const START = `
  import { freePort, initialise, postgresPlace, startServer } from "./lib/launcher/postgres.ts";
  const place = postgresPlace(process.argv[1]);
  await initialise(place);
  await startServer(place, await freePort(), { fsync: "off" }, () => {});
  console.log("up");
`;

test("an embedded server ends with the process that started it, even when that is killed", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "hopperdeck guard "));
  chmodSync(folder, 0o755);
  const cluster = postgresPlace(folder).cluster;
  const holder = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", START, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(holder.stdout, "data");
    const lock = path.join(cluster, "postmaster.pid");
    expect(existsSync(lock)).toBe(true);
    holder.kill("SIGKILL");
    // The server takes its lock away as the last act of an orderly shutdown.
    await vi.waitFor(() => expect(existsSync(lock)).toBe(false), 20_000);
  } finally {
    holder.kill("SIGKILL");
    rmSync(path.dirname(cluster), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
});
