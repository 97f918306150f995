import { now } from "@/lib/db/clock";
import { markUsed } from "@/lib/db/tokens";
import type { Actor } from "@/lib/domain/access";
import { findToken } from "./tokens";

/** The program behind an API token, and what time it is; null for anything that is not a live API token. */
export async function actorOfToken(bearer: string): Promise<{ actor: Actor; now: Date } | null> {
  const at = await now();
  const token = await findToken(bearer, at);
  if (token?.kind !== "api" || !token.role) return null;
  await markUsed(token.id, at);
  const { id, name, role, scopes } = token;
  return { actor: { kind: "token", id, name, role, scopes }, now: at };
}
