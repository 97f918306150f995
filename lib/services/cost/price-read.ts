import {
  type CommitmentSums,
  listCharges,
  listCommitments,
  type StoredCharge,
  type StoredCommitment,
  sumCommitments,
} from "@/lib/db/cost/charges";
import { listPriceChanges, listPriceHistory, listSkus, listUnpriced, type StoredPrice } from "@/lib/db/cost/prices";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { OwnerWords } from "@/lib/domain/cost/allocation";
import type { ChargeLine, CommitmentLine, PriceLine, PricesAnswer } from "@/lib/domain/cost/price-view";

const YEAR_MS = 366 * 24 * 3_600_000;
const MOST_PRICES = 2_000;

/** The price book with its history, and what is billed beside the meters. */
export async function readPrices(ctx: Ctx): Promise<PricesAnswer> {
  authorize(ctx, "cost:read");
  const now = ctx.now.getTime();
  const [{ zone, price: mode }, prices, changes, charges, commitments, sums, unpriced, { skus, regions }] =
    await Promise.all([
      readSetting("accounting"),
      listPriceHistory(MOST_PRICES),
      listPriceChanges(new Date(now - YEAR_MS), ctx.now),
      listCharges(false),
      listCommitments(),
      sumCommitments(),
      listUnpriced(),
      listSkus(),
    ]);
  return {
    now,
    zone,
    mode,
    prices: prices.map((price) => priceLine(price, now)),
    changes: changes.map(({ at, beforeMicros, micros, ...change }) => ({
      ...change,
      at: at.getTime(),
      beforeMicros: beforeMicros.toString(),
      micros: micros.toString(),
    })),
    charges: charges.map(chargeLine),
    commitments: commitments
      .filter(({ deletedAt }) => deletedAt === null)
      .map((commitment) => commitmentLine(commitment, sums.get(commitment.id))),
    unpriced,
    skus,
    regions,
  };
}

function priceLine(price: StoredPrice, now: number): PriceLine {
  const { priceId: id, sku, region, unit, tier, source, from, to, note, by } = price;
  const supersededAt = price.supersededAt?.getTime() ?? null;
  return {
    id,
    sku,
    region,
    unit,
    tier,
    source,
    micros: price.micros.toString(),
    from: from ?? 0,
    to,
    recordedAt: price.recordedAt.getTime(),
    supersededAt,
    isInForce: supersededAt === null && (from ?? 0) <= now && (to === null || now < to),
    note,
    by,
  };
}

function chargeLine({ id, kind, fromDay, toDay, micros, description, owner, invoice, by }: StoredCharge): ChargeLine {
  return { id, kind, fromDay, toDay, micros: micros.toString(), description, owner: ownerText(owner), invoice, by };
}

function commitmentLine(commitment: StoredCommitment, sums: CommitmentSums | undefined): CommitmentLine {
  const { id, name, sku, region, count, from, to, note, owner } = commitment;
  const text = (micros: bigint | undefined) => (micros ?? 0n).toString();
  return {
    id,
    name,
    sku,
    region,
    count,
    from,
    to,
    note,
    owner: ownerText(owner),
    upfrontMicros: text(commitment.upfrontMicros),
    weeklyMicros: text(commitment.weeklyMicros),
    rateMicros: text(commitment.rateMicros),
    paidMicros: text(sums?.paidMicros),
    usedMicros: text(sums?.usedMicros),
    unusedMicros: text(sums?.unusedMicros),
    coveredMinutes: sums?.coveredMinutes ?? 0,
  };
}

function ownerText({ team, project, environment, costCenter }: OwnerWords): string {
  return [team, project, environment, costCenter].filter((word) => word !== "").join(" · ");
}
