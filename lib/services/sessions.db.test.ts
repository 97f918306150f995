import { beforeAll, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { DEVICE, lastAudit, PASSWORD, signedIn, somebody } from "@/lib/testing/people";
import { signIn, whoIs } from "./people";
import { changeMyPassword, endMyOtherSessions, endMySession, readMySessions } from "./sessions";

const now = new Date("2026-11-20T12:00:00Z");
beforeAll(() => setTestClock(now));

test("people see their own live sessions and end one of them", async () => {
  const person = await somebody("viewer", now);
  const [here, there] = [await signedIn(person, now), await signedIn(person, now)];
  const { sessions, hasPassword } = await readMySessions(here.ctx);
  expect(hasPassword).toBe(true);
  expect(sessions.map((session) => session.isThis).sort()).toEqual([false, true]);
  const other = sessions.find((session) => !session.isThis);
  await endMySession(here.ctx, { sessionId: other?.id ?? "" });
  expect(await whoIs(there.sid)).toBeNull();
  expect(await whoIs(here.sid)).not.toBeNull();
  expect((await readMySessions(here.ctx)).sessions).toHaveLength(1);
  expect(await lastAudit(person.id)).toMatchObject({ action: "session.ended", actor: person.name });
  await expect(endMySession(here.ctx, { sessionId: other?.id ?? "" })).rejects.toMatchObject({ code: "not-found" });
});

test("nobody ends a session of somebody else", async () => {
  const [mine, theirs] = [
    await signedIn(await somebody("admin", now), now),
    await signedIn(await somebody("viewer", now), now),
  ];
  const sessionId = theirs.ctx.actor.sessionId;
  await expect(endMySession(mine.ctx, { sessionId })).rejects.toMatchObject({ code: "not-found" });
  expect(await whoIs(theirs.sid)).not.toBeNull();
  await expect(readMySessions(systemCtx("test", now))).rejects.toMatchObject({ code: "forbidden" });
});

test("sign out everywhere else leaves this one", async () => {
  const person = await somebody("viewer", now);
  const [here, ...others] = [await signedIn(person, now), await signedIn(person, now), await signedIn(person, now)];
  expect(await endMyOtherSessions(here.ctx)).toEqual({ ended: 2 });
  expect(await whoIs(here.sid)).not.toBeNull();
  for (const { sid } of others) expect(await whoIs(sid)).toBeNull();
});

test("a password is changed with the old one; other sessions end, this one stays", async () => {
  const person = await somebody("viewer", now);
  const [here, there] = [await signedIn(person, now), await signedIn(person, now)];
  const password = "a quite different sentence";
  await expect(changeMyPassword(here.ctx, { current: "wrong", password })).rejects.toMatchObject({
    code: "invalid",
    fields: { current: "is wrong" },
  });
  expect(await changeMyPassword(here.ctx, { current: PASSWORD, password })).toEqual({ ended: 1 });
  expect(await whoIs(here.sid)).not.toBeNull();
  expect(await whoIs(there.sid)).toBeNull();
  await expect(signIn(now, person.email, PASSWORD, DEVICE)).rejects.toMatchObject({ code: "unauthenticated" });
  await signIn(now, person.email, password, DEVICE);
});

test("guessing the old password at an open desk waits as at the door", async () => {
  const person = await somebody("viewer", now);
  const { ctx } = await signedIn(person, now);
  const guess = (current: string) => changeMyPassword(ctx, { current, password: "a quite different sentence" });
  for (let i = 0; i < 5; i++) await expect(guess(`guess ${i}`)).rejects.toMatchObject({ code: "invalid" });
  await expect(guess(PASSWORD)).rejects.toMatchObject({ code: "too-many" });
  expect(await prisma.auditEvent.count({ where: { action: "person.password-changed", subjectId: person.id } })).toBe(0);
});
