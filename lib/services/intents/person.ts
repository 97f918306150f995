import { makerOfToken } from "@/lib/db/tokens";
import type { Ctx } from "@/lib/domain/access";

/** The person who answers for an act: the one who is signed in, or who made the token; null: no person. */
export async function personBehind({ actor }: Pick<Ctx, "actor">): Promise<string | null> {
  if (actor.kind === "user") return actor.id;
  return actor.kind === "token" ? makerOfToken(actor.id) : null;
}
