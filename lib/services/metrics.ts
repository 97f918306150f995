import { askDatabase } from "@/lib/db/health";
import { listJobs } from "@/lib/db/jobs";
import { readCounts } from "@/lib/db/metrics";
import { listLatest } from "@/lib/db/telemetry/read";
import { authorize, type Ctx } from "@/lib/domain/access";
import { exposition } from "@/lib/domain/metrics/exposition";
import { metricFamilies } from "@/lib/domain/metrics/families";
import { env } from "@/lib/env";
import { readFleet } from "./fleet/read";
import { readHealth } from "./health";
import { version } from "./version";

/** The fleet's newest values and the product's own health, as Prometheus scrapes them. */
export async function readMetrics(ctx: Ctx): Promise<string> {
  authorize(ctx, "fleet:read");
  const [fleet, latest, health, database, jobs, counts] = await Promise.all([
    readFleet(ctx),
    listLatest(null),
    readHealth(),
    askDatabase(),
    listJobs(),
    readCounts(),
  ]);
  const present = fleet.rows.filter((row) => !row.isGone);
  return exposition(
    metricFamilies({
      now: ctx.now.getTime(),
      instances: present.map((row) => ({ ...row, isReporting: row.telemetry.state === "reporting" })),
      gpus: latest.flatMap((gpu) =>
        gpu.resourceId === null
          ? []
          : [
              {
                ...gpu,
                instanceId: gpu.resourceId,
                at: gpu.at?.getTime() ?? null,
                values: { ...gpu.values, throttleReasons: gpu.throttleReasons, eccUncorrected: gpu.eccUncorrected },
              },
            ],
      ),
      house: {
        version: version(),
        mode: env.mode,
        databaseBytes: database.sizeBytes,
        checks: health.checks,
        isStale: fleet.freshness.staleSince !== null,
        isFrozen: fleet.freshness.isFrozen,
        jobs: jobs.map(({ name, startedAt, lastError }) => ({
          name,
          startedAt: startedAt?.getTime() ?? null,
          isFailing: lastError !== null,
        })),
        ...counts,
      },
    }),
  );
}
