import { expect, expectAccessible, test } from "./fixtures";

const MINUTE = 60_000;
type Machine = { id: string; name: string; status: string };

/** The whole product once: an empty account, a machine, what it does, what it costs, what it warns of, and its end. */
test("from nothing to a terminated machine", async ({ page, stack, signIn }) => {
  await stack.advance(MINUTE);
  await signIn("operator");
  await expect(page.getByText("No instance bills.")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Fleet" }).click();
  await expect(page.getByText("No instance runs")).toBeVisible();
  await page.getByRole("link", { name: "Launch an instance" }).click();

  await test.step("launch a GH200", async () => {
    await page.getByRole("radio", { name: /gpu_1x_gh200/ }).check();
    await page.getByLabel("SSH key").selectOption({ index: 1 });
    await page.getByLabel("Name", { exact: true }).fill("gh-train-01");
    await page.getByLabel("Team", { exact: true }).fill("research");
    await page.getByLabel("Workload").selectOption("training");
    for (const box of await page.getByRole("checkbox", { name: /Launch although/ }).all()) await box.check();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Launch for $2.29/h" }).dblclick();
    await expect(page.getByRole("heading", { name: /^gh-train-01-[0-9a-f]{8}$/ })).toBeVisible();
  });

  await test.step("watch it boot, and report", async () => {
    await stack.advance(MINUTE);
    const progress = page.getByRole("list", { name: "Progress" });
    await expect(progress.getByText("usually 2 to 6 min, free")).toBeVisible();
    await stack.pass(10 * MINUTE);
    await expect(progress.getByText(/billing since/)).toBeVisible();
    await expect(progress.getByText(/first sample .*2026|first sample \w/)).toBeVisible();
    await page.getByRole("link", { name: "Open the instance" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /gh-train-01/ })).toBeVisible();
    await expect(page.getByText("NVIDIA GH200 480GB").first()).toBeVisible();
  });

  const { machines } = await stack.cloud<{ machines: Machine[] }>("GET", "/state");
  expect(machines).toHaveLength(1);
  const [machine] = machines;
  if (!machine) throw new Error("no machine");
  const instanceUrl = page.url();

  await test.step("its numbers are live", async () => {
    await expect(page.getByText("Utilisation").first()).toBeVisible();
    await stack.cloud("POST", `/machines/${machine.id}/workload`, {
      kind: "training",
      params: { targetPct: 97, memoryPct: 40 },
    });
    await stack.advance(3 * MINUTE);
    await page.goto(`${stack.url}/fleet`);
    const row = page.getByRole("row", { name: /gh-train-01/ });
    await expect(row).toContainText("Active");
    await expect(row).toContainText("$2.29");
    const before = (await row.textContent()) ?? "";
    await stack.pass(20 * MINUTE);
    await expect(row).not.toHaveText(before);
    await expect(row).toContainText(/\/ 95\.6/);
    await expectAccessible(page);
  });

  await test.step("what it costs so far", async () => {
    await page.goto(`${stack.url}/cost`);
    await expect(page.getByRole("heading", { level: 1, name: "Cost" })).toBeVisible();
    await expect(page.getByRole("row", { name: /gh-train-01/ })).toBeVisible();
    await expectAccessible(page);
    const { bills } = await stack.cloud<{ bills: { micros?: string; cents?: number }[] }>("GET", "/truth");
    expect(bills.length).toBeGreaterThan(0);
  });

  await test.step("its VRAM fills up until an alert fires, and is acknowledged", async () => {
    await stack.cloud("POST", `/machines/${machine.id}/workload`, {
      kind: "memory-climb",
      params: { memoryPct: 97, overMinutes: 5 },
    });
    await stack.pass(13 * MINUTE);
    await page.goto(`${stack.url}/alerts`);
    const alert = page.getByRole("row", { name: /VRAM full/ });
    await expect(alert).toContainText("gh-train-01");
    await expectAccessible(page);
    await alert.getByRole("link", { name: /VRAM full/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: /VRAM full/ })).toBeVisible();
    await expect(page.getByText(/reduce the batch size/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Terminate…" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
    await expect(page.getByText(/Acknowledged/).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Acknowledge", exact: true })).toBeHidden();
  });

  await test.step("terminate it", async () => {
    await page.goto(instanceUrl);
    await page.getByRole("button", { name: "Terminate…" }).click();
    const dialog = page.getByRole("dialog", { name: /Terminate gh-train-01/ });
    await expect(dialog.getByText("Lost for good")).toBeVisible();
    await expect(dialog.getByText("It is working right now.")).toBeVisible();
    const end = dialog.getByRole("button", { name: "Terminate", exact: true });
    await expect(end).toBeDisabled();
    for (const box of await dialog.getByRole("checkbox").all()) await box.check();
    await dialog.getByLabel(/to confirm/).fill("gh-train-01");
    await expect(end).toBeDisabled();
    await dialog.getByLabel(/to confirm/).fill(machine.name);
    await expectAccessible(page);
    await end.click();
    await expect(page.getByText("Termination asked for")).toBeVisible();
    await stack.advance(5 * MINUTE);
    await expect(page.getByText(/Terminated|Gone from/).first()).toBeVisible();
    const { machines: left } = await stack.cloud<{ machines: Machine[] }>("GET", "/state");
    expect(left).toEqual([]);
  });

  await test.step("all of it stands in Activity", async () => {
    await page.goto(`${stack.url}/activity`);
    for (const words of [
      "Launch asked for",
      "Launch accepted",
      "Acknowledged",
      "Termination asked for",
      "Termination accepted",
    ])
      await expect(page.getByRole("cell", { name: words, exact: true }).first()).toBeVisible();
    await expect(page.getByText(/Chain verified/)).toBeVisible();
    await expectAccessible(page);
  });
});

test("a viewer sees the fleet and can change nothing", async ({ page, stack, signIn }) => {
  await signIn("viewer");
  await page.goto(`${stack.url}/launch`);
  await expect(page.getByText("Your role does not launch instances")).toBeVisible();
  await page.goto(`${stack.url}/activity`);
  await expect(page.getByText("Your role does not read the audit trail")).toBeVisible();
  const answer = await page.request.post(`${stack.url}/api/v1/intents/launch`, {
    headers: { origin: stack.url, "sec-fetch-site": "same-origin" },
    data: {},
  });
  expect(answer.status()).toBe(400);
});
