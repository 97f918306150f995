import { describe, expect, test } from "vitest";
import { dangersOf, FirewallRule, ruleDiff, rulesText, ruleWords } from "./firewall";
import { NewSshKey } from "./view";

const rule = (over: object = {}) =>
  FirewallRule.parse({ protocol: "tcp", ports: [22, 22], source: "0.0.0.0/0", description: "SSH", ...over });

describe("a rule", () => {
  test.each([
    ["1.2.3.4", "1.2.3.4/32"],
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["0.0.0.0/0", "0.0.0.0/0"],
  ])("from %s is from %s", (source, network) => expect(rule({ source }).source).toBe(network));

  test.each([
    [{ source: "::/0" }, "IPv4"],
    [{ source: "1.2.3.4/33" }, "IPv4"],
    [{ source: "0x7f.1" }, "IPv4"],
    [{ ports: null }, "Give the ports"],
    [{ protocol: "icmp" }, "ICMP has no ports"],
    [{ ports: [9, 8] }, "above the last"],
    [{ ports: [0, 8] }, "begin at 1"],
    [{ ports: [1, 70_000] }, "end at 65535"],
    [{ description: "x".repeat(129) }, "128"],
  ])("%o is refused", (over, why) => {
    const read = FirewallRule.safeParse({ protocol: "tcp", ports: [22, 22], source: "0.0.0.0/0", ...over });
    expect(read.success ? "taken" : read.error.issues.map(({ message }) => message).join()).toContain(why);
  });

  test.each([
    [rule(), "TCP 22 from anywhere (SSH)"],
    [rule({ ports: [80, 90], source: "1.2.3.4", description: "" }), "TCP 80–90 from 1.2.3.4"],
    [rule({ protocol: "icmp", ports: null, description: "" }), "ICMP from anywhere"],
    [rule({ protocol: "all", ports: [1, 65_535], description: "" }), "any protocol any port from anywhere"],
  ])("reads as words", (one, words) => expect(ruleWords(one)).toBe(words));
});

describe("a change of rules", () => {
  const web = rule({ ports: [443, 443], description: "web" });
  test("says what comes and goes, whatever the order, each as often as it stands", () => {
    expect(ruleDiff([rule(), web, web], [web, rule()])).toEqual({ added: [], removed: [web], kept: 2 });
    expect(ruleDiff([], [web])).toEqual({ added: [web], removed: [], kept: 0 });
    expect(rulesText([rule(), web])).toBe(rulesText([web, rule()]));
  });

  test("names what is dangerous in it, and only what is new", () => {
    const wide = rule({ ports: [1, 65_535], description: "" });
    expect(dangersOf([rule()], [rule(), wide])).toEqual([
      "TCP any port from anywhere opens 65535 ports to the whole internet.",
    ]);
    expect(dangersOf([wide], [wide, web])).toEqual([]);
    expect(dangersOf([rule()], [web])[0]).toContain("by SSH");
    expect(dangersOf([web], [])).toEqual([]);
  });
});

describe("an SSH key", () => {
  const body = "A".repeat(68);
  test.each([
    [`ssh-ed25519 ${body} anna@laptop`, null],
    [`ssh-rsa ${"A".repeat(372)}`, null],
    [`ecdsa-sha2-nistp256 ${body}== me`, null],
    ["-----BEGIN OPENSSH PRIVATE KEY-----", "private key"],
    ["ssh-ed25519", "is not a public key"],
    [`ssh-dss ${body}`, "is not a public key"],
    [`ssh-ed25519 ${body}\nssh-rsa ${body}`, "is not a public key"],
  ])("%s", (publicKey, why) => {
    const read = NewSshKey.safeParse({ name: "anna", publicKey });
    if (why === null) expect(read.success).toBe(true);
    else expect(read.error?.issues[0]?.message).toContain(why);
  });
});
