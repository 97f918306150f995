import { type ChainMark, checkNext, GENESIS, isStillThere, readChainMark, writeChainMark } from "@/lib/db/audit-chain";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { Chain } from "@/lib/domain/activity/view";
import { AppError } from "@/lib/errors";

const AT_ONCE = 20_000;
const WHOLE_EVERY_MS = 24 * 3_600_000;

type Place = { seq: string; hash: string };
type Found = { entries: number; last: Place; brokenAt: string | null };

/** Whether nobody has changed or removed an entry: those since the last check, and that what was checked ends as it did. */
export async function readChain(ctx: Ctx): Promise<Chain> {
  authorize(ctx, "audit:read");
  const mark = await readChainMark();
  return chainOf(ctx, await checkSince(mark), mark?.wholeAt ?? null);
}

/** Reads all of the trail again, whatever was checked before. */
export async function checkWholeChain(ctx: Ctx): Promise<Chain> {
  authorize(ctx, "audit:read");
  const found = await checkFrom(GENESIS);
  await remember(found, ctx.now, ctx.now);
  return chainOf(ctx, found, ctx.now);
}

/** The worker's: what came since, every time; all of it once a day. A break stays told until all of it is whole again. */
export async function verifyTrail(ctx: Ctx): Promise<void> {
  const mark = await readChainMark();
  const isDue = !mark || ctx.now.getTime() - mark.wholeAt.getTime() >= WHOLE_EVERY_MS;
  const found = isDue ? await checkFrom(GENESIS) : await checkSince(mark);
  await remember(found, ctx.now, isDue ? ctx.now : mark.wholeAt);
  if (found.brokenAt !== null)
    throw new AppError("conflict", `The audit trail is broken at entry ${found.brokenAt}: compare it with a backup.`);
}

async function remember({ last, brokenAt }: Found, checkedAt: Date, wholeAt: Date): Promise<void> {
  if (last.seq !== GENESIS.seq) await writeChainMark({ ...last, checkedAt, wholeAt, brokenAt });
}

async function checkSince(mark: ChainMark | null): Promise<Found> {
  if (!mark) return checkFrom(GENESIS);
  const since = await checkFrom(mark);
  const entries = Number(mark.seq) + since.entries;
  const brokenAt = mark.brokenAt ?? ((await isStillThere(mark)) ? since.brokenAt : mark.seq);
  return { ...since, entries, brokenAt };
}

async function checkFrom(place: Place): Promise<Found> {
  const found: Found = { entries: 0, last: { seq: place.seq, hash: place.hash }, brokenAt: null };
  for (;;) {
    const part = await checkNext(found.last, AT_ONCE);
    if (!part) return found;
    found.entries += part.entries;
    found.brokenAt ??= part.brokenAt;
    found.last = { seq: part.seq, hash: part.hash };
    if (part.entries < AT_ONCE) return found;
  }
}

function chainOf(ctx: Ctx, { entries, last, brokenAt }: Found, wholeAt: Date | null): Chain {
  return {
    checkedAt: ctx.now.getTime(),
    wholeAt: wholeAt?.getTime() ?? null,
    entries: String(entries),
    isIntact: brokenAt === null,
    brokenAt,
    head: last.hash || null,
  };
}
