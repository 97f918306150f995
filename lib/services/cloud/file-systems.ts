import { type KnownFileSystem, listFileSystemsInUse } from "@/lib/db/cloud";
import { recordAudit } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { NewFileSystem, RemoveFileSystem } from "@/lib/domain/cloud/view";
import { AppError } from "@/lib/errors";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordFilesystems } from "@/lib/services/fleet/poll";
import { change, look } from "./call";

/** Makes a file system in a region. One of that name in that region is there already and is no error. */
export async function createFileSystem(ctx: Ctx, { name, region }: NewFileSystem): Promise<{ id: string }> {
  authorize(ctx, "cloud:write");
  const find = (all: { id: string; name: string; region: string }[]) =>
    all.find((one) => one.name === name && one.region === region) ?? null;
  const known = find(await look((lambda) => lambda.listFilesystems()));
  if (known) return { id: known.id };
  const made = await change(ctx, {
    ...subject(name, name),
    what: `make the file system ${name}`,
    run: (lambda) => lambda.createFilesystem(name, region),
    look: async (lambda) => find(await lambda.listFilesystems()),
  });
  await recordAudit(ctx, { ...subject(made.id, name), action: "filesystem.created", after: { name, region } });
  await readAgain(ctx);
  return { id: made.id };
}

/** Deletes a file system with all that is in it. Refused while a machine holds it, and unless its name is typed. */
export async function deleteFileSystem(ctx: Ctx, { fileSystemId, typed }: RemoveFileSystem): Promise<{ id: string }> {
  authorize(ctx, "cloud:write");
  const found = (await listFileSystemsInUse()).find(({ id }) => id === fileSystemId);
  if (!found) throw new AppError("not-found", "There is no such file system, or it was deleted meanwhile.");
  const { name, externalId } = found;
  if (typed !== name)
    throw new AppError("invalid", `Type ${name} to delete it. Nothing was deleted.`, { typed: `is not ${name}` });
  await refuseInUse(found);
  await change(ctx, {
    ...subject(externalId, name),
    what: `delete the file system ${name}`,
    run: async (lambda) => {
      const now = (await lambda.listFilesystems()).find(({ id }) => id === externalId);
      if (!now) return true;
      if (now.isAttached) throw inUse(name, found.usedBy);
      if (now.name !== name) throw new AppError("conflict", "It has another name meanwhile. Nothing was deleted.");
      await lambda.deleteFilesystem(externalId);
      return true;
    },
    look: async (lambda) => ((await lambda.listFilesystems()).some(({ id }) => id === externalId) ? null : true),
  });
  const { region, bytesUsed } = found;
  await recordAudit(ctx, {
    ...subject(externalId, name),
    action: "filesystem.deleted",
    before: { name, region, bytesUsed },
  });
  await readAgain(ctx);
  return { id: fileSystemId };
}

async function refuseInUse({ name, usedBy }: KnownFileSystem): Promise<void> {
  if (usedBy.length > 0) throw inUse(name, usedBy);
}

function inUse(name: string, usedBy: readonly string[]): AppError {
  const who = usedBy.length > 0 ? ` by ${usedBy.slice(0, 3).join(", ")}` : "";
  return new AppError("conflict", `${name} is in use${who}. End what uses it first; nothing was deleted.`);
}

async function readAgain(ctx: Ctx): Promise<void> {
  await recordFilesystems(ctx, await lambdaConnection(ctx.now), await look((lambda) => lambda.listFilesystems()));
}

function subject(subjectId: string, name: string) {
  return { subjectKind: "filesystem", subjectId, subject: name };
}
