import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { INTENT_KINDS } from "@/lib/domain/intents/intent";
import { scopeOf } from "./scope";
import { ACT_WORDS, actionsCalled, actWords, providerWords } from "./words";

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "generated" ? [] : sources(file);
    return file.endsWith(".ts") && !file.endsWith(".test.ts") ? [readFileSync(file, "utf8")] : [];
  });
}

describe("words for acts", () => {
  const written = new Set(
    ["lib/services", "lib/db"]
      .flatMap(sources)
      .flatMap((source) => [...source.matchAll(/["`]((?:\$\{[\w.]*kind\}|[a-z]+)\.[a-z]+(?:-[a-z]+)*)["`]/g)])
      .map((match) => String(match[1]))
      .filter((action) =>
        /\.(?:[a-z]+ed|set|lost|outcome-unknown|signed-\w+|password-\w+|orphan-found|others-ended)/.test(action),
      ),
  );

  test("acts are found in the sources at all", () => {
    expect(written.size).toBeGreaterThan(30);
  });

  test.each([...written])("%s has words", (action) => {
    const names = action.startsWith("${")
      ? INTENT_KINDS.map((kind) => kind + action.slice(action.indexOf("}") + 1))
      : [action];
    for (const name of names) expect(Object.keys(ACT_WORDS)).toContain(name);
  });

  test("what nobody named is readable all the same", () => {
    expect(actWords("moon.landed-on")).toBe("Moon landed on");
    expect(providerWords("terminated", false)).toBe("Terminated");
    expect(providerWords("launched", true)).toBe("Launched outside");
    expect(providerWords("add_ssh_key", false)).toBe("Add ssh key");
    expect(providerWords("ssh_key created", true)).toBe("SSH key added outside");
  });
});

describe("searching by what is shown", () => {
  test.each<[string, Partial<ReturnType<typeof actionsCalled>>]>([
    ["launch asked", { actions: ["launch.requested"], logPattern: null, isOutsideOnly: false }],
    ["  Gone ", { actions: ["intent.cancelled", "seen.terminated_outside", "seen.vanished"] }],
    ["Launched outside", { actions: ["seen.first"], logPattern: "launch|create.*instance|instance.*create" }],
    ["restarted", { actions: [], logPattern: "restart", isOutsideOnly: false }],
    ["gh-train-01", { actions: [], logPattern: null, isOutsideOnly: false }],
  ])("%s", (text, called) => expect(actionsCalled(text)).toMatchObject(called));

  test("only somebody else's launches are launched outside", () => {
    expect(actionsCalled("launched outside").isOutsideOnly).toBe(true);
  });
});

describe("who sees what of the trail", () => {
  const person = (role: "finance" | "on_call" | "operator" | "admin") =>
    scopeOf({ kind: "token", id: "1", name: "x", role });
  test("operators and admins all, finance the money, on-call alerts and its own acts", () => {
    expect(person("operator").prefixes).toBeNull();
    expect(person("admin").hasProvider).toBe(true);
    expect(person("finance").prefixes).toContain("budget.");
    expect(person("finance").prefixes).not.toContain("person.");
    expect(person("on_call")).toMatchObject({ prefixes: ["alert."], ownId: "1", hasProvider: false });
  });
});
