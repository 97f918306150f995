import { describe, expect, test } from "vitest";
import { STEP_UP_MS } from "./access";
import { givenRole, judgeSignIn, type KnownPerson, OidcClaims, type OidcRules, provenAt } from "./oidc";

const claims = (more: object = {}) =>
  OidcClaims.parse({
    iss: "https://id.example",
    sub: "1",
    email: "ada@example.com",
    email_verified: true,
    groups: ["ops"],
    ...more,
  });
const rules = (more: Partial<OidcRules> = {}): OidcRules => ({
  groupClaim: "groups",
  roles: [
    ["ops", "operator"],
    ["boss", "admin"],
    ["cfo", "finance"],
  ],
  defaultRole: null,
  emailDomains: [],
  isEmailTrusted: false,
  ...more,
});
const person = (more: Partial<KnownPerson> = {}): KnownPerson => ({
  id: "p",
  role: "viewer",
  isDisabled: false,
  oidcSubject: null,
  ...more,
});
const nobody = { byIdentity: null, byEmail: null };

describe("the role that groups give", () => {
  test.each<[object, Partial<OidcRules>, string | null]>([
    [{ groups: ["ops"] }, {}, "operator"],
    [{ groups: ["cfo", "boss", "ops"] }, {}, "admin"],
    [{ groups: "ops" }, {}, "operator"],
    [{ groups: ["Ops"] }, {}, null],
    [{ groups: [1, null, { ops: true }] }, {}, null],
    [{ groups: [] }, { defaultRole: "viewer" }, "viewer"],
    [{ groups: ["lunch"] }, { defaultRole: "viewer" }, "viewer"],
    [{ groups: undefined }, {}, null],
    [{ realm_access: { roles: ["boss"] } }, { groupClaim: "realm_access.roles" }, "admin"],
    [{ "https://example.com/groups": ["boss"] }, { groupClaim: "https://example.com/groups" }, "admin"],
    [{}, { groupClaim: "constructor.name" }, null],
    [{}, { groupClaim: "__proto__" }, null],
  ])("%j with %j: %s", (more, rule, role) => expect(givenRole(claims(more), rules(rule))).toBe(role));
});

describe("who comes in", () => {
  test("somebody new, with a role and a name that can be shown", () => {
    expect(judgeSignIn(claims({ name: "A\u202eda\n" }), rules(), nobody)).toEqual({
      kind: "new",
      email: "ada@example.com",
      name: "Ada",
      role: "operator",
    });
    expect(judgeSignIn(claims({ preferred_username: "ada" }), rules(), nobody)).toMatchObject({ name: "ada" });
    expect(judgeSignIn(claims({ name: "\u200b" }), rules(), nobody)).toMatchObject({ name: "ada@example.com" });
  });

  test("without a mapping, roles stay as People says, and newcomers get the default", () => {
    const plain = rules({ roles: [], defaultRole: "viewer" });
    expect(judgeSignIn(claims(), plain, { byIdentity: person({ role: "admin" }), byEmail: null })).toMatchObject({
      role: null,
    });
    expect(judgeSignIn(claims(), plain, nobody)).toMatchObject({ kind: "new", role: "viewer" });
    expect(judgeSignIn(claims(), rules({ roles: [] }), nobody)).toMatchObject({ code: "no-role" });
  });

  test("an account found by e-mail is linked, one found by its identity is not linked again", () => {
    expect(judgeSignIn(claims(), rules(), { byIdentity: null, byEmail: person() })).toMatchObject({ isLink: true });
    const linked = person({ oidcSubject: "1" });
    expect(judgeSignIn(claims(), rules(), { byIdentity: linked, byEmail: null })).toMatchObject({ isLink: false });
    // Whoever is linked needs no address any more.
    expect(judgeSignIn(claims({ email: undefined }), rules(), { byIdentity: linked, byEmail: null }).kind).toBe(
      "known",
    );
  });
});

describe("who stays out", () => {
  test.each<[string, object, Partial<OidcRules>, { byIdentity?: KnownPerson; byEmail?: KnownPerson }]>([
    ["disabled", {}, {}, { byIdentity: person({ isDisabled: true }) }],
    ["disabled", {}, {}, { byEmail: person({ isDisabled: true }) }],
    ["email", { email_verified: false }, {}, { byEmail: person() }],
    ["email", { email_verified: undefined }, {}, { byEmail: person() }],
    ["email", { email_verified: "no" }, { isEmailTrusted: true }, { byEmail: person() }],
    ["email", { email_verified: 1 }, {}, { byEmail: person() }],
    ["email", { email: "not an address" }, {}, {}],
    ["email", { email: undefined }, { isEmailTrusted: true }, {}],
    ["domain", {}, { emailDomains: ["other.example"] }, {}],
    ["domain", {}, { emailDomains: ["ample.com"] }, {}],
    [
      "domain",
      { email_verified: false },
      { emailDomains: ["example.com"] },
      { byIdentity: person({ oidcSubject: "1" }) },
    ],
    ["taken", {}, {}, { byEmail: person({ oidcSubject: "2" }) }],
    ["no-role", { groups: [] }, {}, { byIdentity: person({ role: "admin" }) }],
    ["no-role", { groups: [] }, {}, {}],
  ])("%s: %j, %j, %j", (code, more, rule, known) => {
    expect(judgeSignIn(claims(more), rules(rule), { ...nobody, ...known })).toMatchObject({ kind: "refused", code });
  });

  test("addresses of a provider that vouches for none are taken where that was said to be right", () => {
    const trusted = rules({ isEmailTrusted: true, emailDomains: ["example.com"] });
    expect(judgeSignIn(claims({ email_verified: undefined }), trusted, nobody).kind).toBe("new");
    expect(judgeSignIn(claims({ email_verified: false }), trusted, nobody)).toMatchObject({ code: "email" });
  });

  test("look-alike letters of another width are the same address", () => {
    expect(claims({ email: "ＡDA@EXAMPLE.com" }).email).toBe("ada@example.com");
  });
});

describe("since when a sign-in is fresh", () => {
  const NOW = Date.UTC(2026, 10, 21, 12);
  test.each<[string, number | undefined, boolean, number]>([
    ["as the provider says", NOW / 1000 - 3600, true, NOW - 3_600_000],
    ["never in the future", NOW / 1000 + 3600, false, NOW],
    ["now, where a proof was asked for", undefined, true, NOW],
    ["not at all, where none was", undefined, false, NOW - STEP_UP_MS - 1],
  ])("%s", (_, authTime, wasAsked, at) => expect(provenAt(authTime, wasAsked, NOW, STEP_UP_MS)).toBe(at));
});
