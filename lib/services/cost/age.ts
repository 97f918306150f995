import { listJobs } from "@/lib/db/jobs";

/** When the meter last ran to its end; where it fails now, since when it has, and why. */
export async function ledgerAge(): Promise<{ at: number | null; error: string | null }> {
  const job = (await listJobs()).find(({ name }) => name === "meter-costs");
  const at = job?.lastError ? job.errorSince : job?.finishedAt;
  return { at: at?.getTime() ?? null, error: job?.lastError ?? null };
}
