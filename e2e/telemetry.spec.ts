import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { writeBody } from "@/lib/testing/remote-write";
import { expect, expectAccessible, test } from "./fixtures";

test.use({ world: { mode: "demo", scenario: "demo", days: 1 } });

const MINUTE = 60_000;

/** A card of the demo as its senders know it. */
async function cardOf(
  databaseUrl: string,
  name: string,
): Promise<{ instanceId: string; uuid: string; hostname: string }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ instanceId: string; uuid: string; hostname: string }>(
    `select g.resource_id as "instanceId", g.uuid, s.hostname from gpu g join resource_span s on s.resource_id = g.resource_id and s.valid_to is null where s.name = $1`,
    [name],
  );
  await client.end();
  if (!rows[0]) throw new Error(`${name} has no GPU`);
  return rows[0];
}

test("every door leads to the machine: remote write, a fetched page, the kernel's log, a run", async ({
  page,
  stack,
  signIn,
}) => {
  await signIn("admin");
  await stack.advance(MINUTE);
  const token = /hd_\S+/.exec(await stack.command("token", "create", "ingest", "--name", "doors"))?.[0] ?? "";
  const card = await cardOf(stack.databaseUrl, "gh-train-02");
  const send = async (path: string, body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}) =>
    fetch(stack.url + path, { method: "POST", body, headers: { authorization: `Bearer ${token}`, ...headers } });

  await test.step("an existing Prometheus writes what DCGM knows", async () => {
    const at = await stack.now();
    const labels = { Hostname: card.hostname, UUID: card.uuid, gpu: "0", modelName: "NVIDIA GH200 480GB" };
    const series = [10, 20, 30].map((secondsAgo) => [0.33, at - secondsAgo * 1000] as const);
    const response = await send(
      "/api/v1/write",
      writeBody([{ labels: { __name__: "DCGM_FI_PROF_SM_ACTIVE", ...labels }, samples: series }]),
      {
        "content-type": "application/x-protobuf",
        "content-encoding": "snappy",
        "x-prometheus-remote-write-version": "0.1.0",
      },
    );
    expect(response.status, await response.text()).toBe(204);
    const answer = await page.request.get(
      `${stack.url}/api/v1/series?metric=smActivePct&scope=instance=${card.instanceId}&range=1h`,
    );
    const { max } = (await answer.json()) as { max: (number | null)[] };
    expect(max.filter((value) => value !== null)).toEqual([33, 33, 33]);
  });

  await test.step("the kernel's log becomes one incident with what to do", async () => {
    const at = new Date(await stack.now()).toISOString().replace(/\.\d+/, "");
    const lines = ["48, pid=71, name=python3, DBE", "63, pid=71, name=python3, row remap"].map(
      (text) => `${at} ${card.hostname} kernel: NVRM: Xid (PCI:0000:dd:00): ${text}`,
    );
    const report = [
      `#agent protocol=2 version=2.0.0 host=${card.hostname} interval=10 sent_at=${at}`,
      `#kernel at=${at} from=journalctl`,
      ...lines,
      "",
    ].join("\n");
    for (const _ of ["once", "and again"]) {
      const response = await send("/api/v1/ingest/nvidia-smi", report);
      expect(response.status, await response.text()).toBe(200);
    }
    await page.goto(`${stack.url}/fleet/${card.instanceId}`);
    const incident = page.getByRole("listitem").filter({ hasText: "Double Bit ECC Error" });
    await expect(incident).toContainText("Drain and reset the GPU.");
    await expect(incident).toContainText("2 lines");
    await incident.getByRole("button", { name: /^Xid 63/ }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("a note on the time axis", async () => {
    await page.getByRole("button", { name: "Add a note" }).click();
    await page.getByLabel("What happened").fill("batch size 24 to 32");
    await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
    await expect(page.getByText("batch size 24 to 32").first()).toBeVisible();
  });

  await test.step("a page is fetched", async () => {
    const exporter = createServer((_, response) =>
      response.end(`DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="${card.uuid}",modelName="NVIDIA GH200 480GB"} 41\n`),
    );
    await new Promise<void>((resolve) => exporter.listen(0, "127.0.0.1", resolve));
    const { port } = exporter.address() as AddressInfo;
    await page.goto(`${stack.url}/settings`);
    await page.getByRole("button", { name: "New target" }).click();
    await page.getByLabel("Name", { exact: true }).fill("gh-train-02 dcgm");
    await page.getByLabel("Address of the page").fill(`http://127.0.0.1:${port}/metrics`);
    await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
    const row = page.getByRole("row", { name: /gh-train-02 dcgm/ });
    await expect(row).toBeVisible();
    await row.getByRole("button", { name: "Fetch gh-train-02 dcgm now" }).click();
    await expect(page.getByText(/1 GPU/).first()).toBeVisible();
    await expectAccessible(page);
    await new Promise((resolve) => exporter.close(resolve));
    await stack.advance(2 * MINUTE);
    await expect(row.getByText(/refused|cannot be reached|ECONNREFUSED|nothing listens|No answer/i)).toBeVisible();
  });

  await test.step("a run is written down, and ended", async () => {
    await page.goto(`${stack.url}/runs`);
    await page.getByRole("button", { name: "New run" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Instance").selectOption({ label: "gh-train-02, gpu_1x_gh200" });
    await dialog.getByLabel("Name").fill("borealis, third try");
    await dialog.getByLabel("Expected hours").fill("8");
    await dialog.getByRole("button", { name: "Write it down" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /borealis, third try/ })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "End now" }).click();
    await page.getByRole("dialog").getByRole("button", { name: /End/ }).click();
    await expect(page.getByText("Ended").first()).toBeVisible();
  });

  await test.step("the heat map leads to the machine by keyboard", async () => {
    await page.goto(`${stack.url}/fleet?view=heat`);
    await expectAccessible(page);
    const group = page.getByLabel(/^gpu_1x_gh200/);
    await group.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: /^gh-/ })).toBeVisible();
  });
});
