import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./fixtures";

test.use({ world: { mode: "demo", scenario: "demo", days: 1 } });

const SECOND = 1_000;
const PLAN = `version: 1
fleet: The plan of January
undeclared: ignore
groups:
  - name: h200-trainers
    instanceType: gpu_1x_gh200
    # What the plan says; what runs is another matter.
    gpu: H200
    memoryGb: 141
    count: 3
    regions: [us-east-3]
    pricePerHour: 2.49
    pools:
      - { name: weights, gb: 60 }
      - { name: kv-cache, gb: 40 }
      - { name: activations, gb: 30 }
      - { name: reserve, gb: 11 }
`;
const POOLS: readonly (readonly [from: string, to: string])[] = [
  ["kv-cache, gb: 40", "kv-cache, gb: 30"],
  ["weights, gb: 60", "weights, gb: 40"],
  ["activations, gb: 30", "activations, gb: 20"],
  ["reserve, gb: 11", "reserve, gb: 6"],
];

type Machines = { machines: { id: string; name: string; type: string }[] };

const editor = (page: Page) => page.getByLabel("Declared fleet, YAML");
const finding = (page: Page, fact: string) => page.getByRole("listitem").filter({ hasText: fact });

test("a plan of H200s, three GH200s, and what comes of it", async ({ page, stack, signIn }) => {
  test.slow();
  await signIn("operator");
  const { machines } = await stack.cloud<Machines>("GET", "/state");
  const trainers = machines.filter(({ type }) => type === "gpu_1x_gh200");
  expect(trainers).toHaveLength(3);
  for (const { id } of trainers)
    await stack.cloud("POST", `/machines/${id}/agent`, { kind: "inline", state: "running" });
  await stack.advance(30 * SECOND);

  await test.step("declare the plan", async () => {
    await page.goto(`${stack.url}/alignment/declaration`);
    await editor(page).fill(PLAN.replace("memoryGb: 141", "memoryGb: plenty"));
    await page.getByRole("button", { name: "Show what changes" }).click();
    await expect(page.getByText("groups[0].memoryGb", { exact: false }).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Line 9" })).toBeVisible();
    await editor(page).fill(PLAN);
    await page.getByRole("button", { name: "Show what changes" }).click();
    await expect(page.getByText("It can be declared.")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: /^Declare version/ }).click();
    await expect(page).toHaveURL(/\/alignment$/);
  });

  await test.step("the three GH200s, and effects that add up", async () => {
    await stack.advance(45 * SECOND);
    await page.reload();
    const group = page.getByRole("region", { name: "h200-trainers", exact: true });
    await expect(group.getByRole("link", { name: /^gh-/ })).toHaveCount(3);
    const facts = group.getByRole("table", { name: "Facts of h200-trainers" });
    await expect(facts.getByRole("row", { name: /GPU model.*H200.*GH200.*3 differ/ })).toBeVisible();
    await expect(facts.getByRole("row", { name: /GPU memory.*141 GB.*−135 GB/ })).toBeVisible();
    await expect(facts.getByRole("row", { name: /Memory pools.*−135 GB/ })).toBeVisible();
    await expect(facts.getByRole("row", { name: /Price.*−\$432\.00/ })).toBeVisible();
    const price = group.getByRole("table", { name: "Price of h200-trainers" });
    await expect(price.getByRole("row", { name: /Declared, 3 × \$2\.49/ })).toContainText("$5,378.40");
    await expect(price.getByRole("row", { name: /Today, 3 × \$2\.29/ })).toContainText("$4,946.40");
    await expect(price.getByRole("row", { name: /Difference/ })).toContainText("−$432.00");
    await expect(group).toContainText("60 + 40 + 30 + 11 = 141 GB on 96 GB as sold.");
    await expect(group).toContainText("activations and reserve have nothing behind them");
    await finding(page, "Memory pools").locator("summary").first().click();
    await expect(page.getByText("45 GB have nothing behind them").first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("each machine says so, and draws its pools", async () => {
    await page.getByRole("link", { name: "gh-train-01" }).first().click();
    await expect(page.getByRole("heading", { name: "Declared against observed" })).toBeVisible();
    await expect(page.getByText("nothing behind it").first()).toBeVisible();
  });

  await test.step("the report is the page, dated", async () => {
    const report = await page.request.get(`${stack.url}/api/v1/alignment/report`);
    expect(report.headers()["content-disposition"]).toContain(
      `hopperdeck-alignment-${new Date(await stack.now()).toISOString().slice(0, 10)}.md`,
    );
    expect(await report.text()).toContain("$5,378.40 declared, $4,946.40 at today’s prices, −$432.00");
  });

  await test.step("correct the declaration: the page turns aligned", async () => {
    await page.goto(`${stack.url}/alignment`);
    await page.getByRole("link", { name: "Edit the declaration" }).click();
    await expect(editor(page)).toHaveValue(/gpu: GH200/);
    let text = await editor(page).inputValue();
    expect(text).toContain("pricePerHour: 2.29");
    expect(text).toContain("# What the plan says");
    for (const [from, to] of POOLS) text = text.replace(from, to);
    await editor(page).fill(text);
    await page.getByLabel("What this version is for").fill("GH200, as they are");
    await page.getByRole("button", { name: "Show what changes" }).click();
    await expect(page.getByText("By what was seen last, nothing would differ.")).toBeVisible();
    await page.getByRole("button", { name: /^Declare version/ }).click();
    await expect(page).toHaveURL(/\/alignment$/);
    await expect(page.getByText("Every fact of 3 machines is as declared.")).toBeVisible();
    await expect(page.getByRole("region", { name: "h200-trainers", exact: true })).toContainText("Aligned");
  });

  await test.step("a card is exchanged and a price falls: the page and an alert say so", async () => {
    const [first] = trainers;
    await stack.cloud("POST", `/machines/${first?.id}/cards`, { type: "gpu_1x_h100_pcie" });
    await stack.cloud("POST", "/prices", { type: "gpu_1x_gh200", cents: 149 });
    // Two polls of the listing.
    await stack.advance(30 * SECOND);
    await page.reload();
    const group = page.getByRole("region", { name: "h200-trainers", exact: true });
    await expect(group.getByRole("table", { name: "Price of h200-trainers" })).toContainText("$3,218.40");
    await expect(finding(page, "Price").first()).toContainText("−$1,728.00");
    await stack.advance(30 * SECOND);
    await page.reload();
    await expect(finding(page, "GPU model").first()).toContainText("H100 PCIe");
    await expect(finding(page, "Lambda’s record").first()).toContainText(first?.name ?? "");
    await page.goto(`${stack.url}/alerts`);
    await expect(page.getByText("Not as declared").first()).toBeVisible();
    await page.goto(`${stack.url}/fleet`);
    await expect(page.getByText(/^\d+ not as declared$/).first()).toBeVisible();
  });
});
