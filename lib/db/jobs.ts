import { prisma } from "./client";

/** Take the job's lease unless another live process holds it. Leases alone stay on Postgres's real clock. */
export async function acquireLease(name: string, holder: string, seconds: number): Promise<boolean> {
  const taken = await prisma.$executeRaw`
    INSERT INTO worker_job AS job (name, holder, lease_until, started_at)
    VALUES (${name}, ${holder}::uuid, clock_timestamp() + make_interval(secs => ${seconds}), hopperdeck_now())
    ON CONFLICT (name) DO UPDATE
      SET holder = excluded.holder, lease_until = excluded.lease_until, started_at = excluded.started_at
      WHERE job.lease_until IS NULL OR job.lease_until < clock_timestamp() OR job.holder = excluded.holder`;
  return taken === 1;
}

export async function releaseLease(name: string, holder: string, error: string | null): Promise<void> {
  await prisma.$executeRaw`
    UPDATE worker_job SET lease_until = NULL, finished_at = hopperdeck_now(), last_error = ${error},
      error_since = CASE WHEN ${error}::text IS NULL THEN NULL ELSE coalesce(error_since, hopperdeck_now()) END
    WHERE name = ${name} AND holder = ${holder}::uuid`;
}

export type JobState = {
  name: string;
  startedAt: Date | null;
  finishedAt: Date | null;
  lastError: string | null;
  errorSince: Date | null;
};

/** What each job last did: the heartbeat that health and Settings read. */
export function listJobs(): Promise<JobState[]> {
  return prisma.workerJob.findMany({
    select: { name: true, startedAt: true, finishedAt: true, lastError: true, errorSince: true },
    orderBy: { name: "asc" },
  });
}
