import type { Seen } from "@/lib/domain/fleet/observe";

/** What must not have changed between what a person confirmed and what is sent: canonical text, to be hashed. */
export function planHash(seen: Pick<Seen, "externalId" | "name" | "typeName" | "region" | "tags">): string {
  const tags = Object.entries(seen.tags).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([seen.externalId, seen.name, seen.typeName, seen.region, tags]);
}

/** What a person types to confirm: the name; the last six of the id where the name is missing, not unique or not plain ASCII. */
export function confirmationOf(
  target: { externalId: string; name: string | null },
  names: (string | null)[],
): { text: string; isName: boolean } {
  const { name, externalId } = target;
  const isUnique = names.filter((other) => other === name).length <= 1;
  if (name && isUnique && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name)) return { text: name, isName: true };
  return { text: externalId.slice(-6), isName: false };
}
