import { beforeAll, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { setTestClock } from "@/lib/db/clock";
import { can, PERMISSIONS, type Permission, systemCtx } from "@/lib/domain/access";
import { NewToken } from "@/lib/domain/tokens";
import { env } from "@/lib/env";
import { by, emptyHouse, machine, onlyAlert, person, rule, run } from "@/lib/testing/alerting";
import { as, lastAudit } from "@/lib/testing/people";
import { acknowledgeAlert } from "./alerts/acknowledge";
import { actorOfToken } from "./api-access";
import { createToken, readTokens, revokeToken } from "./credentials";
import { senderToken } from "./telemetry/senders";
import { readWallboard } from "./wallboard";

const DAY = 24 * 3_600_000;
const now = new Date("2026-11-20T12:00:00Z");
beforeAll(() => setTestClock(now));

const api: NewToken = { kind: "api", name: "prometheus", role: "viewer", scopes: [], days: 30 };
const ingest: NewToken = { kind: "ingest", name: "agents", role: null, scopes: [], days: null };

test("an API token speaks with its role until it is revoked, at once", async () => {
  const admin = await as("admin", now);
  const { id, secret, installLine } = await createToken(admin, api);
  expect(installLine).toBeNull();
  expect((await actorOfToken(secret))?.actor).toMatchObject({ kind: "token", name: "prometheus", role: "viewer" });
  const [row] = (await readTokens(admin)).tokens.filter((token) => token.id === id);
  expect(row).toMatchObject({ name: "prometheus", by: admin.actor.name, lastUsedAt: now.getTime() });
  await revokeToken(admin, { tokenId: id });
  expect(await actorOfToken(secret)).toBeNull();
  expect((await readTokens(admin)).tokens.some((token) => token.id === id)).toBe(false);
  expect(await lastAudit(id)).toMatchObject({ action: "token.revoked", subject: "prometheus", ip: "192.0.2.7" });
});

test("the secret is in the answer and nowhere else", async () => {
  const { secret } = await createToken(await as("admin", now), api);
  const part = secret.split("_")[2] ?? "";
  expect(part.length).toBeGreaterThanOrEqual(43);
  for (const table of ["token", "audit_event"] as const) {
    const hits = await prisma.$queryRawUnsafe<object[]>(`SELECT 1 FROM ${table} t WHERE strpos(t::text, $1) > 0`, part);
    expect(hits).toEqual([]);
  }
});

test("an ingest token brings the line that installs the agent, and is no API token", async () => {
  const { secret, installLine } = await createToken(await as("operator", now), ingest);
  expect(installLine).toContain(`--token '${secret}'`);
  expect(installLine).toMatch(/^curl -fsSL 'http.*\/agent\/install\.sh' \| sudo sh -s -- --url '/);
  expect(await actorOfToken(secret)).toBeNull();
  expect((await senderToken(secret, now)).kind).toBe("ingest");
});

test("an API token writes no samples; a revoked ingest token is refused at once", async () => {
  const admin = await as("admin", now);
  const program = await createToken(admin, api);
  await expect(senderToken(program.secret, now)).rejects.toMatchObject({
    code: expect.stringMatching(/forbidden|unauth/),
  });
  const { id, secret } = await createToken(admin, ingest);
  await revokeToken(admin, { tokenId: id });
  await expect(senderToken(secret, now)).rejects.toMatchObject({ code: "unauthenticated" });
});

test("a token ends when its time has come, and nothing that only looks like one is let in", async () => {
  const { secret } = await createToken(await as("admin", now), api);
  await setTestClock(new Date(now.getTime() + 30 * DAY - 1));
  expect(await actorOfToken(secret)).not.toBeNull();
  await setTestClock(new Date(now.getTime() + 30 * DAY));
  expect(await actorOfToken(secret)).toBeNull();
  await setTestClock(now);
  for (const wrong of [
    `${secret}x`,
    secret.slice(0, -1),
    secret.replace("hd_", "xx_"),
    "",
    "hd__",
    "a b",
    "x".repeat(300),
  ])
    expect(await actorOfToken(wrong)).toBeNull();
});

test("operators make ingest tokens, admins with a fresh sign-in API tokens, others none", async () => {
  for (const role of ["viewer", "finance", "on_call"] as const)
    await expect(createToken(await as(role, now), ingest)).rejects.toMatchObject({ code: "forbidden" });
  const operator = await as("operator", now);
  const before = await prisma.token.count({ where: { kind: "api" } });
  await expect(createToken(operator, api)).rejects.toMatchObject({ code: "forbidden" });
  const admin = await as("admin", now);
  const late = { ...admin, now: new Date(now.getTime() + 11 * 60_000) };
  await expect(createToken(late, api)).rejects.toMatchObject({ fields: { stepUp: "required" } });
  expect(await prisma.token.count({ where: { kind: "api" } })).toBe(before);
  const { id } = await createToken(admin, api);
  await expect(revokeToken(operator, { tokenId: id })).rejects.toMatchObject({ code: "forbidden" });
});

test("revoked by two at the same moment, it is said once", async () => {
  const admin = await as("admin", now);
  const { id } = await createToken(admin, api);
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => revokeToken(admin, { tokenId: id })));
  expect(outcomes.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  expect(await prisma.auditEvent.count({ where: { action: "token.revoked", subjectId: id } })).toBe(1);
});

test("a token has its scopes of the role's rights, and no more is ever given", async () => {
  const admin = await as("admin", now);
  const { id, secret } = await createToken(admin, {
    ...api,
    role: "operator",
    scopes: ["fleet:read", "intent:launch"],
  });
  const found = await actorOfToken(secret);
  if (!found) throw new Error("the token is not taken");
  const rights = (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => can(found.actor, permission));
  expect(rights).toEqual(["fleet:read", "intent:launch"]);
  expect((await readTokens(admin)).tokens.find((token) => token.id === id)?.scopes).toEqual([
    "fleet:read",
    "intent:launch",
  ]);
  // Should the role lose a right later, the scope does not bring it back.
  await prisma.token.update({ where: { id }, data: { role: "viewer" } });
  expect(can((await actorOfToken(secret))?.actor ?? systemCtx("x", now).actor, "intent:launch")).toBe(false);
  for (const scopes of [["people:write"], ["rule:write"], ["moon:land"]])
    expect(NewToken.safeParse({ kind: "api", name: "x", role: "viewer", scopes, days: "" }).success).toBe(false);
  expect(
    NewToken.parse({ kind: "api", name: "x", role: "viewer", scopes: "fleet:read,export", days: "" }).scopes,
  ).toEqual(["fleet:read", "export"]);
});

test("a wallboard's link shows the fleet and no person, and can do nothing else", async () => {
  const admin = await as("admin", now);
  const wanted = NewToken.parse({
    kind: "wallboard",
    name: "Screen in the lab",
    role: "admin",
    scopes: "people:write",
    days: "30",
  });
  const { id, secret, link } = await createToken(admin, wanted);
  expect(link).toBe(`${env.publicUrl}/wallboard#${secret}`);
  const found = await actorOfToken(secret);
  if (!found) throw new Error("the token is not taken");
  const rights = (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => can(found.actor, permission));
  expect(rights).toEqual(["wallboard:read"]);
  await expect(readTokens(found)).rejects.toMatchObject({ code: "forbidden" });

  await emptyHouse();
  await setTestClock(now);
  const ada = await person("Ada Lovelace", "operator");
  const gh = await machine("gh-train-1");
  await prisma.resourceLabel.updateMany({ data: { owner: "ada@example.com" } });
  await rule({ name: "Hot" });
  await run(gh, now.getTime(), [90]);
  await acknowledgeAlert(by(ada, now.getTime()), { alertId: (await onlyAlert()).id, minutes: null, note: "Ada looks" });
  const { secret: again } = await createToken(await as("admin", now), wanted);
  const seen = await readWallboard((await actorOfToken(again)) ?? systemCtx("x", now));
  expect(seen).toMatchObject({
    name: "Screen in the lab",
    totals: { instances: 1, gpusBilled: 1, microsPerHour: "2290000" },
    alerts: {
      critical: 1,
      shown: [{ ruleName: "Hot", targetName: expect.stringContaining("gh-train-1"), isAcknowledged: true }],
    },
    tiles: [{ name: "gh-train-1", alert: "critical" }],
  });
  expect(JSON.stringify(seen)).not.toMatch(/ada|lovelace|@|192\.0\.2/i);
  await expect(revokeToken(await as("admin", now), { tokenId: id })).rejects.toMatchObject({ code: "not-found" });
});
