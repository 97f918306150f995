import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import type { Ctx, Role } from "@/lib/domain/access";
import { LabelChange } from "@/lib/domain/fleet/labels";
import { by, emptyHouse, MINUTE, machine, NOON, person } from "@/lib/testing/alerting";
import { changeInstanceLabels } from "./labels";
import { readFleet } from "./read";

beforeEach(emptyHouse);

const DAY = 24 * 60 * MINUTE;
const who = async (role: Role, at = NOON): Promise<Ctx> => by(await person("Ada", role), at);
const labels = (instanceId: string, more: object = {}) =>
  LabelChange.parse({
    instanceId,
    owner: "ada",
    team: "serving",
    project: "",
    environment: "prod",
    workload: "inference",
    ...more,
  });
const history = (resourceId: string) =>
  prisma.resourceLabel.findMany({ where: { resourceId }, orderBy: { validFrom: "asc" } });

describe("changing whose a machine is", () => {
  test("holds from now on and leaves the past as it was", async () => {
    const gh = await machine("gh-1");
    const ctx = await who("operator");
    await changeInstanceLabels(ctx, labels(gh.resourceId));
    expect(await history(gh.resourceId)).toMatchObject([
      { validFrom: new Date(NOON - DAY), validTo: new Date(NOON), team: "research", workload: "training", byId: null },
      {
        validFrom: new Date(NOON),
        validTo: null,
        team: "serving",
        owner: "ada",
        environment: "prod",
        workload: "inference",
        byId: "id" in ctx.actor ? ctx.actor.id : "",
      },
    ]);
    const [row] = (await readFleet(ctx)).rows;
    expect(row?.labels).toMatchObject({ team: "serving", workload: "inference" });
  });

  test("is told with what it was before, and nothing else", async () => {
    const gh = await machine("gh-1");
    await changeInstanceLabels(await who("finance"), labels(gh.resourceId, { workload: "training" }));
    const entry = await prisma.auditEvent.findFirst({ orderBy: { seq: "desc" } });
    expect(entry).toMatchObject({ action: "labels.changed", actor: "Ada", subject: "gh-1", subjectId: gh.resourceId });
    expect(entry?.changes).toEqual({
      team: { from: "research", to: "serving" },
      owner: { from: "", to: "ada" },
      environment: { from: "", to: "prod" },
    });
  });

  test("by several people at once leaves one line of history, without a gap or a fork", async () => {
    const gh = await machine("gh-1");
    const people = await Promise.all(["operator", "finance", "admin", "on_call"].map((role) => who(role as Role)));
    await Promise.all(
      people.map((ctx, i) =>
        changeInstanceLabels({ ...ctx, now: new Date(NOON + i) }, labels(gh.resourceId, { team: `t${i}` })),
      ),
    );
    const spans = await history(gh.resourceId);
    expect(spans.filter(({ validTo }) => validTo === null)).toHaveLength(1);
    for (const [i, span] of spans.slice(1).entries()) expect(span.validFrom).toEqual(spans[i]?.validTo);
  });

  test("twice within one instant keeps the later word", async () => {
    const gh = await machine("gh-1");
    const ctx = await who("operator");
    await changeInstanceLabels(ctx, labels(gh.resourceId, { team: "one" }));
    await changeInstanceLabels(ctx, labels(gh.resourceId, { team: "two" }));
    expect((await history(gh.resourceId)).map(({ team }) => team)).toEqual(["research", "two"]);
  });

  test("is not for a viewer, and not of what there is not", async () => {
    const gh = await machine("gh-1");
    await expect(changeInstanceLabels(await who("viewer"), labels(gh.resourceId))).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(changeInstanceLabels(await who("operator"), labels(randomUUID()))).rejects.toMatchObject({
      code: "not-found",
    });
    expect(await history(gh.resourceId)).toHaveLength(1);
  });

  test("takes words, not novels, and no marks that hide", async () => {
    const gh = await machine("gh-1");
    expect(LabelChange.safeParse({ ...labels(gh.resourceId), team: "x".repeat(65) }).success).toBe(false);
    expect(LabelChange.safeParse({ ...labels(gh.resourceId), workload: "mining" }).success).toBe(false);
    await changeInstanceLabels(await who("operator"), labels(gh.resourceId, { team: " a\u202Eb\u0000 " }));
    expect((await history(gh.resourceId)).at(-1)?.team).toBe("ab");
  });
});
