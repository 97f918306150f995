import { SETTINGS, type SettingKey, type Settings } from "@/lib/domain/settings";
import { prisma } from "./client";
import type { Tx } from "./mutate";

const KEPT_MS = 5_000;
const kept = new Map<SettingKey, { value: unknown; until: number }>();

/** A setting as it stands; its default while nobody set it. Remembered for a few seconds, since every request asks. */
export async function readSetting<K extends SettingKey>(key: K): Promise<Settings[K]> {
  const memory = kept.get(key);
  if (memory && memory.until > performance.now()) return memory.value as Settings[K];
  const row = await prisma.setting.findUnique({ where: { id: key } });
  const parsed = SETTINGS[key].safeParse(row?.value);
  const value = (parsed.success ? parsed.data : SETTINGS[key].parse(undefined)) as Settings[K];
  kept.set(key, { value, until: performance.now() + KEPT_MS });
  return value;
}

export async function writeSetting<K extends SettingKey>(tx: Tx, key: K, value: Settings[K], now: Date): Promise<void> {
  await tx.setting.upsert({
    where: { id: key },
    create: { id: key, value, updatedAt: now },
    update: { value, updatedAt: now },
  });
  kept.delete(key);
}
