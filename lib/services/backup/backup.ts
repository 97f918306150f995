import { existsSync } from "node:fs";
import { listChannels } from "@/lib/db/alerts/channels";
import { clearFresh, isEmpty, listApplied, makeRoom, readBackup, readBackupFacts, writeBackup } from "@/lib/db/backup";
import { recordAudit } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { openSecret } from "@/lib/services/secrets";

const DAY_MS = 24 * 3_600_000;

/** Writes everything that exists nowhere else: ledger, intents, audit, rules, people; raw samples by option. */
export async function backUp(ctx: Ctx, file: string, withSamples: boolean): Promise<{ rows: number; tables: number }> {
  if (existsSync(file))
    throw new AppError("conflict", `${file} exists already; nothing was overwritten. Choose another name.`);
  return writeBackup(file, ctx.now, withSamples).catch((error: unknown) => {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (!syscall) throw error;
    const why = code === "ENOSPC" ? "the disk is full" : code === "ENOENT" ? "there is no such folder" : String(code);
    throw new AppError(
      "unavailable",
      `${file} could not be written: ${why}. No part of it was left; choose another place.`,
    );
  });
}

/** Loads a backup into an empty database; anything else is refused before a row is written. */
export async function restore(
  ctx: Ctx,
  file: string,
): Promise<{ rows: number; tables: number; channelsToEnterAgain: string[] }> {
  const facts = await readBackupFacts(file).catch(() => {
    throw new AppError("invalid", `${file} is not a Hopperdeck backup. Nothing was changed.`);
  });
  const applied = new Set(await listApplied());
  const unknown = facts.migrations.filter((name) => !applied.has(name));
  if (unknown.length > 0)
    throw new AppError(
      "conflict",
      `The backup was made by a newer Hopperdeck (${unknown.join(", ")}). Update first; nothing was changed.`,
    );
  if (facts.mode !== env.mode)
    throw new AppError(
      "conflict",
      `The backup is of a ${facts.mode} fleet, and this is a ${env.mode} one. They never share a database; nothing was changed.`,
    );
  if (!(await isEmpty()))
    throw new AppError(
      "conflict",
      "The database is not empty. Restore into a new one (another DATA_DIR or DATABASE_URL); nothing was changed.",
    );
  await clearFresh();
  const madeAt = new Date(facts.madeAt).getTime();
  await makeRoom(new Date(madeAt - 400 * DAY_MS), new Date(madeAt + 10 * DAY_MS));
  const counts = await readBackup(file);
  const channelsToEnterAgain: string[] = [];
  for (const channel of await listChannels())
    if ((await openSecret(channel.secretId)) === null) channelsToEnterAgain.push(channel.name);
  await recordAudit(ctx, {
    action: "database.restored",
    subjectKind: "database",
    subjectId: "database",
    subject: "Database",
    after: { madeAt: facts.madeAt, rows: counts.rows },
  });
  return { ...counts, channelsToEnterAgain };
}
