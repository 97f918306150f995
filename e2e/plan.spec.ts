import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./fixtures";

test.use({ world: { mode: "demo", scenario: "demo", days: 3 } });

const PAGES = ["", "/prices", "/spot", "/savings", "/sizing", "/scenarios", "/workloads", "/catalogue", "/mix"];
/** The day of the provisioning review, whose job the requirements work out. */
const REVIEW = "/plan?on=2025-10-30&gpu=A100+40";

/** What stands in the small window that a figure opens. */
async function formulaOf(page: Page, figure: RegExp): Promise<string> {
  await page.getByRole("button", { name: figure }).first().click();
  const formula = page.getByRole("dialog");
  const text = (await formula.textContent()) ?? "";
  await page.keyboard.press("Escape");
  await expect(formula).toBeHidden();
  return text.replaceAll(/\s+/g, " ");
}

test("a job of twelve hours at every provider, like with like", async ({ page, stack, signIn }) => {
  await signIn("viewer");
  await page.goto(stack.url + REVIEW);
  const offers = page.getByRole("table", { name: "Offers" });
  const offer = (provider: string, total: string) =>
    offers.getByRole("row").filter({ hasText: provider }).filter({ hasText: total });

  await test.step("each total is that of the requirement", async () => {
    for (const [provider, total] of [
      ["Lambda", "$15.48"],
      ["Thunder Compute", "$7.92"],
      ["TensorDock", "$21.60"],
      ["RunPod", "$20.88"],
      ["RunPod", "$14.28"],
      ["RunPod", "$8.28"],
      ["AWS", "$36.24"],
      ["Google Cloud", "$44.04"],
      ["Azure", "$40.80"],
    ] as const)
      await expect(offer(provider, total).first(), `${provider} ${total}`).toBeVisible();
    await expect(offer("RunPod", "$4.14")).toHaveCount(0);
    await expect(offer("Lambda", "$15.48")).toContainText("reference");
    await expect(offer("TensorDock", "$9.00")).toContainText("Rejected");
  });

  await test.step("a figure opens its formula with the numbers in it", async () => {
    expect(await formulaOf(page, /^Cost: \$15\.48/)).toMatch(/\$1\.29 × 1 × 12 h = \$15\.48/);
    await expectAccessible(page);
  });

  await test.step("other hours, by the address", async () => {
    await page.getByLabel("Hours", { exact: true }).fill("24");
    await page.getByLabel("Hours", { exact: true }).press("Enter");
    await expect(page).toHaveURL(/hours=24/);
    await expect(offer("Lambda", "$30.96")).toHaveCount(1);
  });

  await test.step("on a phone the prices stand in sight", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(stack.url + REVIEW);
    const like = page.getByRole("region", { name: "Like with like" });
    const card = like.getByRole("listitem").filter({ hasText: "$15.48" });
    await expect(card).toBeVisible();
    await expect(offers).toBeHidden();
    const box = await card.getByRole("button", { name: /^Cost: \$15\.48/ }).boundingBox();
    expect(box && box.x + box.width).toBeLessThanOrEqual(390);
    await expectAccessible(page);
  });
});

