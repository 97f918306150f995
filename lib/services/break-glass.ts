import { randomBytes } from "node:crypto";
import { mutate } from "@/lib/db/mutate";
import * as db from "@/lib/db/people";
import { forgetSetting, readSettingNow, writeSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { AppError } from "@/lib/errors";
import { hashPassword } from "./passwords";

/**
 * Makes the account for the day on which the identity provider does not answer: an admin whose password is made here, shown once
 * and then sealed. The same address again gets a new password, and every session of it ends. There is one such account; another
 * address takes its place. A person's own account cannot become it.
 */
export async function sealAccount(ctx: Ctx, email: string): Promise<{ password: string }> {
  authorize(ctx, "people:write");
  const password = randomBytes(24).toString("base64url");
  const passwordHash = await hashPassword(password);
  const sealed = await readSettingNow("breakGlass");
  await mutate(ctx, "people:write", async (tx) => {
    const known = await db.findPersonByEmail(email);
    if (known && known.id !== sealed.userId)
      throw new AppError("conflict", `${email} is somebody’s own account. Give an address that nobody signs in with.`);
    const person = known
      ? await db.replacePassword(tx, known.id, passwordHash)
      : await db.insertPerson(tx, {
          email,
          name: "Break-glass account",
          role: "admin",
          passwordHash,
          createdAt: ctx.now,
        });
    if (known) await db.updatePerson(tx, person.id, { role: "admin", disabledAt: null });
    await db.revokeSessionsOf(tx, person.id, ctx.now);
    await writeSetting(tx, "breakGlass", { userId: person.id, sealedAt: ctx.now.getTime() }, ctx.now);
    return {
      action: "person.glass-sealed",
      subjectKind: "person",
      subjectId: person.id,
      subject: person.name,
      after: { email, isNew: known === null },
      result: null,
    };
  });
  forgetSetting("breakGlass");
  return { password };
}
