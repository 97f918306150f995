import type { z } from "zod";
import { mutate } from "@/lib/db/mutate";
import {
  countSaved,
  findSaved,
  insertSaved,
  listSaved,
  removeSaved,
  type StoredItem,
  updateSaved,
} from "@/lib/db/saved";
import { authorize, type Ctx, can, type Permission } from "@/lib/domain/access";
import type { Saved, SavedChange, SavedFields, SavedId, SavedKind } from "@/lib/domain/saved";
import { AppError } from "@/lib/errors";

type Noun<Body> = {
  kind: SavedKind;
  /** As people call one: "launch template". */
  called: string;
  body: z.ZodType<Body>;
  /** Who may keep one. */
  write: Permission;
  /** Belongs to everybody: whoever may keep one may change any. Otherwise only its owner may, and whoever may change settings. */
  isCommon?: boolean;
};

const MOST_KEPT = 500;
const MOST_BYTES = 64 * 1024;

/**
 * The verbs of one noun that people keep by name. A body that no longer fits its schema is left out of lists and refused by
 * `find`; it is never half read.
 */
export function savedNoun<Body>({ kind, called, body: Body, write, isCommon = false }: Noun<Body>) {
  const ownerOf = (ctx: Ctx) => (ctx.actor.kind === "user" ? ctx.actor.id : null);

  function shown(ctx: Ctx, item: StoredItem): Saved<Body> | null {
    const read = Body.safeParse(item.body);
    if (!read.success) return null;
    const { id, name, version, isShared, owner, updatedAt } = item;
    const isOwn = item.ownerId !== null && item.ownerId === ownerOf(ctx);
    return { id, name, body: read.data, version, isShared, owner, isOwn, updatedAt };
  }

  function isSeen(ctx: Ctx, item: StoredItem): boolean {
    return item.isShared || item.ownerId === ownerOf(ctx);
  }

  function mayChange(ctx: Ctx, item: StoredItem): boolean {
    return isCommon || (item.ownerId !== null && item.ownerId === ownerOf(ctx)) || can(ctx.actor, "setting:write");
  }

  function notFound(): AppError {
    return new AppError("not-found", `There is no such ${called}, or it is not shared with you. Nothing was changed.`);
  }

  function refusal(): AppError {
    return new AppError(
      "conflict",
      `This ${called} was changed or removed meanwhile. Nothing was saved; load it again.`,
    );
  }

  function kept({ name, isShared, body }: SavedFields): { name: string; isShared: boolean; body: Body } {
    const read = Body.safeParse(body);
    if (!read.success) {
      const [issue] = read.error.issues;
      throw new AppError("invalid", `This ${called} was not saved: ${issue?.path.join(".")} ${issue?.message}.`);
    }
    if (JSON.stringify(read.data).length > MOST_BYTES)
      throw new AppError("invalid", `This ${called} is larger than 64 KiB and was not saved.`);
    return { name, isShared: isCommon || isShared, body: read.data };
  }

  async function mine(ctx: Ctx, id: string): Promise<StoredItem> {
    const item = await findSaved(kind, id);
    if (!item || !(isCommon || isSeen(ctx, item))) throw notFound();
    if (!mayChange(ctx, item))
      throw new AppError(
        "forbidden",
        `Only ${item.owner ?? "its owner"} or an admin may change this ${called}. Save your own instead.`,
      );
    return item;
  }

  return {
    async list(ctx: Ctx): Promise<Saved<Body>[]> {
      authorize(ctx, "fleet:read");
      return (await listSaved(kind, ownerOf(ctx))).flatMap((item) => shown(ctx, item) ?? []);
    },

    /** Throws `not-found` for what is not there or not shared. */
    async find(ctx: Ctx, { id }: SavedId): Promise<Saved<Body>> {
      authorize(ctx, "fleet:read");
      const item = await findSaved(kind, id);
      const seen = item && isSeen(ctx, item) ? shown(ctx, item) : null;
      if (!seen) throw notFound();
      return seen;
    },

    async create(ctx: Ctx, fields: SavedFields): Promise<{ id: string }> {
      authorize(ctx, write);
      const item = kept(fields);
      if ((await countSaved(kind)) >= MOST_KEPT)
        throw new AppError("invalid", `There are ${MOST_KEPT} already. Remove one first; nothing was saved.`);
      return mutate(ctx, write, async (tx) => {
        const id = await insertSaved(tx, kind, item, ownerOf(ctx), ctx.now);
        return {
          result: { id },
          action: "saved.created",
          subjectKind: kind,
          subjectId: id,
          subject: item.name,
          after: item,
        };
      });
    },

    /** Throws `conflict` for what was changed since `version`. */
    async change(ctx: Ctx, { id, version, ...fields }: SavedChange): Promise<{ id: string }> {
      authorize(ctx, write);
      const item = kept(fields);
      const { name, isShared, body } = await mine(ctx, id);
      return mutate(ctx, write, async (tx) => {
        if (!(await updateSaved(tx, { ...item, id, version }, ctx.now))) throw refusal();
        const before = { name, isShared, body };
        return {
          result: { id },
          action: "saved.changed",
          subjectKind: kind,
          subjectId: id,
          subject: item.name,
          before,
          after: item,
        };
      });
    },

    async remove(ctx: Ctx, { id }: SavedId): Promise<{ id: string }> {
      authorize(ctx, write);
      const { name } = await mine(ctx, id);
      return mutate(ctx, write, async (tx) => {
        if (!(await removeSaved(tx, id, ctx.now))) throw refusal();
        return { result: { id }, action: "saved.removed", subjectKind: kind, subjectId: id, subject: name };
      });
    },
  };
}
