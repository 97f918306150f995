import { type Client, prisma } from "./client";

export type Sealed = {
  id: string;
  purpose: string;
  ciphertext: Uint8Array<ArrayBuffer>;
  nonce: Uint8Array<ArrayBuffer>;
  keyId: string;
  last4: string;
};

export async function insertSecret(tx: Client, sealed: Sealed, at: Date): Promise<void> {
  await tx.secret.create({ data: { ...sealed, updatedAt: at } });
}

export async function readSealed(id: string): Promise<Sealed | null> {
  return prisma.secret.findUnique({
    where: { id },
    select: { id: true, purpose: true, ciphertext: true, nonce: true, keyId: true, last4: true },
  });
}
