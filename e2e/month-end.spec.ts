import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import { parse } from "csv-parse/sync";
import type { CloseAnswer } from "@/lib/domain/cost/close";
import type { LedgerAnswer } from "@/lib/domain/cost/view";
import { expect, expectAccessible, test } from "./fixtures";

// The demo begins three days before the end of October.
test.use({ world: { mode: "demo", scenario: "demo", days: 21 } });

const MINUTE = 60_000;
const MONTH = "2026-10";

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), "utf8");
}

async function downloaded(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
  return textOf(file);
}

/** Micro-dollars of a column of dollars with six decimals. */
function sumOf(csv: string, column: string): bigint {
  const rows = parse(csv, { columns: true }) as Record<string, string>[];
  expect(rows.length).toBeGreaterThan(0);
  return rows.reduce((sum, row) => {
    const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(row[column] ?? "0") ?? [];
    const micros = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
    return sign ? sum - micros : sum + micros;
  }, 0n);
}

/** The provider's invoice as our ledger has it, but for an hour too much of one machine, and with tax. */
function invoiceOf({ rows }: LedgerAnswer): { table: string; total: string } {
  const lines = new Map<string, { name: string; id: string; minutes: number; micros: bigint }>();
  for (const row of rows) {
    // A machine is billed by its id, a file system by its name.
    const id = (row.charge === "usage" ? row.externalId : row.name) ?? "";
    const line = lines.get(id) ?? { name: row.name, id, minutes: 0, micros: 0n };
    line.minutes += row.minutes;
    line.micros += BigInt(row.micros ?? "0");
    lines.set(id, line);
  }
  const [dearest] = [...lines.values()].sort((a, b) => (a.micros > b.micros ? -1 : 1));
  if (!dearest) throw new Error("October has no rows");
  dearest.micros += (dearest.micros * 60n) / BigInt(dearest.minutes);
  dearest.minutes += 60;
  const cents = (micros: bigint) => (micros + 5_000n) / 10_000n;
  const dollars = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;
  const tax = 1_234n;
  const total = [...lines.values()].reduce((sum, line) => sum + cents(line.micros), tax);
  const table = [
    "Description\tInstance ID\tHours\tAmount",
    ...[...lines.values()].map((line) =>
      [line.name, line.id, line.minutes === 0 ? "" : (line.minutes / 60).toFixed(6), dollars(cents(line.micros))].join(
        "\t",
      ),
    ),
    ["Sales tax", "", "", dollars(tax)].join("\t"),
  ];
  return { table: table.join("\n"), total: dollars(total) };
}

