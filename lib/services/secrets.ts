import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from "node:crypto";
import type { Client } from "@/lib/db/client";
import { insertSecret, readSealed } from "@/lib/db/secrets";
import { required } from "@/lib/env";

const key = () => Buffer.from(required("secretsKey"), "hex");
const keyId = () => createHash("sha256").update(key()).digest("hex").slice(0, 16);

/** AES-256-GCM with a fresh nonce; the row's id and purpose are bound in, so that rows cannot be swapped. */
export async function storeSecret(tx: Client, purpose: string, plain: string, at: Date): Promise<string> {
  const id = randomUUID();
  const nonce = new Uint8Array(randomBytes(12));
  const cipher = createCipheriv("aes-256-gcm", key(), nonce).setAAD(aad(id, purpose));
  const ciphertext = new Uint8Array(Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]));
  await insertSecret(tx, { id, purpose, ciphertext, nonce, keyId: keyId(), last4: plain.slice(-4) }, at);
  return id;
}

/** Null: made with another key, or tampered with; it has to be entered again. */
export async function openSecret(id: string): Promise<string | null> {
  const sealed = await readSealed(id);
  if (!sealed || sealed.keyId !== keyId()) return null;
  try {
    const body = Buffer.from(sealed.ciphertext);
    const decipher = createDecipheriv("aes-256-gcm", key(), sealed.nonce).setAAD(aad(id, sealed.purpose));
    decipher.setAuthTag(body.subarray(-16));
    return Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function aad(id: string, purpose: string): Buffer {
  return Buffer.from(`${id}:${purpose}`);
}
