import { expect, test } from "vitest";
import { deviceName } from "./device";
import { isSessionAlive, NewPerson, SESSION_LIMITS, type SessionFacts, signInDelayMs } from "./people";

const NOW = new Date("2026-11-20T12:00:00Z");
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const HOUR = 3_600_000;

const session = (over: Partial<SessionFacts> = {}): SessionFacts => ({
  createdAt: ago(HOUR),
  lastSeenAt: ago(60_000),
  revokedAt: null,
  sessionVersion: 3,
  user: { sessionVersion: 3, disabledAt: null },
  ...over,
});

test.each([
  ["in use", session(), true],
  ["at the idle limit", session({ lastSeenAt: ago(12 * HOUR), createdAt: ago(13 * HOUR) }), true],
  ["idle for longer", session({ lastSeenAt: ago(12 * HOUR + 1), createdAt: ago(13 * HOUR) }), false],
  ["older than it may be, although in use", session({ createdAt: ago(7 * 24 * HOUR + 1) }), false],
  ["ended", session({ revokedAt: ago(1) }), false],
  ["of before a change of the account", session({ user: { sessionVersion: 4, disabledAt: null } }), false],
  ["of somebody disabled", session({ user: { sessionVersion: 3, disabledAt: ago(1) } }), false],
])("a session %s: alive is %s", (_name, given, alive) => {
  expect(isSessionAlive(given, SESSION_LIMITS, NOW)).toBe(alive);
});

test("five tries are free, then the wait doubles up to a quarter of an hour", () => {
  expect([0, 1, 4].map(signInDelayMs)).toEqual([0, 0, 0]);
  expect([5, 6, 7, 10].map(signInDelayMs)).toEqual([1_000, 2_000, 4_000, 32_000]);
  expect([15, 1_000].map(signInDelayMs)).toEqual([900_000, 900_000]);
});

const person = { token: "hd_x_y", name: "Ada", email: "ada@example.com", password: "correct horse battery" };

test("names hide nothing, addresses are folded before they are compared", () => {
  expect(NewPerson.parse({ ...person, email: " ＡDA@Example.com " }).email).toBe("ada@example.com");
  expect(NewPerson.parse({ ...person, name: "  Ada   Lovelace " }).name).toBe("Ada Lovelace");
  for (const name of ["Ada\u202eevil", "\u200b", "", "a\u0000b"])
    expect(NewPerson.safeParse({ ...person, name }).success).toBe(false);
  for (const password of ["short", "x".repeat(129)])
    expect(NewPerson.safeParse({ ...person, password }).success).toBe(false);
});

test("nobody names their own role", () => {
  expect(NewPerson.parse({ ...person, role: "admin" })).not.toHaveProperty("role");
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1",
    "Safari on iOS",
  ],
  ["curl/8.5.0", "curl"],
  ["something of our own", "A browser"],
  [null, "Unknown browser"],
])("%j is %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
