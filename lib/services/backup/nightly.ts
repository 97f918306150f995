import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type { Ctx } from "@/lib/domain/access";
import { dayOf } from "@/lib/domain/cost/zone";
import { env } from "@/lib/env";
import { backUp } from "./backup";

const DAY_MS = 24 * 3_600_000;
const NAME = /^hopperdeck-(\d{4}-\d{2}-\d{2})\.backup\.gz$/;

export type KeptBackup = { name: string; madeAt: number; bytes: number };

export function backupFolder(): string {
  return path.join(env.dataDir, "backups");
}

/** One backup a day, kept for BACKUP_KEEP_DAYS; 0 switches it off. */
export async function keepBackups(ctx: Ctx): Promise<void> {
  if (env.backupKeepDays === 0 || env.testClock) return;
  const folder = backupFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `hopperdeck-${dayOf(ctx.now.getTime(), "UTC")}.backup.gz`);
  if (!existsSync(file)) await backUp(ctx, file, false);
  const oldest = dayOf(ctx.now.getTime() - env.backupKeepDays * DAY_MS, "UTC");
  for (const { name } of listBackups()) if ((NAME.exec(name)?.[1] ?? oldest) < oldest) rmSync(path.join(folder, name));
}

/** The nightly backups on disk, newest first. */
export function listBackups(): KeptBackup[] {
  const folder = backupFolder();
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .map((name) => ({ name, stat: statSync(path.join(folder, name)) }))
    .map(({ name, stat }) => ({ name, madeAt: stat.mtimeMs, bytes: stat.size }))
    .sort((a, b) => b.madeAt - a.madeAt);
}
