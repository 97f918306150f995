import { expect, expectAccessible, test } from "./fixtures";

test.use({ world: { mode: "demo", scenario: "demo", days: 3 } });

const PAGES = [
  "/",
  "/fleet",
  "/fleet?view=heat",
  "/runs",
  "/alerts",
  "/alerts/rules",
  "/cost",
  "/launch",
  "/activity",
  "/settings",
  "/settings/data",
];

test("every room of the demo, wide and phone, light and dark, is accessible and says it is a demo", async ({
  page,
  stack,
  signIn,
}) => {
  await signIn("admin");
  await stack.advance(60_000);
  await expect(page.getByText("Demo fleet.")).toBeVisible();
  for (const [width, height, colorScheme] of [
    [1440, 900, "light"],
    [390, 844, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    for (const path of PAGES) {
      await test.step(`${path} at ${width} px, ${colorScheme}`, async () => {
        await page.goto(stack.url + path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.getByRole("status").filter({ hasText: /^Loading$/ })).toHaveCount(0);
        await expectAccessible(page);
      });
    }
  }
});

test("the first view of a page asks the server nothing of its own", async ({ page, stack, signIn }) => {
  await signIn("operator");
  for (const path of ["/", "/fleet", "/cost", "/activity"]) {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).pathname.startsWith("/api/v1/")) asked.push(request.url());
    });
    await page.goto(stack.url + path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: /^Loading$/ })).toHaveCount(0);
    page.removeAllListeners("request");
    expect(asked, path).toEqual([]);
  }
});

test("the fleet filters at the speed of typing, and the address keeps it", async ({ page, stack, signIn }) => {
  await signIn("viewer");
  await page.goto(`${stack.url}/fleet`);
  const filter = page.getByRole("searchbox").or(page.getByLabel("Filter instances"));
  await filter.fill("type:gh200");
  await expect(page.getByRole("row", { name: /gh-train-01/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /a10/ })).toHaveCount(0);
  await expect(page).toHaveURL(/q=type%3Agh200/);
  await filter.fill("util>");
  await filter.fill("speed>3");
  await expect(page.getByText(/no field “speed”/)).toBeVisible();
  await filter.fill("nothing-has-this-name");
  await page.getByRole("button", { name: "Clear the filter" }).first().click();
  await expect(page.getByRole("row", { name: /a10/ }).first()).toBeVisible();
});

test("the palette goes anywhere by keyboard", async ({ page, stack, signIn }) => {
  await signIn("on_call");
  await page.goto(stack.url);
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox", { name: "Go to" });
  await search.fill("gh-train-01");
  await expect(page.getByRole("option", { name: /gh-train-01/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: /gh-train-01/ })).toBeVisible();
});

test("a cloud that does not answer makes the fleet stale, and nothing else", async ({ page, stack, signIn }) => {
  await signIn("operator");
  await page.goto(`${stack.url}/fleet`);
  const rows = page.getByRole("table", { name: "Instances" }).getByRole("row");
  await expect(rows.nth(1)).toBeVisible();
  const count = await rows.count();
  await stack.cloud("POST", "/faults", { name: "edge_page" });
  await stack.advance(3 * 60_000);
  await expect(page.getByText("The fleet is stale.")).toBeVisible();
  expect(await rows.count()).toBe(count);
  await stack.cloud("DELETE", "/faults?name=edge_page");
  await stack.advance(5 * 60_000);
  await expect(page.getByText("The fleet is stale.")).toBeHidden();
});
