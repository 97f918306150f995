import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import type { Role } from "@/lib/domain/access";
import { type Stack, startStack, type World } from "./stack";

type Fixtures = {
  /** Goes through the door as a person of that role. In a real fleet the person is invited first. */
  signIn: (role: Role, page?: Page) => Promise<void>;
};

export const test = base.extend<Fixtures, { world: World; stack: Stack }>({
  world: [
    { mode: "real", scenario: "empty", days: 1 },
    { option: true, scope: "worker" },
  ],
  stack: [
    async ({ world }, provide) => {
      const stack = await startStack(world);
      await provide(stack);
      await stack.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: async ({ stack }, provide) => provide(stack.url),
  signIn: async ({ stack, world, page: own }, provide) => {
    await provide(async (role, page = own) => {
      if (world.mode === "demo") {
        await page.goto(`${stack.url}/sign-in`);
        await page.getByRole("region", { name: "Demo roles" }).getByRole("button", { name: NAMES[role] }).click();
      } else {
        const link = /http\S+/.exec(await stack.command("user", "invite", "--role", role))?.[0] ?? "";
        await accept(page, link, `${NAMES[role]} ${++people}`);
      }
      await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    });
  },
});

export { expect };

let people = 0;
export const PASSWORD = "correct horse battery staple";
const NAMES: Record<Role, string> = {
  viewer: "Viewer",
  finance: "Finance",
  on_call: "On-call",
  operator: "Operator",
  admin: "Admin",
};

/** Opens an invitation link and makes an account; ends signed in. */
export async function accept(page: Page, link: string, name: string): Promise<{ email: string }> {
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, ".")}@example.com`;
  await page.goto(link);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  return { email };
}

/** No violation of WCAG 2.2 AA that a machine can see, and no page that scrolls sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  // What fades in has the contrast of its end only at its end.
  await page.evaluate(async () => {
    const finite = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(finite.map((one) => one.finished));
  });
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`),
  ).toEqual([]);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over, "the page scrolls sideways").toBeLessThanOrEqual(0);
}
