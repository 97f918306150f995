import { AsyncLocalStorage } from "node:async_hooks";
import { type Actor, authorize, type Ctx, type Permission } from "@/lib/domain/access";
import { changes, withoutSecrets } from "@/lib/domain/audit";
import { redact } from "@/lib/domain/redact";
import { type Client, prisma, untilLetThrough } from "./client";
import type { Prisma } from "./generated/client";

declare const audited: unique symbol;

/** A transaction that was authorised and will be audited. Only `mutate` makes one; every write of a person demands one. */
export type Tx = Client & { readonly [audited]: true };

export type Entry = {
  action: `${string}.${string}`;
  subjectKind: string;
  subjectId: string;
  /** The subject's name as people know it now. */
  subject: string;
  before?: object | null;
  after?: object | null;
  reason?: string | null;
};

export type Change<T> = Entry & { result: T };

const joined = new AsyncLocalStorage<Tx>();

/** The one door through which a person changes anything: authorise, transact, audit. */
export async function mutate<T>(ctx: Ctx, permission: Permission, body: (tx: Tx) => Promise<Change<T>>): Promise<T> {
  authorize(ctx, permission);
  const act = async (tx: Tx) => {
    const { result, ...entry } = await body(tx);
    await writeAudit(tx, ctx, entry);
    return result;
  };
  const within = joined.getStore();
  return within ? act(within) : untilLetThrough(() => prisma.$transaction((tx) => act(tx as Tx)));
}

/** Makes of every `mutate` in `body` one transaction: all of it counts, or nothing. They must follow one another. */
export async function together<T>(body: () => Promise<T>): Promise<T> {
  return prisma.$transaction((tx) => joined.run(tx as Tx, body), { timeout: 60_000 });
}

/** What happened without a fact beside it that it would have to share a transaction with. */
export async function recordAudit(ctx: Ctx, entry: Entry): Promise<void> {
  await writeAudit(prisma, ctx, entry);
}

/** For the worker: what the system did, beside the facts that it wrote in the same transaction. Insert it last. */
export async function writeAudit(tx: Client, ctx: Ctx, entry: Entry): Promise<void> {
  await tx.auditEvent.create({
    data: {
      at: ctx.now,
      actorKind: ctx.actor.kind,
      actorId: actorId(ctx.actor),
      actor: ctx.actor.name,
      action: entry.action,
      subjectKind: entry.subjectKind,
      subjectId: entry.subjectId,
      subject: redact(entry.subject),
      changes: withoutSecrets(changes(entry.before ?? null, entry.after ?? null)) as Prisma.InputJsonObject,
      reason: entry.reason ? redact(entry.reason) : null,
      ip: ctx.ip ?? null,
    },
  });
}

/** Whether something was said of a subject before. */
export async function wasAudited(tx: Client, action: string, subjectId: string): Promise<boolean> {
  return (await tx.auditEvent.count({ where: { action, subjectId } })) > 0;
}

function actorId(actor: Actor): string | null {
  return actor.kind === "system" ? null : actor.id;
}
