import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

function filesBelow(folder: string, name: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(file, name);
    return entry.name === name ? [file] : [];
  });
}

/** Doors that let strangers in on purpose: each says at its own place why. */
const OPEN_ROUTES = [
  "app/agent/[file]/route.ts",
  "app/api/auth/[...nextauth]/route.ts",
  "app/api/health/route.ts",
  "app/api/v1/openapi.json/route.ts",
];
const OPEN_ACTIONS = ["app/a/[token]/actions.ts", "app/welcome/actions.ts"];

describe("every door asks who comes", () => {
  const pages = filesBelow("app/(dashboard)", "page.tsx");
  test.each(pages)("%s", (file) => {
    const source = readFileSync(file, "utf8");
    const isPassingOn = /return redirect\(|redirect\(/.test(source) && !/Hydrate/.test(source);
    expect(/await pageCtx\(\)/.test(source) || isPassingOn).toBe(true);
  });

  const routes = filesBelow("app", "route.ts");
  test.each(routes)("%s", (file) => {
    const source = readFileSync(file, "utf8");
    const asks =
      /= (get|getPacked|post|csv|kept|table|orTable)\(|\brequestCtx\(|takeReport|takeWorkload|takeMetrics|takeRemoteWrite/.test(
        source,
      );
    expect(asks).toBe(!OPEN_ROUTES.includes(file));
  });

  const actions = filesBelow("app", "actions.ts");
  test.each(actions)("%s", (file) => {
    const source = readFileSync(file, "utf8");
    expect(source.startsWith('"use server";')).toBe(true);
    const made = [...source.matchAll(/^export const \w+ = (\w+)\(/gm)].map((match) => match[1]);
    expect(made.length).toBeGreaterThan(0);
    const wrapper = OPEN_ACTIONS.includes(file) ? "strangerAction" : "action";
    expect(new Set(made)).toEqual(new Set([wrapper]));
    // Nothing else leaves the file: an export that is not wrapped would be callable by anybody.
    expect([...source.matchAll(/^export /gm)]).toHaveLength(made.length);
  });

  test("there are doors to look at", () => {
    expect(pages.length).toBeGreaterThan(10);
    expect(routes.length).toBeGreaterThan(20);
    expect(actions.length).toBeGreaterThan(4);
  });
});
