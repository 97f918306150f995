import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordAudit } from "@/lib/db/mutate";
import { checkTrail } from "@/lib/domain/activity/trail";
import { exportTrail } from "@/lib/services/activity/export";
import { as } from "@/lib/testing/people";
import { rows, startWorld, type World } from "@/lib/testing/world";
import { sha256 } from "./audit";

let world: World;
beforeAll(async () => {
  world = await startWorld({});
});
afterAll(() => world.close());

async function exported(): Promise<string[]> {
  const { lines } = await exportTrail(await as("admin", new Date(world.now())));
  let text = "";
  for await (const part of lines) text += part;
  return text.trimEnd().split("\n");
}

async function check(lines: string[]) {
  async function* each() {
    yield* lines;
  }
  return checkTrail(each(), sha256);
}

test("the trail of the database verifies outside of it, whatever its entries say", async () => {
  const ctx = await as("admin", new Date(world.now()));
  const odd = [
    { a: 1.5, b: [null, true], "ü😀": 'line\nend\t"x" \\ \u2028' },
    { amountMicros: "9007199254740993" },
    {},
  ];
  for (const after of odd)
    await recordAudit(ctx, {
      action: "setting.changed",
      subjectKind: "setting",
      subjectId: "x",
      subject: "Zürich 😀",
      reason: "a\\b",
      after,
    });
  const lines = await exported();
  const [last] = await rows<{ seq: string; hash: string }>(
    "select seq, encode(hash, 'hex') as hash from audit_event order by seq desc limit 1",
  );
  expect(await check(lines)).toEqual({ entries: Number(last?.seq), head: last?.hash, problems: [] });
  const changed = lines.map((line) => line.replace("Zürich", "Zurich"));
  expect((await check(changed)).problems.length).toBeGreaterThan(0);
});

test("a part of the trail is not exported as if it were the whole", async () => {
  await expect(exportTrail(await as("finance", new Date(world.now())))).rejects.toMatchObject({ code: "forbidden" });
  await expect(exportTrail(await as("viewer", new Date(world.now())))).rejects.toMatchObject({ code: "forbidden" });
});

test("the hash is SHA-256 over the bytes of the hash before and the text", () => {
  const before = "ab".repeat(32);
  const expected = createHash("sha256")
    .update(Buffer.concat([Buffer.from(before, "hex"), Buffer.from("é")]))
    .digest("hex");
  expect(sha256("é", before)).toBe(expected);
});