test("a scenario is kept, shared by its link, and becomes a budget", async ({ page, stack, signIn, browser }) => {
  await signIn("finance");
  await page.goto(`${stack.url}/plan/scenarios`);

  await test.step("keep the four environments by name", async () => {
    await page.getByRole("button", { name: /^Four environments, 4 weeks/ }).click();
    await expect(page.getByRole("heading", { name: "Four environments, 4 weeks" })).toBeVisible();
    await expect(page.getByText("$5,224.67").first()).toBeVisible();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Save the scenario" });
    await dialog.getByLabel("Name", { exact: true }).fill("Next year");
    await dialog.getByLabel("Shared by link").check();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Next year" })).toBeVisible();
    await expect(page).toHaveURL(/show=[0-9a-f-]{36}/);
    await expectAccessible(page);
  });

  await test.step("somebody else opens the link and may not change it", async () => {
    const context = await browser.newContext();
    const other = await context.newPage();
    await signIn("viewer", other);
    await other.goto(page.url());
    await expect(other.getByRole("heading", { name: "Next year" })).toBeVisible();
    await expect(other.getByText("$5,224.67").first()).toBeVisible();
    await expect(other.getByRole("button", { name: "Turn into a budget" })).toHaveCount(0);
    await expect(other.getByRole("button", { name: "Remove Next year" })).toHaveCount(0);
    await context.close();
  });

  await test.step("two beside each other", async () => {
    await page.getByRole("checkbox", { name: "Compare Next year" }).click();
    await page.getByRole("checkbox", { name: "Compare Four environments, 52 ÷ 12 weeks" }).first().click();
    const beside = page.getByRole("table", { name: "Scenarios side by side" });
    await expect(beside.getByRole("row", { name: /A month, against the first/ })).toContainText("+$262.16");
  });

  await test.step("its month becomes a limit", async () => {
    await page.getByRole("button", { name: "Turn into a budget" }).click();
    const dialog = page.getByRole("dialog", { name: /^A budget of \$5,224\.67 a month/ });
    await dialog.getByLabel("For", { exact: true }).selectOption("project");
    await dialog.getByRole("button", { name: "Set it up" }).click();
    await expect(page.getByText("The budget is set up")).toBeVisible();
    await page.goto(`${stack.url}/cost/budgets`);
    await expect(page.getByText("Next year").first()).toBeVisible();
  });
});

test("from a model to its GPUs, and from what ran to what it could have cost", async ({ page, stack, signIn }) => {
  await signIn("operator");
  await stack.advance(60_000);

  await test.step("70 billion parameters want four GH200", async () => {
    await page.goto(`${stack.url}/plan/sizing`);
    await page.getByLabel("Parameters", { exact: true }).fill("70");
    await page.getByLabel("Parameters", { exact: true }).press("Enter");
    await expect(page).toHaveURL(/params=70/);
    await expect(page.getByText("289 GiB needed")).toBeVisible();
    const fitting = page.getByRole("table", { name: "GPUs that hold it" });
    await expect(fitting.getByRole("row", { name: /4 × GH200/ })).toContainText("gpu_1x_gh200");
    expect(await formulaOf(page, /^Memory of weights/)).toMatch(/70,000,000,000 × 2 ÷ 1,073,741,824/);
    await expectAccessible(page);
  });

  await test.step("what a schedule would save opens its formula, and the address keeps the choice", async () => {
    await page.goto(`${stack.url}/plan/savings`);
    const measures = page.getByRole("table", { name: "Measures" });
    await expect(measures.getByRole("row", { name: /Off at night and at weekends/ })).toBeVisible();
    expect(await formulaOf(page, /^The chosen set, each hour counted once: /)).toMatch(/ − \$[\d,.]+ = \$[\d,.]+/);
    await measures.getByRole("checkbox", { name: "Choose: Same GPU, cheaper provider" }).click();
    await expect(page).toHaveURL(/set=idle%2Cschedule%2Cmove/);
    expect(await formulaOf(page, /^Same GPU, cheaper provider, in this set: /)).toMatch(/× 730 h ÷ [\d.,]+ h = \$/);
    await expectAccessible(page);
  });
});

test("every page of the plan, wide and phone, light and dark, is accessible", async ({ page, stack, signIn }) => {
  test.slow();
  await signIn("finance");
  await stack.advance(60_000);
  for (const [width, height, colorScheme] of [
    [1440, 900, "light"],
    [390, 844, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    for (const path of PAGES)
      await test.step(`/plan${path} at ${width} px, ${colorScheme}`, async () => {
        await page.goto(`${stack.url}/plan${path}`);
        await expect(page.getByRole("status").filter({ hasText: /^Loading$/ })).toHaveCount(0);
        await expectAccessible(page);
      });
  }
});
