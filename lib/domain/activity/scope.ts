import type { Actor } from "@/lib/domain/access";

/** Which part of the trail somebody sees: actions by their beginning, own acts, or everything. */
export type Scope = { prefixes: string[] | null; ownId: string | null; hasProvider: boolean; words: string | null };

const MONEY = [
  "allocation-rule.",
  "budget.",
  "price.",
  "charge.",
  "commitment.",
  "period.",
  "accounting.",
  "labels.",
  "ledger.",
  "launch.",
  "terminate.",
  "intent.",
  "instance.",
  "batch.",
];

/** Finance sees what moves money; on-call its own acts and what was done about alerts; operators and admins all of it. */
export function scopeOf(actor: Actor): Scope {
  if (actor.kind === "system") return { prefixes: null, ownId: null, hasProvider: true, words: null };
  if (actor.role === "finance")
    return {
      prefixes: MONEY,
      ownId: actor.id,
      hasProvider: true,
      words: "You see what moves money, and your own acts.",
    };
  if (actor.role === "on_call")
    return {
      prefixes: ["alert."],
      ownId: actor.id,
      hasProvider: false,
      words: "You see acts on alerts, and your own.",
    };
  return { prefixes: null, ownId: null, hasProvider: true, words: null };
}
