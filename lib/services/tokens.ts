import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import * as db from "@/lib/db/tokens";
import { required } from "@/lib/env";

const MARK = "hd";

export type Minted = { secret: string; prefix: string; secretHash: Uint8Array<ArrayBuffer> };

/** A new 256-bit credential. The whole is shown once; the prefix finds it again, the hash proves it. */
export function mintToken(): Minted {
  return shape(randomBytes(6), randomBytes(32));
}

/** The credential of a machine that an intent will launch: the same every time, so that only its hash is ever stored. */
export function enrolmentToken(intentId: string): Minted {
  const key = Buffer.from(required("secretsKey"), "hex");
  const part = (purpose: string) => createHmac("sha256", key).update(`${purpose}:${intentId}`).digest();
  return shape(part("enrolment-prefix").subarray(0, 6), part("enrolment-secret"));
}

/** The token a bearer string belongs to, if it is genuine, not revoked, not expired. */
export async function findToken(bearer: string, now: Date): Promise<db.Token | null> {
  const [mark, prefix, secret] = bearer.split("_");
  if (mark !== MARK || !prefix || !secret || bearer.length > 200) return null;
  const token = await db.findTokenByPrefix(prefix);
  const given = sha256(bearer);
  // The same work whether or not the prefix is known.
  const isGenuine = timingSafeEqual(given, token?.secretHash ?? new Uint8Array(32));
  if (!token || !isGenuine || token.revokedAt) return null;
  if (token.expiresAt && token.expiresAt <= now) return null;
  if (token.usesLeft !== null && token.usesLeft <= 0) return null;
  return token;
}

export function sha256(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(text).digest());
}

function shape(prefixBytes: Buffer, secretBytes: Buffer): Minted {
  const prefix = prefixBytes.toString("hex");
  const secret = `${MARK}_${prefix}_${secretBytes.toString("base64url").replace(/[_-]/g, "x")}`;
  return { secret, prefix, secretHash: sha256(secret) };
}
