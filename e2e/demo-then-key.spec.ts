import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base } from "@playwright/test";
import { freePort } from "@/lib/launcher/postgres";
import { accept, expect } from "./fixtures";

type Product = { url: string; said: () => string; stop: () => Promise<void> };

const KEY = "secret_second_cloud_0123456789abcdef";

/** `npm start` itself, in a folder of its own whose name has a space in it. */
const test = base.extend<{ start: (settings: Record<string, string>) => Promise<Product>; secondCloud: string }>({
  start: async ({ browserName: _ }, provide) => {
    const folder = mkdtempSync(path.join(tmpdir(), "hopperdeck start "));
    const running: Product[] = [];
    await provide(async (settings) => {
      const port = String(await freePort());
      const child = spawn(process.execPath, ["lib/launcher/first.cjs", "start"], {
        env: {
          ...process.env,
          DATABASE_URL: "",
          LAMBDA_API_KEY: "",
          npm_lifecycle_event: "",
          PORT: port,
          DATA_DIR: folder,
          DEMO_DAYS: "1",
          ...settings,
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const said = await untilSaid(child, "Ctrl-C stops everything");
      const product = {
        url: `http://localhost:${port}`,
        said,
        stop: async () => {
          if (child.exitCode !== null) return;
          const exit = new Promise((resolve) => child.once("exit", resolve));
          child.kill("SIGINT");
          await exit;
        },
      };
      running.push(product);
      return product;
    });
    for (const product of running) await product.stop();
    rmSync(folder, { recursive: true, force: true });
  },
  secondCloud: async ({ browserName: _ }, provide) => {
    const child = spawn(process.execPath, ["--import", "tsx", "lib/simulator/main.ts"], {
      env: { ...process.env, SIM_API_KEY: KEY, SIM_SCENARIO: "empty" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said = await untilSaid(child, "\n");
    await provide((JSON.parse(said().trim()) as { apiUrl: string }).apiUrl);
    child.kill("SIGTERM");
  },
});

async function untilSaid(child: ChildProcess, words: string): Promise<() => string> {
  let text = "";
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      text += chunk;
      if (text.includes(words)) resolve();
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", (code) => reject(new Error(`it ended with ${code}:\n${text}`)));
  });
  return () => text;
}

test("the demo tried first, then a key: an empty real fleet and ledger, and the demo is still there", async ({
  page,
  start,
  secondCloud,
}) => {
  const demo = await start({});
  await page.goto(demo.url);
  await page.getByRole("button", { name: "Finance" }).click();
  await expect(page.getByText("Demo fleet.")).toBeVisible();
  await page.goto(`${demo.url}/fleet`);
  await expect(page.getByRole("row", { name: /gh-train-01/ })).toBeVisible();
  await demo.stop();
  expect(demo.said()).toContain("Nothing is lost");

  const real = await start({ LAMBDA_API_KEY: KEY, LAMBDA_API_URL: secondCloud });
  await page.goto(real.url);
  await expect(page.getByRole("button", { name: "Finance" })).toHaveCount(0);
  const link = /http:\S+welcome#\S+/.exec(real.said())?.[0] ?? "";
  await accept(page, link, "Fran First");
  await expect(page.getByText("No instance bills.")).toBeVisible();
  await expect(page.getByText("Demo fleet.")).toHaveCount(0);
  await page.goto(`${real.url}/fleet`);
  await expect(page.getByText("No instance runs")).toBeVisible();
  const ledger = await page.request.get(`${real.url}/api/v1/ledger`);
  expect(ledger.status()).toBe(200);
  expect(JSON.stringify(await ledger.json())).not.toContain("gh-train");
  await real.stop();

  const again = await start({});
  await page.goto(again.url);
  await page.getByRole("button", { name: "Viewer" }).click();
  await expect(page.getByText("Demo fleet.")).toBeVisible();
  await page.goto(`${again.url}/fleet`);
  await expect(page.getByRole("row", { name: /gh-train-01/ })).toBeVisible();
});
