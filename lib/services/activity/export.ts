import { readTrail } from "@/lib/db/activity";
import { authorize, type Ctx } from "@/lib/domain/access";
import { scopeOf } from "@/lib/domain/activity/scope";
import { trailFoot, trailHead, trailLine } from "@/lib/domain/activity/trail";
import { AppError } from "@/lib/errors";

/** The whole audit trail with its hashes, for `hopperdeck audit verify`; for those who see all of it. */
export async function exportTrail(ctx: Ctx): Promise<{ name: string; lines: AsyncGenerator<string> }> {
  authorize(ctx, "audit:read");
  authorize(ctx, "export");
  if (scopeOf(ctx.actor).words)
    throw new AppError(
      "forbidden",
      "Your role sees a part of the trail, and a part cannot be verified. An operator or admin can export it.",
    );
  return { name: `hopperdeck-audit-${ctx.now.toISOString().slice(0, 10)}.jsonl`, lines: linesOf(ctx.now.getTime()) };
}

async function* linesOf(now: number): AsyncGenerator<string> {
  let entries = 0;
  let head: string | null = null;
  yield trailHead(now);
  for await (const rows of readTrail()) {
    entries += rows.length;
    head = rows.at(-1)?.hash ?? head;
    yield rows.map(trailLine).join("");
  }
  yield trailFoot(entries, head);
}
