import { expect, test } from "vitest";
import { type Client, pool, prisma, transact } from "./client";

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

test.each([
  ["statements of Prisma", (tx: Client, key: string) => tx.rateLimit.update({ where: { key }, data: { count: 1 } })],
  [
    "statements by hand",
    (tx: Client, key: string) => tx.$executeRaw`update rate_limit set count = 2 where key = ${key}`,
  ],
])("two transactions that wait for each other are both done: %s", async (_, change) => {
  const keys = ["one", "two"];
  await prisma.rateLimit.createMany({ data: keys.map((key) => ({ key, nextAt: new Date() })) });
  let tries = 0;
  let holding = 0;
  let release = () => {};
  const bothHold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const inTurn = (order: string[]) =>
    transact(async (tx) => {
      tries++;
      await change(tx, order[0] ?? "");
      holding++;
      if (holding === 2) release();
      await bothHold;
      await change(tx, order[1] ?? "");
    });
  await Promise.all([inTurn(keys), inTurn(keys.toReversed())]);
  expect(tries).toBe(3);
  await prisma.rateLimit.deleteMany({ where: { key: { in: keys } } });
});
