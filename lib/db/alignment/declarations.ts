import { type Client, prisma } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import type { Tx } from "@/lib/db/mutate";
import type { Declaration } from "@/lib/domain/alignment/declaration";
import type { StoredDeclaration } from "@/lib/domain/alignment/view";

const BY = { createdBy: { select: { name: true } } } as const;
type Row = Prisma.DeclarationGetPayload<{ include: typeof BY }>;

function stored({ version, yaml, parsed, note, createdBy, createdAt }: Row): StoredDeclaration {
  return {
    version,
    yaml,
    // Only what the schema let through is ever written.
    parsed: parsed as unknown as Declaration,
    note,
    by: createdBy?.name ?? "Hopperdeck",
    at: createdAt.getTime(),
  };
}

/** The declaration that holds: the newest. Null: none was ever made. */
export async function currentDeclaration(client: Client = prisma): Promise<StoredDeclaration | null> {
  const row = await client.declaration.findFirst({ orderBy: { version: "desc" }, include: BY });
  return row && stored(row);
}

export async function findDeclaration(version: number): Promise<StoredDeclaration | null> {
  const row = await prisma.declaration.findUnique({ where: { version }, include: BY });
  return row && stored(row);
}

/** The newest first. */
export async function listDeclarations(most: number): Promise<StoredDeclaration[]> {
  const rows = await prisma.declaration.findMany({ orderBy: { version: "desc" }, include: BY, take: most });
  return rows.map(stored);
}

/** Writes the version after `base`. False: somebody else wrote one meanwhile. */
export async function insertDeclaration(
  tx: Tx,
  declaration: { base: number; yaml: string; parsed: Declaration; note: string; createdById: string | null },
  at: Date,
): Promise<boolean> {
  const { base, parsed, ...rest } = declaration;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('declaration'))`;
  const newest = await tx.declaration.findFirst({ orderBy: { version: "desc" }, select: { version: true } });
  if ((newest?.version ?? 0) !== base) return false;
  await tx.declaration.create({
    data: { ...rest, version: base + 1, parsed: parsed as unknown as Prisma.InputJsonValue, createdAt: at },
  });
  return true;
}
