import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./fixtures";

test.use({ world: { mode: "demo", scenario: "demo", days: 2 } });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RULE = "Too hot for this room";

type Told = { text: string };

let receiver: Server;
let address = "";
const told: Told[] = [];

test.beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
    request.on("end", () => {
      told.push({ text });
      response.writeHead(200).end("ok");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
test.afterAll(() => void receiver.close());

const toldOf = (kind: string) =>
  told.filter(({ text }) => text.includes(RULE) && text.includes(`"alert.${kind}"`)).length;
/** What "Would have fired" says. */
const wouldHaveFired = (page: Page) => page.locator(".figure").filter({ hasText: "Would have fired" });

test("a rule is tuned on the real history, fires, is told, acknowledged on a phone, and ends", async ({
  page,
  stack,
  signIn,
  browser,
}) => {
  test.slow();
  await signIn("operator");
  await stack.advance(MINUTE);

  await test.step("somebody outside is to be told", async () => {
    await page.goto(`${stack.url}/settings/channels`);
    await page.getByRole("button", { name: "New channel" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Kind").selectOption("webhook");
    await dialog.getByLabel("Name").fill("room-watch");
    await dialog.getByLabel("Address").fill(address);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(page.getByText("room-watch")).toBeVisible();
  });

  await test.step("the threshold is found by what it would have done", async () => {
    await page.goto(`${stack.url}/alerts/rules/new`);
    await page.getByLabel("Name", { exact: true }).fill(RULE);
    await page.getByLabel("Looks at").selectOption("gpu_metric.temperatureC");
    await page.getByLabel("Threshold", { exact: true }).first().fill("30");
    await page.getByLabel("For at least").fill("0");
    const figure = wouldHaveFired(page);
    await expect(figure).toContainText(/[1-9]\d*\s*times?/);
    await expectAccessible(page);
    const line = page.getByRole("slider", { name: "Threshold" });
    await expect(line).toHaveAttribute("aria-valuenow", "30");
    for (let i = 0; i < 40; i++) await line.press("ArrowUp");
    await expect(line).toHaveAttribute("aria-valuenow", "70");
    await expect(figure).toContainText(/^\D*0\s*times/);
    await page.getByRole("button", { name: /Save|Switch it on|Create/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: RULE })).toBeVisible();
    await expect(page.getByText("Tested before it was saved")).toBeVisible();
  });

  const { machines } = await stack.cloud<{ machines: { id: string; name: string }[] }>("GET", "/state");
  const machine = machines.find(({ name }) => name.startsWith("gh-train-02"));
  await test.step("a machine runs hot, and the receiver hears of it once", async () => {
    await stack.cloud("POST", `/machines/${machine?.id}/workload`, { kind: "thermal", params: { temperatureC: 93 } });
    await stack.advance(3 * MINUTE);
    expect(toldOf("fired")).toBe(1);
    await page.goto(`${stack.url}/settings/channels`);
    const tries = page.getByRole("table", { name: "Delivery log" }).getByRole("row").filter({ hasText: RULE });
    await expect(tries.filter({ hasText: "room-watch" })).toContainText(/HTTP 200.*Delivered/);
    await expectAccessible(page);
  });

  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL: stack.url });
  const phone = await context.newPage();
  await test.step("on-call takes it on a phone", async () => {
    await signIn("on_call", phone);
    await phone.goto(`${stack.url}/alerts`);
    await phone
      .getByRole("link", { name: new RegExp(RULE) })
      .first()
      .click();
    await expect(phone.getByRole("heading", { level: 1, name: RULE })).toBeVisible();
    await expect(phone.getByText("Burn meter")).toBeVisible();
    await phone.getByRole("button", { name: "Acknowledge", exact: true }).click();
    await expect(phone.getByRole("heading", { level: 1 }).getByText(/Acknowledged by/)).toBeVisible();
    await expectAccessible(phone);
  });

  await test.step("a silence is previewed, placed and priced", async () => {
    await page.goto(`${stack.url}/alerts/silences`);
    await page.getByRole("button", { name: "New silence" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Which alerts").fill(`alertname="${RULE}"`);
    await expect(dialog.getByText("Keeps 1 alert back now")).toBeVisible();
    await dialog.getByLabel("Why").fill("the fan is being changed");
    await dialog.getByRole("button", { name: "Place it" }).click();
    const row = page.getByRole("row").filter({ hasText: "the fan is being changed" });
    await expect(row).toContainText("Holds now");
    await stack.advance(2 * MINUTE);
    await page.reload();
    await expect(row).toContainText(/\$\d/);
    await expectAccessible(page);
    await page.goto(`${stack.url}/alerts`);
    await expect(page.getByText(/^Silenced until/).filter({ visible: true })).toHaveCount(1);
    await page.goto(`${stack.url}/alerts/silences`);
  });

  await test.step("it cools down; the end of what was told is told although the silence holds", async () => {
    await stack.cloud("POST", `/machines/${machine?.id}/workload`, { kind: "training" });
    await stack.advance(6 * MINUTE);
    await expect(phone.getByText("Resolved").first()).toBeVisible();
    expect([toldOf("fired"), toldOf("resolved")]).toEqual([1, 1]);
  });

  await test.step("the silence ends by itself, and says what was spent meanwhile", async () => {
    await stack.jump(HOUR);
    await stack.advance(MINUTE);
    await page.reload();
    const over = page.getByRole("table", { name: "Silences that are over" });
    await expect(over.getByRole("row").filter({ hasText: "the fan is being changed" })).toContainText(/\$\d/);
  });
  await context.close();
});
