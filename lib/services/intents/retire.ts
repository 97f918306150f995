import { transact } from "@/lib/db/client";
import { listRetirable, revokeTokensOf } from "@/lib/db/fleet/aftermath";
import { writeAudit } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";

/** An end that somebody asked for is certain soon; a machine that only vanished may come back. */
const CERTAIN_MS = 10 * 60_000;
const VANISHED_MS = 24 * 3_600_000;

/** When the tokens of a machine are revoked; null: it is still there. */
export function retiresAt({ goneAt, goneReason }: { goneAt: Date | null; goneReason: string | null }): Date | null {
  if (goneAt === null) return null;
  return new Date(goneAt.getTime() + (goneReason === "vanished" ? VANISHED_MS : CERTAIN_MS));
}

/** Revokes what machines that are gone could have spoken with. */
export async function retireTokens(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (const machine of await listRetirable()) {
    if (signal?.aborted) return;
    const at = retiresAt(machine);
    if (at === null || at > ctx.now) continue;
    await transact(async (tx) => {
      const revoked = await revokeTokensOf(tx, machine.id, ctx.now);
      if (revoked === 0) return;
      await writeAudit(tx, ctx, {
        action: "instance.token-revoked",
        subjectKind: "instance",
        subjectId: machine.id,
        subject: machine.name,
        reason: "The machine is gone; nothing may speak in its name.",
      });
    });
  }
}
