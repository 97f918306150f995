import { setTimeout as sleep } from "node:timers/promises";
import { now } from "@/lib/db/clock";
import { acquireLease, releaseLease } from "@/lib/db/jobs";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { redact } from "@/lib/domain/redact";

export type Job = { name: string; everyMs: number; run: (ctx: Ctx, signal: AbortSignal) => Promise<void> };

/** Run a job on its beat until told to stop. One holder at a time; a failure is recorded and the beat goes on. */
export async function repeat(job: Job, holder: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const started = performance.now();
    await once(job, holder, signal);
    const rest = Math.max(50, job.everyMs - (performance.now() - started));
    await sleep(rest, undefined, { signal }).catch(() => {});
  }
}

/** One run, if nobody else has the job. A job that outlives its lease may overlap another's; its writes are safe twice. */
export async function once(job: Job, holder: string, signal: AbortSignal): Promise<void> {
  try {
    const leaseSeconds = Math.max(60, (job.everyMs * 3) / 1000);
    if (!(await acquireLease(job.name, holder, leaseSeconds))) return;
    const error = await job.run(systemCtx(job.name, await now()), signal).then(
      () => null,
      (reason: unknown) => redact(String(reason instanceof Error ? (reason.stack ?? reason.message) : reason)),
    );
    if (error) complain(job.name, error);
    await releaseLease(job.name, holder, error?.split("\n")[0]?.slice(0, 500) ?? null);
  } catch (error) {
    complain(job.name, redact(String(error)));
  }
}

const lastSaid = new Map<string, { error: string; at: number }>();
const REPEAT_MS = 60_000;

/** The same failure of the same job is said once a minute, not once a second. */
function complain(job: string, error: string): void {
  const last = lastSaid.get(job);
  if (last && last.error === error && performance.now() - last.at < REPEAT_MS) return;
  lastSaid.set(job, { error, at: performance.now() });
  process.stderr.write(`${JSON.stringify({ level: "error", job, error: error.slice(0, 2_000) })}\n`);
}
