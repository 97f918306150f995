import { groupBy } from "@/lib/domain/group";
import type { OwnerWords } from "./allocation";
import { sum } from "./money";

export type OwnerShare = { words: OwnerWords; own: bigint; shared: bigint };
export type KeyShare = { key: string; own: bigint; shared: bigint; all: bigint };

/** Owners put together by one of their words, the most expensive first. */
export function sharesBy(owners: readonly OwnerShare[], by: keyof OwnerWords): KeyShare[] {
  return [...groupBy(owners, ({ words }) => words[by])]
    .map(([key, group]) => {
      const own = sum(group.map((one) => one.own));
      const shared = sum(group.map((one) => one.shared));
      return { key, own, shared, all: own + shared };
    })
    .sort((a, b) => (a.all === b.all ? (a.key < b.key ? -1 : 1) : a.all > b.all ? -1 : 1));
}
