import { randomUUID } from "node:crypto";
import type { APIRequestContext } from "@playwright/test";
import type { FleetAnswer, InstanceRow } from "@/lib/domain/fleet/view";
import type { LaunchOffers } from "@/lib/domain/intents/offers";
import { expect, expectAccessible, test } from "./fixtures";
import type { Stack } from "./stack";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Machine = { id: string; name: string; status: string; terminateRequestedAt: number | null };

/** Three GH200s, by the API that programs use; every warning is read. */
async function launchThree(request: APIRequestContext, stack: Stack): Promise<void> {
  const offers = (await (await request.get(`${stack.url}/api/v1/launch-offers`)).json()) as LaunchOffers;
  const offer = offers.offers.find(({ typeName }) => typeName === "gpu_1x_gh200");
  const accepted: string[] = [];
  const intentId = randomUUID();
  for (let turn = 0; turn < 8; turn++) {
    const answer = await request.post(`${stack.url}/api/v1/intents/launch`, {
      headers: { origin: stack.url },
      data: {
        intentId,
        typeName: "gpu_1x_gh200",
        region: offer?.regions.find(({ isListed }) => isListed)?.name,
        sshKeyName: offers.sshKeys[0],
        name: "gh-{n}",
        count: 3,
        team: "research",
        workload: "dev",
        priceMicros: offer?.priceMicros,
        accepted,
      },
    });
    if (answer.ok()) return;
    const { error } = (await answer.json()) as { error: { message: string; fields: Record<string, string> } };
    const unread = error.fields.accepted;
    expect(unread, error.message).toBeDefined();
    accepted.push(unread ?? "");
  }
  throw new Error("warnings without end");
}

/** A rule that ends what nobody uses: watched for a week, armed, and then at work among machines that it must leave alone. */
test("an idle policy after its week in shadow", async ({ page, stack, signIn }) => {
  test.slow();
  await stack.advance(MINUTE);
  await signIn("admin");

  await test.step("write it; it begins in shadow, and nobody arms it before its week is over", async () => {
    await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Policies" }).click();
    await expect(page.getByText("No policy yet")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "New policy" }).click();
    await page.getByRole("menuitem", { name: /^Idle termination/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: "New policy" })).toBeVisible();
    await page.getByLabel("Name", { exact: true }).fill("Forgotten machines");
    await page.getByLabel("Idle for").fill("20");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("At least 30 min")).toBeVisible();
    await page.getByLabel("Idle for").fill("30");
    await page.getByLabel("Notice").fill("5");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /^Forgotten machines/ })).toBeVisible();
    await expect(page.getByText(/Its week is over in/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Arm…" })).toBeDisabled();
  });

  const policyUrl = page.url();
  await test.step("a week later", async () => {
    await stack.jump(7 * DAY + HOUR);
    await stack.advance(2 * MINUTE);
    await page.context().clearCookies();
    await signIn("admin");
    await page.goto(policyUrl);
    await expect(page.getByText("It may be armed.")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Arm…" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("it acts by itself");
    await dialog.getByRole("button", { name: "Arm it" }).click();
    await expect(page.getByText(/^Armed by Admin/)).toBeVisible();
  });

  await launchThree(page.request, stack);
  await stack.pass(12 * MINUTE);
  const fleet = async () => {
    const answer = await page.request.get(`${stack.url}/api/v1/fleet`);
    return ((await answer.json()) as FleetAnswer).rows;
  };
  const rows = (await fleet()).filter(({ telemetry }) => telemetry.state === "reporting");
  expect(rows).toHaveLength(3);
  const [empty, safe, silent] = rows as [InstanceRow, InstanceRow, InstanceRow];

  const work = async (kind: string) => {
    for (const { externalId } of rows) await stack.cloud("POST", `/machines/${externalId}/workload`, { kind });
  };

  await test.step("all three stop working; one is protected, one falls silent once its end is announced", async () => {
    await work("training");
    await stack.advance(3 * MINUTE);
    await work("idle-empty");
    const protect = await page.request.post(`${stack.url}/api/v1/fleet/${safe.id}/protect`, {
      headers: { origin: stack.url },
      data: { reason: "a demonstration tomorrow" },
    });
    expect(protect.ok()).toBe(true);
    // Half an hour makes a run of idle minutes; five more are the notice.
    await stack.pass(34 * MINUTE);
    await page.goto(policyUrl);
    const outlook = page.getByRole("table", { name: "What it does now and next" });
    for (const { name } of [empty, silent])
      await expect(outlook.getByRole("row", { name: new RegExp(name) })).toContainText("Announced");
    await stack.cloud("POST", `/machines/${silent.externalId}/agent`, { state: "stopped" });
    await stack.pass(14 * MINUTE);
  });

  await test.step("it ends the empty one and no other", async () => {
    const { machines } = await stack.cloud<{ machines: Machine[] }>("GET", "/state");
    // What is not heard counts as busy, whatever was announced; the one that was ended is in no listing any more.
    const left = machines.filter(({ terminateRequestedAt }) => terminateRequestedAt === null).map(({ id }) => id);
    expect(left.sort()).toEqual([safe.externalId, silent.externalId].sort());
    await page.goto(policyUrl);
    const decided = page.getByRole("table", { name: "What it decided" });
    await expect(decided.getByRole("row", { name: new RegExp(empty.name) })).toContainText("Acted");
    await expect(decided.getByRole("row", { name: new RegExp(silent.name) })).toContainText("Taken back");
    await expect(decided.getByRole("row", { name: new RegExp(safe.name) })).toHaveCount(0);
    const outlook = page.getByRole("table", { name: "What it does now and next" });
    await expect(outlook.getByRole("row", { name: new RegExp(safe.name) })).toContainText("it is protected");
    await expectAccessible(page);
  });

  await test.step("all automation is stopped with one switch, and every page says so", async () => {
    await page.goto(`${stack.url}/policies`);
    await page.getByRole("button", { name: "Stop all automation" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Why").fill("somebody wants to look first");
    await dialog.getByRole("button", { name: "Stop all automation" }).click();
    await expect(page.getByRole("button", { name: "Let automation go on" })).toBeVisible();
    await page.goto(`${stack.url}/fleet`);
    await expect(page.getByText("somebody wants to look first")).toBeVisible();
    await stack.cloud("POST", `/machines/${silent.externalId}/agent`, { state: "running" });
    await stack.pass(40 * MINUTE);
    const { machines } = await stack.cloud<{ machines: Machine[] }>("GET", "/state");
    expect(machines.filter(({ terminateRequestedAt }) => terminateRequestedAt === null)).toHaveLength(2);
    await expectAccessible(page);
  });
});
