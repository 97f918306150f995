import { SETTINGS, type SettingKey, type Settings } from "@/lib/domain/settings";
import { type Client, prisma } from "./client";
import { untilDisconnected } from "./memory";
import type { Tx } from "./mutate";

const KEPT_MS = 5_000;
const kept = new Map<SettingKey, { value: unknown; until: number }>();
untilDisconnected(() => kept.clear());

/** A setting as it stands; its default while nobody set it. Remembered for a few seconds, since every request asks. */
export async function readSetting<K extends SettingKey>(key: K): Promise<Settings[K]> {
  const memory = kept.get(key);
  if (memory && memory.until > performance.now()) return memory.value as Settings[K];
  const value = await readSettingNow(key);
  kept.set(key, { value, until: performance.now() + KEPT_MS });
  return value;
}

/** The same past the memory: for those who show or change it. */
export async function readSettingNow<K extends SettingKey>(key: K, client: Client = prisma): Promise<Settings[K]> {
  const row = await client.setting.findUnique({ where: { id: key } });
  const parsed = SETTINGS[key].safeParse(row?.value);
  return (parsed.success ? parsed.data : SETTINGS[key].parse(undefined)) as Settings[K];
}

export async function writeSetting<K extends SettingKey>(tx: Tx, key: K, value: Settings[K], now: Date): Promise<void> {
  await tx.setting.upsert({
    where: { id: key },
    create: { id: key, value, updatedAt: now },
    update: { value, updatedAt: now },
  });
}

/** After a change was committed: the next question reads it anew. Other processes follow within seconds. */
export function forgetSetting(key: SettingKey): void {
  kept.delete(key);
}
