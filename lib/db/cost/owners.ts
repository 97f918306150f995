import { type Client, prisma } from "@/lib/db/client";
import {
  type AllocationRule,
  type Bearer,
  bearerOfCharge,
  bearersOf,
  inOrder,
  type LooseCharge,
  type OwnerWords,
  type Payable,
  Selector,
  type SplitMethod,
} from "@/lib/domain/cost/allocation";
import type { OwnerInterval } from "@/lib/domain/cost/rows";
import { ownerId } from "./observations";

export type StoredRule = AllocationRule & {
  name: string;
  method: SplitMethod;
  potId: number | null;
  version: number;
  shares: { words: OwnerWords; ppm: number }[];
};

/** The rules that count, in the order in which they are asked. */
export type AllocationBook = { rules: StoredRule[] };

export async function readAllocation(client: Client = prisma): Promise<AllocationBook> {
  const rows = await client.allocationRule.findMany({
    where: { deletedAt: null },
    include: { shares: { include: { owner: true }, orderBy: { ownerId: "asc" } } },
  });
  const rules = rows.flatMap((row): StoredRule[] => {
    const selector = Selector.safeParse(row.selector);
    const shares = row.shares.map(({ owner, ppm }) => ({ words: wordsOf(owner), ppm }));
    const [whole] = shares;
    const bearer = row.potId === null ? whole && { words: whole.words } : { potId: row.potId };
    if (!selector.success || !bearer) return [];
    const { id, name, priority, method, potId, version } = row;
    const span = { from: row.validFrom.getTime(), to: row.validTo?.getTime() ?? null };
    return [{ id, name, priority, method, potId, version, shares, selector: selector.data, bearer, ...span }];
  });
  return { rules: inOrder(rules) };
}

export function wordsOf({ team, project, environment, costCenter }: OwnerWords): OwnerWords {
  return { team, project, environment, costCenter };
}

async function idOf(bearer: Bearer): Promise<number> {
  return "potId" in bearer ? bearer.potId : ownerId(bearer.words);
}

/** Who pays for a thing, from the start of time to its end, without a gap. */
export async function ownersOf({ rules }: AllocationBook, thing: Payable): Promise<OwnerInterval[]> {
  const intervals = bearersOf(thing, rules);
  return Promise.all(intervals.map(async ({ from, to, bearer }) => ({ from, to, ownerId: await idOf(bearer) })));
}

/** Who bears a charge that no machine makes, where nobody was named for it; 0: nobody. */
export async function ownerOfCharge(
  { rules }: AllocationBook,
  charge: { kind: LooseCharge; at: number },
): Promise<number> {
  const bearer = bearerOfCharge(charge.kind, charge.at, rules);
  return bearer ? idOf(bearer) : 0;
}

/** The pot of a name; made where there is none. */
export async function potId(name: string): Promise<number> {
  return ownerId({ team: name, project: "", environment: "", costCenter: "", isShared: true });
}

/** What was there at or after an instant is worked out anew, also what was final; null: all of it. */
export async function reopenSince(tx: Client, from: Date | null, resourceIds?: readonly string[]): Promise<void> {
  await tx.resource.updateMany({
    where: {
      meteredFinal: true,
      ...(resourceIds && { id: { in: [...resourceIds] } }),
      ...(from && { OR: [{ goneAt: null }, { goneAt: { gte: from } }] }),
    },
    data: { meteredFinal: false },
  });
}
