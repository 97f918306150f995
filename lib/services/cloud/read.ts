import { listFileSystemsInUse, listKeys } from "@/lib/db/cloud";
import { listCatalog } from "@/lib/db/fleet/catalog";
import { findConnection } from "@/lib/db/fleet/connection";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { CloudAnswer } from "@/lib/domain/cloud/view";

/** SSH keys and file systems of the account as last read, with what uses and what costs. */
export async function readCloud(ctx: Ctx): Promise<CloudAnswer> {
  authorize(ctx, "fleet:read");
  const [connection, keys, fileSystems, regions] = await Promise.all([
    findConnection(),
    listKeys(),
    listFileSystemsInUse(),
    listCatalog(["region"]),
  ]);
  return {
    now: ctx.now.getTime(),
    sshKeys: keys.map(({ since, ...key }) => ({ ...key, since: since.getTime() })),
    fileSystems: fileSystems.map(({ externalId: _, bytesUsed, ...rest }) => ({
      ...rest,
      bytesUsed: bytesUsed === null ? null : Number(bytesUsed),
    })),
    regions: regions.map(({ name, attrs }) => ({ name, description: String(Object(attrs).description ?? "") })),
    readAt: {
      sshKeys: connection?.catalogReadAt?.getTime() ?? null,
      fileSystems: connection?.filesystemsReadAt?.getTime() ?? null,
    },
  };
}
