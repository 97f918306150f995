import { beforeEach, expect, test } from "vitest";
import { now as clock } from "@/lib/db/clock";
import { forgetSetting } from "@/lib/db/settings";
import { systemCtx } from "@/lib/domain/access";
import { evaluateAlerts, installDefaultRules } from "@/lib/services/alerts/evaluate";
import { emptyDatabase } from "@/lib/testing/empty";
import { stubEnv } from "@/lib/testing/env";
import { as, DEVICE, lastAudit, PASSWORD, somebody } from "@/lib/testing/people";
import { rows } from "@/lib/testing/world";
import { sealAccount } from "./break-glass";
import { readPeople, signIn, whoIs } from "./people";
import { signInByProvider, signInWays, waysOf } from "./sign-in-provider";

const EMAIL = "glass@example.com";
const WRONG = { code: "unauthenticated", message: "E-mail or password is wrong." };
const AWAY = {
  PASSWORD_SIGN_IN: "0",
  OIDC_ISSUER: "https://id.example",
  OIDC_CLIENT_ID: "hopperdeck",
  OIDC_ROLES: "gpu-admins=admin",
};

let now: Date;
beforeEach(async () => {
  stubEnv({ PASSWORD_SIGN_IN: "1", OIDC_ISSUER: undefined });
  await emptyDatabase();
  await rows("delete from setting where id = 'breakGlass'");
  forgetSetting("breakGlass");
  now = await clock();
});
const seal = (email = EMAIL) => sealAccount(systemCtx("command line", now), email);

test("comes in with its password where nobody else does, is told at once, and stays in the trail", async () => {
  const other = await somebody("admin", now);
  stubEnv(AWAY);
  expect(await signInWays()).toMatchObject({ hasPassword: false, hasGlass: false });
  await expect(signIn(now, EMAIL, PASSWORD, DEVICE)).rejects.toMatchObject({ code: "forbidden" });
  const { password } = await seal();
  expect(await signInWays()).toMatchObject({ hasPassword: false, hasGlass: true });
  await expect(signIn(now, other.email, PASSWORD, DEVICE)).rejects.toMatchObject(WRONG);
  await expect(signIn(now, EMAIL, `${password}x`, DEVICE)).rejects.toMatchObject(WRONG);

  const { userId, sid } = await signIn(now, EMAIL, password, DEVICE);
  expect(await whoIs(sid)).toMatchObject({ actor: { role: "admin", email: EMAIL } });
  expect(await waysOf(userId)).toEqual({ hasPassword: true, provider: null, hasGlass: false });
  const trail = await rows<{ action: string; ip: string | null }>(
    "select action, ip from audit_event where subject_id = $1 order by seq",
    [userId],
  );
  expect(trail).toMatchObject([
    { action: "person.glass-sealed" },
    { action: "person.glass-broken", ip: DEVICE.ip },
    { action: "person.signed-in" },
  ]);
  expect(JSON.stringify(await lastAudit(userId))).not.toContain(password);

  await installDefaultRules(systemCtx("test", now));
  for (const seconds of [0, 60]) await evaluateAlerts(systemCtx("test", new Date(now.getTime() + seconds * 1_000)));
  const alerts = await rows<{ target: string }>(
    `select a.target_name as target from alert a join alert_rule r on r.id = a.rule_id
     where r.pack_key = 'glass-account' and r.severity = 'critical' and a.fired_at is not null`,
  );
  expect(alerts).toEqual([{ target: `account ${EMAIL}` }]);
});

test("sealed anew, the old password and its sessions are worth nothing", async () => {
  const first = await seal();
  const { sid } = await signIn(now, EMAIL, first.password, DEVICE);
  const second = await seal();
  expect(await whoIs(sid)).toBeNull();
  await expect(signIn(now, EMAIL, first.password, DEVICE)).rejects.toMatchObject(WRONG);
  await signIn(now, EMAIL, second.password, DEVICE);
  const { people } = await readPeople(await as("admin", now));
  expect(people.filter(({ isGlass }) => isGlass)).toMatchObject([{ email: EMAIL, role: "admin" }]);
});

test("is not taken over by a provider that is told its address", async () => {
  await seal();
  stubEnv(AWAY);
  const claims = { iss: AWAY.OIDC_ISSUER, sub: "1", email: EMAIL, email_verified: true, groups: ["gpu-admins"] };
  await expect(signInByProvider(now, claims, true, DEVICE)).rejects.toMatchObject({ fields: { oidc: "taken" } });
});

test("is nobody's own account, and only an admin seals one", async () => {
  const { email } = await somebody("operator", now);
  await expect(seal(email)).rejects.toMatchObject({ code: "conflict" });
  await expect(sealAccount(await as("operator", now), EMAIL)).rejects.toMatchObject({ code: "forbidden" });
});
