import fc from "fast-check";
import { expect, test } from "vitest";
import { changes, withoutSecrets } from "./audit";

test("only what differs is kept, money as text", () => {
  expect(changes({ a: 1, b: 2n, c: { d: 1 } }, { a: 1, b: 3n, c: { d: 1 }, e: null })).toEqual({
    b: { from: "2", to: "3" },
    e: { from: null, to: null },
  });
});

test.each<[object, object]>([
  [{ password: { from: "old one", to: "new one" } }, { password: { from: "***", to: "***" } }],
  [{ token: { from: null, to: "abc" } }, { token: { from: null, to: "***" } }],
  [{ userData: "#!/bin/sh" }, { userData: "***" }],
  [{ secretId: "0190c0de" }, { secretId: "0190c0de" }],
  [{ tokenName: "ci" }, { tokenName: "ci" }],
  [{ note: { from: "", to: "password: hunter22" } }, { note: { from: "", to: "password: ***" } }],
  [
    { n: 1, flag: true, none: null },
    { n: 1, flag: true, none: null },
  ],
])("%j", (given, kept) => expect(withoutSecrets(given)).toEqual(kept));

const word = fc.stringMatching(/^[A-Za-z0-9]{16,40}$/);
const canary = word.chain((text) =>
  fc.constantFrom(
    { said: `hd_0a1b2c3d4e5f_${text}`, text },
    { said: `secret_${text}`, text },
    { said: `Bearer ${text}`, text },
    { said: `https://hooks.slack.com/services/${text}`, text },
    { said: `postgresql://u:${text}@host/db`, text },
  ),
);

test("a credential is blotted out wherever it stands, and everything else stays", () => {
  fc.assert(
    fc.property(canary, fc.jsonValue(), fc.stringMatching(/^[a-z]{1,8}$/), ({ said, text }, other, name) => {
      const kept = withoutSecrets({ [name]: { from: [`see ${said}`], to: { deep: said } }, other });
      expect(JSON.stringify(kept)).not.toContain(text);
    }),
  );
  const plain = { name: "gh-1", amountMicros: "1000000", team: "Zürich", at: 1_764_000_000_000, list: ["a", 1] };
  expect(withoutSecrets(plain)).toEqual(plain);
});
