import { listKeys } from "@/lib/db/cloud";
import { applyCatalog } from "@/lib/db/fleet/catalog";
import { recordAudit } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { NewSshKey, SshKeyId } from "@/lib/domain/cloud/view";
import { AppError } from "@/lib/errors";
import type { LambdaClient } from "@/lib/integrations/lambda/client";
import type { SshKey } from "@/lib/integrations/lambda/contract";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { change, look } from "./call";

/** Puts a public key into the account. The same key under the same name is there already and is no error. */
export async function addSshKey(ctx: Ctx, { name, publicKey }: NewSshKey): Promise<{ id: string }> {
  authorize(ctx, "cloud:write");
  const known = (await look((lambda) => lambda.listSshKeys())).find((key) => key.name === name);
  if (known && !sameKey(known.publicKey, publicKey))
    throw new AppError("conflict", `There is another key called ${name}. Choose another name; nothing was changed.`, {
      name: "is taken",
    });
  if (known) return { id: known.id };
  const added = await change(ctx, {
    ...subject(name, name),
    what: `add the key ${name}`,
    run: (lambda) => lambda.addSshKey(name, publicKey),
    look: async (lambda) =>
      (await lambda.listSshKeys()).find((key) => key.name === name && sameKey(key.publicKey, publicKey)) ?? null,
  });
  await recordAudit(ctx, { ...subject(added.id, name), action: "ssh-key.added", after: { name } });
  await readAgain(ctx);
  return { id: added.id };
}

/** Takes a key out of the account. Machines that run keep it; it opens no new ones. */
export async function removeSshKey(ctx: Ctx, { keyId }: SshKeyId): Promise<{ id: string }> {
  authorize(ctx, "cloud:write");
  const key = (await listKeys()).find(({ id }) => id === keyId);
  if (!key) throw new AppError("not-found", "There is no such key, or it was removed meanwhile.");
  await change(ctx, {
    ...subject(keyId, key.name),
    what: `remove the key ${key.name}`,
    run: async (lambda) => {
      if (await isListed(lambda, keyId)) await lambda.deleteSshKey(keyId);
      return true;
    },
    look: async (lambda) => ((await isListed(lambda, keyId)) ? null : true),
  });
  await recordAudit(ctx, { ...subject(keyId, key.name), action: "ssh-key.removed", before: { name: key.name } });
  await readAgain(ctx);
  return { id: keyId };
}

async function isListed(lambda: LambdaClient, keyId: string): Promise<boolean> {
  return (await lambda.listSshKeys()).some(({ id }) => id === keyId);
}

/** Type and body; the comment behind them is nobody's identity. */
function sameKey(a: string | null, b: string): boolean {
  const [type, body] = b.split(" ");
  return (a ?? "").startsWith(`${type} ${body}`);
}

async function readAgain(ctx: Ctx): Promise<void> {
  const connection = await lambdaConnection(ctx.now);
  const keys = await look((lambda) => lambda.listSshKeys());
  await applyCatalog(connection.id, keys.map(row), ["ssh_key"], ctx.now);
}

const row = ({ id, name }: SshKey) => ({ kind: "ssh_key" as const, externalId: id, name, region: null, attrs: {} });

function subject(subjectId: string, name: string) {
  return { subjectKind: "ssh-key", subjectId, subject: name };
}
