import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import type { Matcher } from "@/lib/domain/silences/matchers";
import { NewSilence } from "@/lib/domain/silences/silence";
import { readInbox } from "@/lib/services/alerts/read";
import { by, emptyHouse, MINUTE, machine, NOON, person, rule, run } from "@/lib/testing/alerting";
import { previewSilence, readSilences } from "./read";
import { createSilence, endSilenceNow } from "./silences";

const HOUR = 60 * MINUTE;

beforeEach(async () => {
  await prisma.silence.deleteMany();
  await emptyHouse();
});

const onInstance = (value: string): Matcher[] => [{ label: "instance", op: "=", value }];

const silence = (over: object = {}) =>
  NewSilence.parse({
    matchers: onInstance("gh-1"),
    reason: "a new driver goes in",
    startsAt: NOON,
    endsAt: NOON + 2 * HOUR,
    ...over,
  });

describe("a silence", () => {
  test("is previewed, placed, priced, and ended by its maker", async () => {
    await rule();
    const one = await machine("gh-1");
    await machine("gh-2");
    await run(one, NOON, [90]);
    const ada = await person("Ada", "on_call");

    const preview = await previewSilence(by(ada, NOON + MINUTE), { matchers: onInstance("gh-1") });
    expect(preview.hidesNow).toMatchObject([{ ruleName: "Hot", target: "gh-1" }]);
    expect(preview.lastWeek).toMatchObject({ episodes: 1 });
    expect(preview.values.instance).toEqual(["gh-1"]);
    expect((await previewSilence(by(ada, NOON + MINUTE), { matchers: onInstance("gh-2") })).hidesNow).toEqual([]);
    expect((await previewSilence(by(ada, NOON + MINUTE), { matchers: [] })).hidesNow).toEqual([]);

    const { id } = await createSilence(by(ada, NOON + MINUTE), silence());
    const hourLater = await readSilences(by(ada, NOON + MINUTE + HOUR));
    // One machine at $2.29 an hour, kept back for an hour.
    expect(hourLater.rows).toMatchObject([
      { id, phase: "active", hidesNow: 1, hidden: 1, spentMicros: "2290000", createdBy: "Ada", mayEnd: true },
    ]);
    // It stands where it bites.
    const inbox = async (minutes: number) => (await readInbox(by(ada, NOON + minutes * MINUTE))).rows;
    expect(await inbox(2)).toMatchObject([
      { targetName: "gh-1", silence: { until: NOON + 2 * HOUR, reason: "a new driver goes in" } },
    ]);
    await endSilenceNow(by(ada, NOON + MINUTE + HOUR), { silenceId: id });
    expect(await inbox(62)).toMatchObject([{ targetName: "gh-1", silence: null }]);
    const later = await readSilences(by(ada, NOON + 5 * HOUR));
    expect(later.rows).toMatchObject([
      { phase: "over", hidesNow: 0, spentMicros: "2290000", endedBy: "Ada", mayEnd: false },
    ]);
    expect(await prisma.auditEvent.findMany({ where: { subjectId: id }, orderBy: { seq: "asc" } })).toMatchObject([
      { action: "silence.created", actor: "Ada", reason: "a new driver goes in" },
      { action: "silence.ended", actor: "Ada" },
    ]);
  });

  test("two alerts on one machine cost its price once", async () => {
    await rule();
    await rule({ name: "Hot too" });
    await run(await machine("gh-1"), NOON, [90]);
    const ada = await person("Ada", "operator");
    await createSilence(by(ada, NOON), silence());
    expect((await readSilences(by(ada, NOON + HOUR))).rows).toMatchObject([{ hidden: 2, spentMicros: "2290000" }]);
  });

  test("longer than four hours, or again and again, takes who may edit rules", async () => {
    const ada = await person("Ada", "on_call");
    const ben = await person("Ben", "operator");
    const long = silence({ endsAt: NOON + 5 * HOUR });
    const nights = silence({
      kind: "quiet_hours",
      endsAt: NOON + HOUR,
      recurrence: { zone: "Europe/Berlin", days: [1, 2], from: "22:00", to: "07:00" },
    });
    for (const input of [long, nights])
      await expect(createSilence(by(ada, NOON), input)).rejects.toMatchObject({ code: "forbidden" });
    await createSilence(by(ben, NOON), long);
    const { id } = await createSilence(by(ben, NOON), nights);
    await expect(endSilenceNow(by(ada, NOON), { silenceId: id })).rejects.toMatchObject({ code: "forbidden" });
    expect((await readSilences(by(ada, NOON))).rows.map(({ mayEnd }) => mayEnd)).toEqual([false, false]);
  });

  test("a viewer places none, a past one is refused, and one that is over stays over", async () => {
    const [viewer, ben] = await Promise.all([person("Vera", "viewer"), person("Ben", "operator")]);
    await expect(createSilence(by(viewer, NOON), silence())).rejects.toMatchObject({ code: "forbidden" });
    await expect(createSilence(by(ben, NOON + 3 * HOUR), silence())).rejects.toMatchObject({ code: "invalid" });
    const { id } = await createSilence(by(ben, NOON), silence());
    const ends = await Promise.allSettled([1, 2].map(() => endSilenceNow(by(ben, NOON + MINUTE), { silenceId: id })));
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
