import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { pool } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { listJobs } from "@/lib/db/jobs";
import { type Job, once, repeat } from "./loop";

const START = Date.UTC(2026, 10, 21, 12);
const NEVER = new AbortController().signal;
const said: string[] = [];

beforeAll(() => {
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
});
beforeEach(async () => {
  await pool().query("truncate worker_job");
  await setTestClock(new Date(START));
});
afterEach(() => {
  said.length = 0;
});
afterAll(() => {
  vi.restoreAllMocks();
});

/** A job that ends when it is told to. */
function held(name = "held") {
  const runs: { end(): void; fail(error: Error): void }[] = [];
  const job: Job = {
    name,
    everyMs: 1_000,
    run: () =>
      new Promise((resolve, reject) => {
        runs.push({ end: () => resolve(), fail: reject });
      }),
  };
  return { job, runs };
}

const lease = async () => {
  const { rows } = await pool().query<{ holder: string; isLive: boolean }>(
    `select holder, coalesce(lease_until > clock_timestamp(), false) as "isLive" from worker_job`,
  );
  return rows[0];
};

describe("two workers, one run", () => {
  test("while one has the job, the other leaves it alone; then it may have it", async () => {
    const { job, runs } = held();
    const [first, second] = [randomUUID(), randomUUID()];
    const running = once(job, first, NEVER);
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    await once(job, second, NEVER);
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await running;
    const next = once(job, second, NEVER);
    await vi.waitFor(() => expect(runs).toHaveLength(2));
    expect(await lease()).toEqual({ holder: second, isLive: true });
    runs[1]?.end();
    await next;
  });

  test("three workers that all beat quickly never run it at the same time, and it goes on", async () => {
    let now = 0;
    let most = 0;
    let ran = 0;
    const job: Job = {
      name: "busy",
      everyMs: 20,
      run: async () => {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setTimeout(resolve, 30));
        now -= 1;
        ran += 1;
      },
    };
    const stop = new AbortController();
    const workers = [1, 2, 3].map(() => repeat(job, randomUUID(), stop.signal));
    await vi.waitFor(() => expect(ran).toBeGreaterThanOrEqual(8), 10_000);
    stop.abort();
    await Promise.all(workers);
    expect(most).toBe(1);
  });

  test("a worker that died keeps the job only until its lease ends", async () => {
    const { job, runs } = held();
    void once(job, randomUUID(), NEVER);
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    // However far the product's own clock is moved, a lease is real time.
    await setTestClock(new Date(START + 7 * 24 * 3_600_000));
    await once(job, randomUUID(), NEVER);
    expect(runs).toHaveLength(1);
    await pool().query("update worker_job set lease_until = clock_timestamp() - interval '1 ms'");
    void once(job, randomUUID(), NEVER);
    await vi.waitFor(() => expect(runs).toHaveLength(2));
    for (const run of runs) run.end();
  });

  test("who outlives a lease does not take the next one's away", async () => {
    const { job, runs } = held();
    const [late, next] = [randomUUID(), randomUUID()];
    const first = once(job, late, NEVER);
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    await pool().query("update worker_job set lease_until = clock_timestamp() - interval '1 ms'");
    const second = once(job, next, NEVER);
    await vi.waitFor(() => expect(runs).toHaveLength(2));
    runs[0]?.fail(new Error("too late to matter"));
    await first;
    expect(await lease()).toEqual({ holder: next, isLive: true });
    expect(await listJobs()).toMatchObject([{ lastError: null }]);
    runs[1]?.end();
    await second;
    expect(await lease()).toEqual({ holder: next, isLive: false });
  });
});

describe("a job that fails", () => {
  test("is written down with since when, beats again, and is forgiven when it succeeds", async () => {
    let outcome: string | null = "Lambda cannot be reached";
    const job: Job = {
      name: "shaky",
      everyMs: 1_000,
      run: async () => {
        if (outcome) throw new Error(outcome);
      },
    };
    const holder = randomUUID();
    const beat = async (ms: number) => {
      await setTestClock(new Date(START + ms));
      await once(job, holder, NEVER);
      return (await listJobs())[0];
    };
    const since = new Date(START);
    expect(await beat(0)).toMatchObject({ lastError: "Error: Lambda cannot be reached", errorSince: since });
    outcome = "and now something else";
    expect(await beat(60_000)).toMatchObject({
      lastError: "Error: and now something else",
      errorSince: since,
      finishedAt: new Date(START + 60_000),
    });
    expect(said.join("")).toContain("Lambda cannot be reached");
    outcome = null;
    expect(await beat(120_000)).toMatchObject({ lastError: null, errorSince: null });
  });

  test("does not stop the beat, and the same failure is said once", async () => {
    let ran = 0;
    const job: Job = {
      name: "always failing",
      everyMs: 1,
      run: async () => {
        ran += 1;
        throw new Error("again");
      },
    };
    const stop = new AbortController();
    const worker = repeat(job, randomUUID(), stop.signal);
    await vi.waitFor(() => expect(ran).toBeGreaterThanOrEqual(4), 10_000);
    stop.abort();
    await worker;
    expect(said.filter((line) => line.includes("always failing"))).toHaveLength(1);
  });

  test("does not carry a credential into the log or the database", async () => {
    const secret = "hd_0123456789ab_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6";
    const job: Job = {
      name: "leaky",
      everyMs: 1_000,
      run: async () => {
        throw new Error(`refused: authorization: Bearer ${secret}`);
      },
    };
    await once(job, randomUUID(), NEVER);
    expect(said.join("")).toContain("refused");
    expect(`${said.join("")} ${(await listJobs())[0]?.lastError}`).not.toContain(secret);
  });

  test("a worker whose database fails says so and goes on", async () => {
    const { job, runs } = held("unreachable");
    await pool().query("alter table worker_job rename to worker_job_away");
    await once(job, randomUUID(), NEVER);
    await pool().query("alter table worker_job_away rename to worker_job");
    expect(runs).toHaveLength(0);
    expect(said.join("")).toContain("unreachable");
    const running = once(job, randomUUID(), NEVER);
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    runs[0]?.end();
    await running;
  });
});
