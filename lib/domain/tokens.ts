import { z } from "zod";
import { ROLES } from "./access";
import { cleanName } from "./text";

export const NewToken = z
  .object({
    kind: z.enum(["ingest", "api"]),
    name: z
      .string()
      .transform((name) => cleanName(name, 80))
      .refine((name) => name !== "", "Give the token a name"),
    role: z.preprocess((value) => (value === "" || value === undefined ? null : value), z.enum(ROLES).nullable()),
    /** Days until it ends; empty: when it is revoked. */
    days: z.preprocess(
      (value) => (value === "" || value === undefined ? null : value),
      z.coerce.number().int().min(1).max(3650).nullable(),
    ),
  })
  .transform((token) => ({ ...token, role: token.kind === "ingest" ? null : token.role }))
  .refine((token) => token.kind === "ingest" || token.role !== null, {
    path: ["role"],
    error: "Choose what it may do",
  });
export type NewToken = z.output<typeof NewToken>;

export const TokenId = z.object({ tokenId: z.uuid() });

export type TokenRow = {
  id: string;
  kind: "api" | "ingest";
  name: string;
  /** Its beginning, by which somebody who holds it knows it again. */
  hint: string;
  role: (typeof ROLES)[number] | null;
  by: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
};

export type TokensAnswer = { now: number; tokens: TokenRow[] };
