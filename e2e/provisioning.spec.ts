import { expect, expectAccessible, test } from "./fixtures";

const MINUTE = 60_000;
type Machine = { id: string; name: string; status: string };

/** Launch and terminate without fear: what stands in the way is said and fixed, and a machine ends only when two people agree. */
test("from a pre-flight that fails to an end that a second person approves", async ({
  page,
  stack,
  signIn,
  browser,
}) => {
  test.slow();
  await stack.advance(2 * MINUTE);
  const second = await browser.newContext();
  const other = await second.newPage();

  await test.step("an admin sets guardrails: names, and a second person for every end", async () => {
    await signIn("admin", other);
    await other.goto(`${stack.url}/settings/guardrails`);
    await other.getByLabel("Names look like").fill("ml-*");
    await other.getByLabel("Terminations").selectOption("always");
    await other.getByRole("button", { name: "Save the guardrails" }).click();
    await expect(other.getByText("The guardrails are changed, from the next launch on")).toBeVisible();
    await other.goto(`${stack.url}/approvals`);
    await expect(other.getByText("Nothing waits for a second person.")).toBeVisible();
    await expectAccessible(other);
    await second.clearCookies();
  });

  await test.step("a launch whose pre-flight fails, and is fixed", async () => {
    await signIn("operator");
    await page.goto(`${stack.url}/launch`);
    await page.getByRole("radio", { name: /gpu_1x_gh200/ }).check();
    await page.getByLabel("SSH key").selectOption({ index: 1 });
    await page.getByLabel("Name", { exact: true }).fill("gh-train-01");
    await page.getByLabel("Team", { exact: true }).fill("research");
    await page.getByLabel("Purpose", { exact: true }).fill("ablation of the encoder");
    await page.getByLabel("Workload").selectOption("training");
    await page.getByRole("button", { name: /^A lease of 1\sd$/ }).click();
    await expect(page.getByText(/does not fit the pattern of names/).first()).toBeVisible();
    for (const box of await page.getByRole("checkbox", { name: /Launch although/ }).all()) await box.check();
    const launch = page.getByRole("button", { name: "Launch for $2.29/h" });
    await expect(launch).toBeDisabled();
    await page.getByLabel("Name", { exact: true }).fill("ml-train-01");
    await expect(page.getByText(/does not fit the pattern of names/)).toHaveCount(0);
    for (const box of await page.getByRole("checkbox", { name: /Launch although/ }).all()) await box.check();
    await expectAccessible(page);
    await launch.click();
    await expect(page.getByRole("heading", { name: /^ml-train-01-[0-9a-f]{8}$/ })).toBeVisible();
  });

  await test.step("it boots, and is what was ordered", async () => {
    await stack.pass(12 * MINUTE);
    await page.getByRole("link", { name: "Open the instance" }).click();
    await expect(page).toHaveURL(/\/fleet\/[0-9a-f-]{36}/);
    await expect(page.getByRole("heading", { level: 1, name: /ml-train-01/ })).toBeVisible();
    const checks = page.getByRole("list", { name: "Checks after boot" });
    await expect(checks.getByRole("listitem").filter({ hasText: "Passed" }).first()).toBeVisible();
    await expect(checks.getByRole("listitem").filter({ hasText: "Failed" })).toHaveCount(0);
  });
  const instanceUrl = page.url();
  const { machines } = await stack.cloud<{ machines: Machine[] }>("GET", "/state");
  const [machine] = machines;
  if (!machine) throw new Error("no machine");

  await test.step("on a phone it is picked by itself", async () => {
    const wide = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${stack.url}/fleet`);
    // The label lies over its box, and a finger meets the label.
    await page.getByRole("checkbox", { name: /^Select ml-train-01/ }).check({ force: true });
    await expect(page.getByRole("region", { name: "Selection" })).toContainText("1 selected");
    await expectAccessible(page);
    if (wide) await page.setViewportSize(wide);
    await page.goto(instanceUrl);
  });

  await test.step("its lease is extended", async () => {
    await page.getByRole("button", { name: "Extend…" }).click();
    const dialog = page.getByRole("dialog", { name: "Extend the lease" });
    await dialog.getByLabel("It may run").selectOption("3d");
    await dialog.getByRole("button", { name: "Extend it" }).click();
    await expect(page.getByText("The lease is set")).toBeVisible();
  });

  await test.step("its end is asked for, with evidence", async () => {
    await stack.cloud("POST", `/machines/${machine.id}/workload`, {
      kind: "training",
      params: { targetPct: 97, memoryPct: 40 },
    });
    await stack.advance(2 * MINUTE);
    await page.goto(`${instanceUrl.split("?")[0]}?ask=terminate`);
    const dialog = page.getByRole("dialog", { name: /Terminate ml-train-01/ });
    await expect(dialog.getByText("It is working right now.")).toBeVisible();
    await expect(dialog.getByText("For: ablation of the encoder")).toBeVisible();
    await expect(dialog.getByText("Lost for good")).toBeVisible();
    await expect(dialog.getByText("Every termination needs a second person.")).toBeVisible();
    await dialog.getByRole("checkbox", { name: /Checkpoints are copied/ }).check();
    await dialog.getByRole("checkbox", { name: /Terminate although: it is working/ }).check();
    await dialog.getByRole("button", { name: "Dry run" }).click();
    await expect(dialog.getByText(`{"instance_ids":["${machine.id}"]}`)).toBeVisible();
    const ask = dialog.getByRole("button", { name: "Ask a second person" });
    await expect(ask).toBeDisabled();
    await dialog.getByLabel(/to confirm/).fill(machine.name);
    await dialog.getByLabel("Reason (optional)").fill("the run diverged");
    await expectAccessible(page);
    await ask.click();
    await expect(page.getByText("A second person is asked")).toBeVisible();
    await expect(page.getByText("Somebody asks to terminate it.")).toBeVisible();
    await page.getByRole("link", { name: "Approvals", exact: true }).first().click();
    await expect(page.getByText(/You asked for this yourself/)).toBeVisible();
    await expect(page.getByRole("button", { name: /Approve and terminate/ })).toBeHidden();
    await stack.advance(2 * MINUTE);
    const { machines: still } = await stack.cloud<{ machines: Machine[] }>("GET", "/state");
    expect(still).toHaveLength(1);
  });

  await test.step("a second person agrees, by the evidence as it is now", async () => {
    await signIn("admin", other);
    const rail = other.getByRole("navigation", { name: "Main", exact: true });
    await rail.getByRole("link", { name: /^Approvals\s?1/ }).click();
    await expect(other.getByText("the run diverged")).toBeVisible();
    await expect(other.getByText("It is working right now.")).toBeVisible();
    await expectAccessible(other);
    await other.getByRole("button", { name: "Approve and terminate" }).click();
    await expect(other.getByRole("table", { name: "Decided requests" }).getByText("Approved")).toBeVisible();
  });

  await test.step("it is gone, and everything it touched is accounted for", async () => {
    await stack.advance(6 * MINUTE);
    const { machines: left } = await stack.cloud<{ machines: Machine[] }>("GET", "/state");
    expect(left).toEqual([]);
    await page.goto(instanceUrl);
    await expect(page.getByText("Gone from Lambda’s list", { exact: true }).first()).toBeVisible();
    await expect(page.getByText(/Billing stopped/)).toBeVisible();
    await expect(page.getByText("No file system was attached")).toBeVisible();
    await stack.pass(20 * MINUTE);
    await page.goto(instanceUrl);
    await expect(page.getByText("Its token is revoked")).toBeVisible();
    await expectAccessible(page);
    await second.close();
  });
});
