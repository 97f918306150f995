import { readdirSync } from "node:fs";
import { accept, expect, expectAccessible, PASSWORD, test } from "./fixtures";

// A fleet that nobody has signed in to yet.
test.use({ world: { mode: "real", scenario: "empty", days: 2 } });

test("the first admin comes by the terminal's link, and a copied cookie dies at sign-out", async ({
  page,
  stack,
  context,
  browser,
}) => {
  await page.goto(stack.url);
  await expect(page).toHaveURL(/\/sign-in$/);
  await expectAccessible(page);

  const link = /http\S+/.exec(await stack.command("user", "first-link"))?.[0] ?? "";
  const { email } = await accept(page, link, "Ada Admin");
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(page.getByText("Ada Admin")).toBeVisible();

  const stolen = await browser.newContext();
  await stolen.addCookies(await context.cookies());
  const thief = await stolen.newPage();
  await thief.goto(stack.url);
  await expect(thief.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();

  await page.getByRole("button", { name: /account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await thief.goto(`${stack.url}/fleet`);
  await expect(thief.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect((await stolen.request.get(`${stack.url}/api/v1/fleet`)).status()).toBe(401);
  await stolen.close();

  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(/password/i);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();

  await page.goto(link);
  await expect(page.getByText(/used already|has run out/)).toBeVisible();
});

test("a stranger and another site's page get nothing", async ({ playwright, stack }) => {
  const stranger = await playwright.request.newContext();
  // How to ask is no secret; what is answered is.
  const isOpen = (path: string) => path === "/api/v1/openapi.json";
  for (const path of [...routesBelow("app/api/v1"), "/metrics"].filter((one) => !isOpen(one))) {
    const asked = await stranger.get(stack.url + path);
    // A route that only takes something has nothing to show.
    expect([401, 405], `GET ${path}`).toContain(asked.status());
    const sent = await stranger.post(stack.url + path, { data: {}, headers: { origin: stack.url } });
    expect([401, 405], `POST ${path}`).toContain(sent.status());
  }
  const { csrfToken } = (await (await stranger.get(`${stack.url}/api/auth/csrf`)).json()) as { csrfToken: string };
  const forged = await stranger.post(`${stack.url}/api/auth/callback/password`, {
    form: { email: "ada.admin@example.com", password: PASSWORD, csrfToken, json: "true" },
    headers: { origin: "https://evil.example" },
  });
  expect(forged.status()).toBe(403);
  await stranger.dispose();
});

test("what asks for a fresh sign-in gets it over the form, and nothing that was typed is lost", async ({
  page,
  stack,
  signIn,
}) => {
  await signIn("admin");
  await stack.jump(11 * 60_000);
  await page.goto(`${stack.url}/settings/people`);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Invite somebody" });
  await form.getByLabel("Role").selectOption("operator");
  await form.getByLabel("For whom").fill("Grace, compilers");
  await form.getByRole("button", { name: "Make the link" }).click();
  await expect(form.getByRole("alert")).toContainText("sign-in of the last 10 minutes");
  await form.getByRole("button", { name: "Sign in again" }).click();

  const door = page.getByRole("dialog", { name: "Sign in again" });
  await expectAccessible(page);
  await door.getByLabel("Password").fill("not the password");
  await door.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(door.getByRole("alert")).toContainText(/password/i);
  await door.getByLabel("Password").fill(PASSWORD);
  await door.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(form.getByRole("alert")).toContainText("You are signed in again");
  await expect(form.getByLabel("For whom")).toHaveValue("Grace, compilers");
  await expect(form.getByLabel("Role")).toHaveValue("operator");
  await form.getByRole("button", { name: "Make the link" }).click();
  await expect(form.getByText("Copy it now.")).toBeVisible();
});

/** The address of every route in a folder of the app, with an id where one is asked for. */
function routesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return routesBelow(`${folder}/${entry.name}`);
    if (entry.name !== "route.ts") return [];
    return [folder.replace(/^app/, "").replaceAll(/\[\w+\]/g, "01900000-0000-7000-8000-000000000001")];
  });
}
