import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { prisma } from "@/lib/db/client";
import { personAt } from "@/lib/testing/people";
import { savedNoun } from "./saved";

const NOW = "2026-11-20T12:00:00Z";
const LATER = new Date("2026-11-20T13:00:00Z");

const scenarios = savedNoun({
  kind: "scenario",
  called: "scenario",
  body: z.object({ hours: z.number().min(0) }),
  write: "fleet:read",
});

beforeEach(async () => {
  await prisma.savedItem.deleteMany();
});

const fields = (over: object = {}) => ({ name: "Night shift", isShared: false, body: { hours: 12 }, ...over });

describe("what people keep by name", () => {
  test("is theirs until they share it", async () => {
    const anna = await personAt("operator", NOW);
    const ben = await personAt("viewer", NOW);
    const { id } = await scenarios.create(anna, fields());
    expect(await scenarios.list(ben)).toEqual([]);
    await expect(scenarios.find(ben, { id })).rejects.toMatchObject({ code: "not-found" });
    await scenarios.change(anna, { id, version: 1, ...fields({ isShared: true }) });
    expect(await scenarios.find(ben, { id })).toMatchObject({ name: "Night shift", body: { hours: 12 }, isOwn: false });
    await expect(scenarios.change(ben, { id, version: 2, ...fields() })).rejects.toMatchObject({ code: "forbidden" });
  });

  test("is not written over by who read an older one", async () => {
    const anna = await personAt("operator", NOW);
    const { id } = await scenarios.create(anna, fields());
    const changes = await Promise.allSettled(
      [1, 2].map((hours) =>
        scenarios.change({ ...anna, now: LATER }, { id, version: 1, ...fields({ body: { hours } }) }),
      ),
    );
    expect(changes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await prisma.rowVersion.count({ where: { tableName: "saved_item", rowId: id } })).toBe(1);
  });

  test("is refused when it is not one, and is gone when it was removed", async () => {
    const anna = await personAt("operator", NOW);
    await expect(scenarios.create(anna, fields({ body: { hours: -1 } }))).rejects.toMatchObject({ code: "invalid" });
    const { id } = await scenarios.create(anna, fields());
    await scenarios.remove(anna, { id });
    expect(await scenarios.list(anna)).toEqual([]);
    await expect(scenarios.remove(anna, { id })).rejects.toMatchObject({ code: "not-found" });
  });
});
