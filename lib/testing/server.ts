import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort, initialise, postgresPlace, serverUrl, startServer, stopServer } from "@/lib/launcher/postgres";

export type TestServer = { url: string; folder: string | null; stop: () => Promise<void> };

/** The server in TEST_DATABASE_SERVER, else an embedded one in a folder of its own that forgets everything. */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_SERVER;
  if (given) return { url: given, folder: null, stop: async () => {} };
  const folder = mkdtempSync(path.join(tmpdir(), "hopperdeck-test-"));
  // As root, the server runs as somebody else, who must be able to enter.
  chmodSync(folder, 0o755);
  const place = postgresPlace(folder);
  await initialise(place);
  const port = await freePort();
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" };
  const child = await startServer(place, port, settings, () => {});
  const stop = async () => {
    await stopServer(child);
    // It may lie outside the folder.
    rmSync(path.dirname(place.cluster), { recursive: true, force: true });
  };
  return { url: serverUrl(place, port, "postgres"), folder, stop };
}
