import { askDatabase } from "@/lib/db/health";
import { listJobs } from "@/lib/db/jobs";
import { tableSizes } from "@/lib/db/telemetry/partitions";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { HouseAnswer } from "@/lib/domain/settings";
import { env } from "@/lib/env";
import { backupFolder, listBackups } from "./backup/nightly";
import { version } from "./version";

/** What runs here: release, database, telemetry on disk, backups, the worker's jobs. */
export async function readHouse(ctx: Ctx): Promise<HouseAnswer> {
  authorize(ctx, "fleet:read");
  const [database, telemetry, jobs] = await Promise.all([askDatabase(), tableSizes(), listJobs()]);
  return {
    now: ctx.now.getTime(),
    version: version(),
    mode: env.mode,
    database: { version: database.version, migrations: database.migrations, bytes: database.sizeBytes },
    telemetry: telemetry.map((one) => ({ ...one, from: one.from?.getTime() ?? null })),
    backups: { folder: backupFolder(), keepDays: env.backupKeepDays, kept: listBackups() },
    jobs: jobs.map(({ name, startedAt, lastError, errorSince }) => ({
      name,
      startedAt: startedAt?.getTime() ?? null,
      error: lastError,
      errorSince: errorSince?.getTime() ?? null,
    })),
  };
}
