import { generateKeyPairSync } from "node:crypto";

/** A new Ed25519 pair: the public half in OpenSSH's one-line form (RFC 4253, RFC 8709), the private half as PEM. */
export function generateSshKeyPair(comment: string): { publicKey: string; privateKey: string } {
  const pair = generateKeyPairSync("ed25519");
  const point = Buffer.from(pair.publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const blob = Buffer.concat([sized(Buffer.from("ssh-ed25519")), sized(point)]).toString("base64");
  return {
    publicKey: `ssh-ed25519 ${blob} ${comment}`,
    privateKey: pair.privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
  };
}

function sized(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
