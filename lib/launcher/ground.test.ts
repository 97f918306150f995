import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readEnv } from "@/lib/env";
import { checkPort, claimFolder, dataFolder, secretsFor } from "./ground";
import { freePort } from "./postgres";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hopperdeck ground "));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the data folder", () => {
  test("is made when missing", () => {
    const made = dataFolder(path.join(folder, "a", "b"));
    expect(statSync(made).isDirectory()).toBe(true);
  });

  test("whose name is taken by a file is refused in a sentence", () => {
    writeFileSync(path.join(folder, "file"), "");
    expect(() => dataFolder(path.join(folder, "file"))).toThrow(/cannot be used: something else has that name/);
    expect(() => dataFolder(path.join(folder, "file", "below"))).toThrow(/cannot be used: something else/);
  });

  test("belongs to one launcher at a time, and is free again afterwards", async () => {
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "launcher"], { stdio: "ignore" });
    await once(other, "spawn");
    writeFileSync(path.join(folder, "run.lock"), String(other.pid));
    expect(() => claimFolder(folder)).toThrow(`already runs from ${folder} (process ${other.pid})`);
    other.kill("SIGKILL");
    await once(other, "exit");
    const release = claimFolder(folder);
    expect(readFileSync(path.join(folder, "run.lock"), "utf8")).toBe(String(process.pid));
    release();
    expect(existsSync(path.join(folder, "run.lock"))).toBe(false);
  });
});

test("a taken port is named, with another to try", async () => {
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  await expect(checkPort(port, "127.0.0.1")).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
  other.close();
  await once(other, "close");
  await expect(checkPort(port, "127.0.0.1")).resolves.toBeUndefined();
});

describe("keys", () => {
  test("are made once and only their owner can read them", () => {
    const first = secretsFor(readEnv({}), folder);
    expect(first.AUTH_SECRET).toMatch(/^[0-9a-f]{64}$/);
    expect(first.SECRETS_KEY).not.toBe(first.AUTH_SECRET);
    expect(secretsFor(readEnv({}), folder)).toEqual(first);
    expect(statSync(path.join(folder, "secrets", "auth")).mode & 0o777).toBe(0o600);
  });

  test("beside an outside database must be given", () => {
    const outside = { DATABASE_URL: "postgresql://u:p@db.example/x" };
    expect(() => secretsFor(readEnv(outside), folder)).toThrow(/set AUTH_SECRET .* and SECRETS_KEY .* too/);
    const given = { AUTH_SECRET: "a".repeat(32), SECRETS_KEY: "b".repeat(64) };
    expect(secretsFor(readEnv({ ...outside, ...given }), folder)).toEqual(given);
    expect(existsSync(path.join(folder, "secrets"))).toBe(false);
  });
});
