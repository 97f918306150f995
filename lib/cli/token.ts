import { Role } from "@/lib/domain/people";
import { NewToken } from "@/lib/domain/tokens";
import { createToken, readTokens, revokeToken } from "@/lib/services/credentials";
import { withDatabase } from "./connect";
import { readArguments, UsageError, understand } from "./usage";

function apiToken(name: string, role: string, scopes: string): NewToken {
  const made = NewToken.safeParse({ kind: "api", name, role: understand(Role, role), scopes });
  if (made.success) return made.data;
  throw new UsageError(`${made.error.issues[0]?.message ?? "not understood"}.`);
}

export async function token(given: string[]): Promise<number> {
  const { words, options } = readArguments(given);
  const [act, what] = words;
  return withDatabase(async (ctx) => {
    if (act === "list") {
      for (const one of (await readTokens(ctx)).tokens) {
        console.log(
          `${one.id}  ${one.kind.padEnd(9)} ${one.name.padEnd(30)} ${one.lastUsedAt ? `used ${new Date(one.lastUsedAt).toISOString()}` : "never used"}`,
        );
      }
      return 0;
    }
    if (act === "create" && (what === "ingest" || what === "api")) {
      const name = options.name ?? what;
      const { secret } = await createToken(
        ctx,
        what === "api"
          ? apiToken(name, options.role ?? "viewer", options.scopes ?? "")
          : { kind: "ingest", name, role: null, scopes: [], days: null },
      );
      console.log(`${secret}\nShown once; only its hash is kept.`);
      return 0;
    }
    if (act === "revoke" && what) {
      await revokeToken(ctx, { tokenId: what });
      return 0;
    }
    throw new UsageError(`token ${act ?? ""}: not understood.`);
  });
}
