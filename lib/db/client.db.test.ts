import { expect, test } from "vitest";
import { pool, prisma, transact } from "./client";

async function breakAllConnections(): Promise<void> {
  const { rows } = await pool().query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  expect(rows.length).toBeGreaterThan(0);
}

test("connections that break, waiting or lent out, end their own work and nothing else", async () => {
  const lent = await pool().connect();
  await lent.query("begin");
  const left = transact(async (tx) => {
    await tx.setting.count();
    await breakAllConnections();
    await tx.setting.count();
  });
  await expect(left).rejects.toThrow();
  await expect(lent.query("select 1")).rejects.toThrow();
  lent.release(true);
  // An uncaught error would have ended this process, and with it the test.
  expect(await prisma.setting.count()).toBe(0);
});

test("a transaction that fails leaves nothing behind", async () => {
  const failing = transact(async (tx) => {
    await tx.setting.create({ data: { id: "half", value: 1, updatedAt: new Date() } });
    throw new Error("no further");
  });
  await expect(failing).rejects.toThrow("no further");
  expect(await prisma.setting.count({ where: { id: "half" } })).toBe(0);
});
