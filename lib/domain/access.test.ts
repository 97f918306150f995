import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "@/lib/errors";
import {
  type Actor,
  authorize,
  can,
  type Grant,
  lockOf,
  PERMISSIONS,
  type Permission,
  ROLES,
  type Role,
  systemCtx,
} from "./access";

const NOW = new Date("2026-11-20T12:00:00Z");
const person = (role: Role, signedInMsAgo = 0): Actor => ({
  kind: "user",
  id: "1",
  name: "Ada",
  email: "ada@example.com",
  role,
  sessionId: "2",
  signedInAt: new Date(NOW.getTime() - signedInMsAgo),
});
const program = (role: Role): Actor => ({ kind: "token", id: "3", name: "bot", role });
const refusal = (actor: Actor, permission: Permission) => {
  try {
    authorize({ actor, now: NOW }, permission);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
};

/** Who may, role by role as in ROLES; written out once more, so that a slip in the table is seen. */
const MATRIX: Record<Permission, string> = {
  "fleet:read": "yyyyy",
  "cost:read": "yyyyy",
  export: "yyyyy",
  "wallboard:read": "yyyyy",
  "plan:write": "yyyyy",
  "alert:acknowledge": "--yyy",
  "rule:write": "---yy",
  "intent:launch": "---yy",
  "intent:approve": "-y-yy",
  "intent:break-glass": "---yy",
  "intent:terminate": "--yyy",
  "intent:terminate-many": "---yy",
  "intent:restart": "--yyy",
  "protection:set": "---yy",
  "protection:lift": "----y",
  "checklist:write": "---yy",
  "automation:stop": "--yyy",
  "automation:resume": "----y",
  "cloud:write": "---yy",
  "lease:extend": "--yyy",
  "policy:write": "---yy",
  "policy:arm": "----y",
  "alignment:write": "---yy",
  "label:write": "-yyyy",
  "deploy:write": "--yyy",
  "run:write": "---yy",
  "budget:write": "-y--y",
  "price:write": "-y--y",
  "allocation:write": "-y--y",
  "invoice:read": "-y--y",
  "invoice:write": "-y--y",
  "cost:close": "-y--y",
  "token:ingest": "---yy",
  "token:api": "----y",
  "people:write": "----y",
  "setting:write": "----y",
  "audit:read": "-yyyy",
};

test.each(Object.keys(PERMISSIONS) as Permission[])("%s is for these roles and no others", (permission) => {
  const may = ROLES.map((role) => (can(person(role), permission) ? "y" : "-")).join("");
  expect(may).toBe(MATRIX[permission]);
  const agreed = ROLES.map((role) => (refusal(person(role), permission) === null ? "y" : "-")).join("");
  expect(agreed).toBe(MATRIX[permission]);
});

test("a program may what its role may, the worker may all", () => {
  expect(refusal(program("viewer"), "fleet:read")).toBeNull();
  expect(refusal(program("viewer"), "rule:write")?.code).toBe("forbidden");
  for (const permission of Object.keys(PERMISSIONS) as Permission[]) authorize(systemCtx("job", NOW), permission);
});

test("a program has its role's rights within its scopes, and never more", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ROLES),
      fc.subarray([...(Object.keys(PERMISSIONS) as Permission[]), "moon:land"]),
      fc.constantFrom(...(Object.keys(PERMISSIONS) as Permission[])),
      (role, scopes, permission) => {
        const bot: Actor = { kind: "token", id: "3", name: "bot", role, scopes };
        const isNamed = scopes.length === 0 || scopes.includes(permission);
        const grant: Grant = PERMISSIONS[permission];
        expect(can(bot, permission)).toBe(can(person(role), permission) && isNamed && !grant.isForPeople);
        expect(refusal(bot, permission) === null).toBe(can(bot, permission));
      },
    ),
  );
});

test("what takes a person's proof is for no token, and everything that always takes one is for people", () => {
  for (const [permission, grant] of Object.entries(PERMISSIONS) as [Permission, Grant][]) {
    const isProved = grant.stepUp !== undefined && grant.roles.every((role) => grant.stepUp?.includes(role));
    expect([permission, grant.isForPeople ?? false]).toEqual([permission, isProved]);
    if (isProved) expect(refusal(program("admin"), permission)?.message).toContain("Only a person");
  }
});

test("a token without the scope is told which one it takes", () => {
  const bot: Actor = { kind: "token", id: "3", name: "bot", role: "operator", scopes: ["fleet:read"] };
  expect(refusal(bot, "intent:launch")?.message).toContain("the scope intent:launch");
  expect(refusal(bot, "budget:write")?.message).toContain("It takes: finance, admin.");
});

test("accounts, API tokens and an admin's launch ask for a sign-in of the last ten minutes", () => {
  const late = 10 * 60_000 + 1;
  for (const permission of ["people:write", "token:api", "intent:launch"] as const) {
    expect(refusal(person("admin", late - 1), permission)).toBeNull();
    expect(refusal(person("admin", late), permission)).toMatchObject({
      code: "forbidden",
      fields: { stepUp: "required" },
    });
  }
  expect(refusal(person("operator", late), "intent:launch")).toBeNull();
  expect(refusal(person("admin", late), "setting:write")).toBeNull();
});

test("whoever only looks is told who may", () => {
  expect(lockOf(person("viewer"), "budget:write")).toBe("You may look at this. To change it takes: finance, admin.");
  expect(lockOf(person("finance"), "budget:write")).toBeNull();
});
