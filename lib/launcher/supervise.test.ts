import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Charge, Supervisor } from "./supervise";

const IDLE = "setInterval(() => {}, 1000)";
const children: ChildProcess[] = [];
const ends: string[] = [];

function node(name: string, code: string): ChildProcess {
  const child = spawn(process.execPath, ["-e", code], { stdio: "ignore" });
  child.once("exit", () => ends.push(name));
  children.push(child);
  return child;
}

const charge = (name: string, code = IDLE): Charge => ({
  name,
  start: async () => {
    const child = node(name, code);
    await once(child, "spawn");
    return child;
  },
});

const isRunning = (child: ChildProcess | undefined) =>
  child !== undefined && child.exitCode === null && child.signalCode === null;

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  ends.length = 0;
});

describe("the supervisor", () => {
  test("starts a killed process again, and stops the last started first", async () => {
    const supervisor = new Supervisor(1);
    await supervisor.add(charge("first"));
    await supervisor.add(charge("second"));
    children[0]?.kill("SIGKILL");
    await vi.waitFor(() => expect(children).toHaveLength(3));
    await vi.waitFor(() => expect(isRunning(children[2])).toBe(true));
    ends.length = 0;
    await supervisor.stop();
    expect(ends).toEqual(["second", "first"]);
    expect(children.filter(isRunning)).toEqual([]);
  });

  test("gives up at the fifth death within a minute, and says whose it was", async () => {
    const supervisor = new Supervisor(1);
    await supervisor.add(charge("worker", "process.exit(3)"));
    await expect(supervisor.failed).rejects.toThrow("worker ended with 3, for the 5th time within a minute");
    expect(children).toHaveLength(5);
  });

  test("a process that is just starting when all is to end is ended, too", async () => {
    const supervisor = new Supervisor(1);
    let isUp: () => void = () => {};
    const up = new Promise<void>((resolve) => {
      isUp = resolve;
    });
    const adding = supervisor.add({
      name: "slow",
      start: async () => {
        const child = node("slow", IDLE);
        await up;
        return child;
      },
    });
    await vi.waitFor(() => expect(children).toHaveLength(1));
    const stopping = supervisor.stop();
    isUp();
    await Promise.all([adding, stopping]);
    expect(isRunning(children[0])).toBe(false);
  });

  test("nothing starts once all is to end", async () => {
    const supervisor = new Supervisor(1);
    await supervisor.stop();
    await expect(supervisor.add(charge("late"))).rejects.toThrow();
    expect(children).toEqual([]);
  });
});

test("a process on the leash ends when the one that holds it is killed", async () => {
  const leash = "./lib/launcher/leash.mjs";
  const holder = spawn(
    process.execPath,
    [
      "-e",
      `const stdio = ["ignore", "inherit", "ignore", "ipc"];
       const child = require("node:child_process").spawn(process.execPath, ["--import", "${leash}", "-e", "${IDLE}"], { stdio });
       child.once("spawn", () => console.log("up"));`,
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  children.push(holder);
  await once(holder.stdout, "data");
  holder.kill("SIGKILL");
  // Both write to this pipe: it closes when neither is left.
  await once(holder.stdout, "close");
});
