import type { Ctx } from "@/lib/domain/access";
import { NewToken } from "@/lib/domain/tokens";
import { createToken } from "@/lib/services/credentials";

/** What a house lets in beside its people. Nobody has these tokens: their secrets were shown to no one. */
const TOKENS = [
  { kind: "api", name: "prometheus", role: "viewer", scopes: ["fleet:read"], days: 90 },
  { kind: "api", name: "ci launcher", role: "operator", scopes: ["fleet:read", "intent:launch"], days: 30 },
  { kind: "wallboard", name: "Screen in the lab", days: 365 },
];

export async function letProgramsIn(ctx: Ctx): Promise<void> {
  for (const token of TOKENS) await createToken(ctx, NewToken.parse(token));
}
