import type { Client } from "@/lib/db/client";

/** A type that no list has named yet: known by its name alone. */
export async function ensureType(tx: Client, provider: string, name: string, at: Date): Promise<void> {
  const unknown = { description: "", gpus: 0, vcpus: 0, memoryGib: 0, storageGib: 0 };
  await tx.instanceType.createMany({
    data: [{ provider, name, ...unknown, firstSeenAt: at, lastSeenAt: at }],
    skipDuplicates: true,
  });
}
