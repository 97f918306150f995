import { describe, expect, test } from "vitest";
import { readEnv } from "./env";

const OIDC = { OIDC_ISSUER: "https://id.example/", OIDC_CLIENT_ID: "hopperdeck" };

describe("single sign-on", () => {
  test("is off unless an issuer is named", () => {
    expect(readEnv({}).oidc).toBeNull();
    expect(readEnv({ OIDC_CLIENT_ID: "x" }).oidc).toBeNull();
    expect(readEnv({}).hasPasswordSignIn).toBe(true);
  });

  test("is read with its groups and roles", () => {
    const { oidc } = readEnv({
      ...OIDC,
      OIDC_ROLES: "gpu-admins=admin, cn=ops=operator,on-duty=on-call",
      OIDC_DEFAULT_ROLE: "viewer",
      OIDC_EMAIL_DOMAINS: "@Example.com, example.org",
    });
    expect(oidc).toMatchObject({
      issuer: "https://id.example",
      clientSecret: null,
      name: "single sign-on",
      signing: "RS256",
    });
    expect(oidc?.roles).toEqual([
      ["gpu-admins", "admin"],
      ["cn=ops", "operator"],
      ["on-duty", "on_call"],
    ]);
    expect(oidc?.emailDomains).toEqual(["example.com", "example.org"]);
    expect(oidc?.defaultRole).toBe("viewer");
  });

  test.each<[string, Record<string, string>]>([
    ["OIDC_CLIENT_ID must be set", { OIDC_ISSUER: "https://id.example" }],
    ["OIDC_ISSUER must be an https address", { ...OIDC, OIDC_ISSUER: "http://id.example" }],
    ["OIDC_ROLES must be pairs", { ...OIDC, OIDC_ROLES: "admins" }],
    ["OIDC_ROLES must be pairs", { ...OIDC, OIDC_ROLES: "admins=root" }],
    ["OIDC_DEFAULT_ROLE must be none or one of", { ...OIDC, OIDC_DEFAULT_ROLE: "root" }],
    ["PASSWORD_SIGN_IN can be 0 only where OIDC_ISSUER is set", { PASSWORD_SIGN_IN: "0" }],
    ["OIDC_ROLES must name a group of admins", { ...OIDC, PASSWORD_SIGN_IN: "0", OIDC_ROLES: "ops=operator" }],
  ])("%s", (words, given) => expect(() => readEnv(given)).toThrow(words));

  test("may be the only door, and a provider on this machine may be plain http", () => {
    const given = {
      ...OIDC,
      OIDC_ISSUER: "http://127.0.0.1:8080/realms/x",
      PASSWORD_SIGN_IN: "0",
      OIDC_ROLES: "a=admin",
    };
    expect(readEnv(given).hasPasswordSignIn).toBe(false);
    expect(readEnv(given).oidc?.issuer).toBe("http://127.0.0.1:8080/realms/x");
  });
});
