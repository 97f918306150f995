import { expect, test } from "vitest";
import { systemCtx, type UserActor } from "@/lib/domain/access";
import { prisma } from "./client";
import { mutate, recordAudit } from "./mutate";

const actor = (role: UserActor["role"]): UserActor => ({
  kind: "user",
  id: "01900000-0000-7000-8000-000000000001",
  name: "Ada",
  email: "ada@example.com",
  role,
  sessionId: "01900000-0000-7000-8000-000000000002",
  signedInAt: new Date("2026-11-20T12:00:00Z"),
});
const now = new Date("2026-11-20T12:00:30Z");
const entry = { action: "budget.changed", subjectKind: "setting", subjectId: "budget", subject: "Budget" } as const;

test("a write and its audit row are there together", async () => {
  await mutate({ actor: actor("finance"), now, ip: "192.0.2.1" }, "budget:write", async () => ({
    ...entry,
    before: { amount: "1" },
    after: { amount: "2" },
    result: null,
  }));
  const [row] = await prisma.auditEvent.findMany({ where: { action: "budget.changed" } });
  expect(row).toMatchObject({
    actor: "Ada",
    actorKind: "user",
    ip: "192.0.2.1",
    changes: { amount: { from: "1", to: "2" } },
  });
});

test("who may not writes nothing, and a body that fails leaves nothing", async () => {
  const before = await prisma.auditEvent.count();
  let ran = false;
  await expect(
    mutate({ actor: actor("viewer"), now }, "budget:write", async () => {
      ran = true;
      return { ...entry, result: null };
    }),
  ).rejects.toMatchObject({ code: "forbidden" });
  expect(ran).toBe(false);
  await expect(
    mutate(systemCtx("test", now), "budget:write", async (tx) => {
      await tx.setting.create({ data: { id: "half", value: 1, updatedAt: now } });
      throw new Error("the disk fell out");
    }),
  ).rejects.toThrow("the disk fell out");
  expect(await prisma.auditEvent.count()).toBe(before);
  expect(await prisma.setting.count({ where: { id: "half" } })).toBe(0);
});

test("no credential reaches the trail, whichever field it comes by", async () => {
  const canaries = [
    "secret_lambda_0123456789abcdef.AbCdEf",
    "hd_0a1b2c3d4e5f_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0MTI",
    "Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc",
    "https://hooks.slack.com/services/T000/B000/XXXXXXXX",
    "postgres://hopper:hunter22@db/hopperdeck",
    "password=hunter22",
  ];
  for (const canary of canaries) {
    await recordAudit(
      { actor: actor("admin"), now },
      {
        action: "test.kept",
        subjectKind: "setting",
        subjectId: "canary",
        subject: `Channel ${canary}`,
        before: { url: canary, list: [canary] },
        after: { password: "hunter22", deep: { note: `see ${canary}`, token: canary }, apiKey: ["hunter22"] },
        reason: `because ${canary}`,
      },
    );
  }
  const kept = JSON.stringify(await prisma.auditEvent.findMany({ where: { action: "test.kept" } }), (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(kept).not.toMatch(/hunter22|AbCdEf|c2VjcmV0|eyJhbGci|XXXXXXXX/);
  expect(kept).toContain("***");
});
