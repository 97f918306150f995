import { expect, test } from "@playwright/test";
import { CrashGround, VICTIMS } from "./crash";

/** Each process in turn; `npm run soak` asks for more. */
const ROUNDS = Number(process.env.HOPPERDECK_CRASH_ROUNDS ?? VICTIMS.length);

test("nothing that was acknowledged is lost when web, worker or PostgreSQL is killed in the middle of a load", async () => {
  const ground = new CrashGround();
  try {
    await ground.open();
    for (let round = 0; round < ROUNDS; round++) await ground.round(VICTIMS[round % VICTIMS.length] ?? "web");
    expect(await ground.faults()).toEqual([]);
    expect(ground.samples).toBeGreaterThan(1_000);
  } finally {
    await ground.close();
  }
});