test("the month's end, by finance alone", async ({ page, stack, signIn }) => {
  test.slow();
  await signIn("finance");
  await stack.advance(MINUTE);
  const checklist = page.getByRole("list").filter({ hasText: "Doubtful lives are signed off" });
  const point = (title: string) => checklist.getByRole("listitem").filter({ hasText: title });

  await test.step("open the month", async () => {
    await page.goto(`${stack.url}/cost/${MONTH}`);
    await expect(page.getByRole("heading", { level: 1, name: /^October 2026/ })).toBeVisible();
    await expect(point("The month is over").getByRole("img", { name: "Done" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Close month…" })).toBeDisabled();
    await page.getByRole("button", { name: "Begin closing" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /Closing/ })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("clear the queue", async () => {
    await page.goto(`${stack.url}/cost/allocation?month=${MONTH}`);
    const queue = page.getByRole("table", { name: "Resources without a payer" });
    await queue.getByRole("checkbox", { name: "Select all" }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Assign", exact: true }).first().click();
    const dialog = page.locator(".dialog");
    await dialog.getByLabel("Team").fill("platform");
    await dialog.getByLabel("From when on").selectOption("beginning");
    await dialog.getByRole("button", { name: "Assign" }).click();
    await expect(dialog).toBeHidden();
    await stack.advance(MINUTE);
    await page.goto(`${stack.url}/cost/${MONTH}`);
    await expect(point("Somebody pays for it")).toContainText("$0.00 (0.0 %) is nobody’s");
  });

  await test.step("enter the invoice", async () => {
    const ledger = await page.request.get(`${stack.url}/api/v1/ledger?month=${MONTH}`);
    const { table, total } = invoiceOf((await ledger.json()) as LedgerAnswer);
    await point("Every day is invoiced").getByRole("link", { name: "Enter an invoice" }).click();
    await page.getByText("Paste", { exact: true }).click();
    await page.getByLabel("The table, with its heads").fill(table);
    await page.getByRole("button", { name: "Read the table" }).click();
    await page.getByLabel("Number", { exact: true }).fill("INV-20418");
    await page.getByLabel("Issued on").fill("2026-11-02");
    await page.getByLabel("First day").fill("2026-10-26");
    await page.getByLabel("Last day").fill("2026-10-31");
    await page.getByLabel("Total to pay").fill(total);
    await expect(page.getByText("Left of the total")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Enter invoice" }).click();
    await expect(page.getByRole("table", { name: "Differences" })).toBeVisible();
  });

  await test.step("settle the differences", async () => {
    const differences = page.getByRole("table", { name: "Differences" });
    await expect(differences.getByRole("row", { name: /Quantity/ })).toBeVisible();
    const tax = differences.getByRole("row").filter({ has: page.getByRole("cell", { name: "Tax", exact: true }) });
    await tax.getByRole("button", { name: /^Settle/ }).click();
    await page.locator(".dialog").getByRole("button", { name: "Settle" }).click();
    await expect(page.locator(".dialog")).toBeHidden();
    await expect(tax).toContainText("Accepted");
    const open = differences.getByRole("button").filter({ hasText: "Settle…" });
    while ((await open.count()) > 0) {
      const left = await open.count();
      await open.first().click();
      await page
        .locator(".dialog")
        .getByRole("radio", { name: /^Disputed/ })
        .check({ force: true });
      await page.locator(".dialog").getByRole("textbox").fill("an hour more than Lambda's own log says");
      await page.locator(".dialog").getByRole("button", { name: "Settle" }).click();
      await expect(page.locator(".dialog")).toBeHidden();
      await expect(open).toHaveCount(left - 1);
    }
    await stack.advance(MINUTE);
  });

  await test.step("settle what is left, with a note", async () => {
    await page.goto(`${stack.url}/cost/${MONTH}`);
    await expect(point("Invoices agree with the ledger").getByRole("img", { name: "Done" })).toBeVisible();
    const settle = checklist.getByRole("button", { name: /^Settle: / });
    while ((await settle.count()) > 0) {
      const left = await settle.count();
      await settle.first().click();
      await page.getByLabel("Why this is all right").fill("looked at in Lambda's console");
      await page.locator(".dialog").getByRole("button", { name: "Settle" }).click();
      // While it is open, what lies behind it is nobody's.
      await expect(page.locator(".dialog")).toBeHidden();
      await expect(settle).toHaveCount(left - 1);
    }
    const review = page.getByRole("table", { name: "Lives to review" });
    await review.getByRole("checkbox", { name: "Select all that are open" }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: /^Sign off \d/ }).click();
    await page.getByLabel("Why the amount is right").fill("the log agrees");
    await page.locator(".dialog").getByRole("button", { name: "Sign off" }).click();
    await expect(page.locator(".dialog")).toBeHidden();
    await expect(point("Doubtful lives").getByRole("img", { name: "Done" })).toBeVisible();
  });

  let total = 0n;
  await test.step("close", async () => {
    await page.getByRole("button", { name: "Close month…" }).click();
    await expect(page.getByText("What becomes unchangeable")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Close October" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /Closed/ })).toBeVisible();
    await expect(page.getByText("October is not opened again")).toBeVisible();
    const answer = await page.request.get(`${stack.url}/api/v1/cost/close?month=${MONTH}`);
    const { contentHash, totalMicros } = (await answer.json()) as CloseAnswer;
    if (contentHash === null) throw new Error("the month is closed without a hash");
    total = BigInt(totalMicros);
    await expect(page.getByText(contentHash)).toBeVisible();
    const content = await downloaded(page, "The rows that it is taken of");
    expect(createHash("sha256").update(content).digest("hex")).toBe(contentHash);
    expect(await stack.command("cost", "close", MONTH)).toContain(contentHash);
    // Nothing half under the bar at the top, where it would count as too small to hit.
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectAccessible(page);
  });

  await test.step("download the statement and the FOCUS file", async () => {
    await page.getByRole("link", { name: "Everybody" }).click();
    await expect(page.getByRole("article", { name: /^Statement of Everybody/ })).toContainText(
      "Hash of this statement",
    );
    await expectAccessible(page);
    expect(sumOf(await downloaded(page, "CSV"), "amount_usd")).toBe(total);
    await page.goto(`${stack.url}/cost/exports?month=${MONTH}`);
    expect(sumOf(await downloaded(page, "FOCUS 1.2 as CSV"), "BilledCost")).toBe(total);
  });
});
