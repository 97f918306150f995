import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { at, request } from "./testing";

/** Starts the process as its parent does, and waits for its line. */
async function start(variables: Record<string, string>) {
  const child = spawn(process.execPath, ["--import", "tsx", "lib/simulator/main.ts"], {
    env: { PATH: process.env.PATH, NODE_ENV: "test", ...variables },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk));
  const line = new Promise<unknown>((resolve) => {
    child.stdout?.once("data", (chunk: Buffer) => resolve(JSON.parse(chunk.toString())));
  });
  const addresses = await Promise.race([line, ended.then(() => null)]);
  return { child, ended, addresses, errors: () => errors };
}

test("the process says where it is, answers with its key, and goes when its parent goes", async () => {
  const now = "2026-11-21T12:00:00Z";
  const variables = {
    SIM_API_KEY: "secret_own_1",
    SIM_SCENARIO: "demo",
    SIM_DAYS: "2",
    SIM_CLOCK: "manual",
    SIM_NOW: now,
  };
  const { child, ended, addresses } = await start(variables);
  const headers = { authorization: "Bearer secret_own_1" };
  const listed = await request(`${at(addresses, "apiUrl")}/instances`, "GET", undefined, headers);
  const names = at(listed.json, "data");
  expect(Array.isArray(names) ? names.map((one) => at(one, "name")) : []).toContain("gh-train-01");
  expect(at((await request(`${at(addresses, "adminUrl")}/clock`)).json, "now")).toBe(Date.parse(now));
  child.disconnect();
  expect(await ended).toBe(0);
}, 20_000);

test("a wrong variable is named in one sentence", async () => {
  const { ended, addresses, errors } = await start({ SIM_CLOCK: "sundial" });
  expect(addresses).toBeNull();
  expect(await ended).toBe(1);
  expect(errors().trim()).toBe("simulator: SIM_CLOCK must be one of real, manual.");
}, 20_000);
