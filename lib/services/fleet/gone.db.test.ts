import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { admin, at, launchBody } from "@/lib/simulator/testing";
import { count, rows, startWorld, type World } from "@/lib/testing/world";
import { pollInstances } from "./poll";
import { readFleet } from "./read";

let world: World;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 60_000, terminateMs: 60_000 } });
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const look = (ms: number) => world.advance(ms, [{ everyMs: 15_000, run: pollInstances }], 15_000);

/** Somebody launches in Lambda's own console. */
async function launchOutside(more: Record<string, unknown> = {}): Promise<string> {
  const answer = await admin(world.cloud, "POST", "/launch-outside", launchBody(more));
  return String(at(answer.json, "id"));
}

type Machine = { goneAt: Date | null; goneReason: string | null; missingPolls: number };
const machines = () =>
  rows<Machine>(
    `select gone_at as "goneAt", gone_reason as "goneReason", missing_polls as "missingPolls" from resource where kind = 'instance'`,
  );

describe("gone is what two good looks 30 s apart agree on", () => {
  type Step = "all" | "one of four is missing" | "three of four are missing" | "nothing is listed" | "fails";
  const faults: Record<Step, Record<string, unknown> | null> = {
    all: null,
    "one of four is missing": { name: "half_list", keep: 3 },
    "three of four are missing": { name: "half_list", keep: 1 },
    "nothing is listed": { name: "empty_list" },
    fails: { name: "server_error" },
  };
  const one: Step = "one of four is missing";
  const three: Step = "three of four are missing";
  const none: Step = "nothing is listed";

  const cases: [string, [apartMs: number, Step][], number][] = [
    ["once", [[15_000, one]], 0],
    [
      "twice, 15 s apart",
      [
        [15_000, one],
        [15_000, one],
      ],
      0,
    ],
    [
      "twice, 30 s apart",
      [
        [15_000, one],
        [30_000, one],
      ],
      1,
    ],
    [
      "three times in 30 s",
      [
        [15_000, one],
        [15_000, one],
        [15_000, one],
      ],
      1,
    ],
    [
      "twice with a failed look between them",
      [
        [15_000, one],
        [15_000, "fails"],
        [15_000, one],
      ],
      1,
    ],
    [
      "once, and every look since has failed",
      [
        [15_000, one],
        [30_000, "fails"],
        [30_000, "fails"],
      ],
      0,
    ],
    [
      "once, then listed, then once",
      [
        [15_000, one],
        [30_000, "all"],
        [30_000, one],
      ],
      0,
    ],
    [
      "twice, most of the fleet",
      [
        [15_000, three],
        [30_000, three],
      ],
      0,
    ],
    [
      "three times, most of the fleet",
      [
        [15_000, three],
        [30_000, three],
        [30_000, three],
      ],
      3,
    ],
    [
      "twice, all of the fleet",
      [
        [15_000, none],
        [30_000, none],
      ],
      0,
    ],
    [
      "three times, all of the fleet",
      [
        [15_000, none],
        [30_000, none],
        [30_000, none],
      ],
      4,
    ],
    [
      "all of the fleet once, and then it is back",
      [
        [15_000, none],
        [30_000, "all"],
        [30_000, "all"],
      ],
      0,
    ],
    [
      "one after the other, each once",
      [
        [15_000, one],
        [30_000, "all"],
        [30_000, three],
        [30_000, "all"],
      ],
      0,
    ],
  ];

  test.each(cases)("absent %s", async (_, steps, gone) => {
    for (let i = 0; i < 4; i++) await launchOutside({ name: `gh-${i}` });
    await look(2 * 60_000);
    for (const [apartMs, step] of steps) {
      await world.advance(apartMs);
      const fault = faults[step];
      if (fault) world.cloud.faults.add({ ...fault, path: "/instances" });
      await pollInstances(world.ctx());
      world.cloud.faults.clear(null);
    }
    expect((await machines()).filter(({ goneAt }) => goneAt !== null)).toHaveLength(gone);
    const { rows: shown } = await readFleet(world.ctx());
    expect(shown.filter(({ isGone }) => !isGone)).toHaveLength(4 - gone);

    // Whatever was wrongly believed, the next good looks put it right, on the same rows.
    await look(60_000);
    const after = await machines();
    expect(after).toHaveLength(4);
    expect(after.filter(({ goneAt, missingPolls }) => goneAt !== null || missingPolls > 0)).toEqual([]);
    expect(await count("select 1 from resource_span where valid_to is null")).toBe(4);
  });

  test("a machine that was not billed to its end is not called gone while it is only terminating", async () => {
    const id = await launchOutside();
    await look(2 * 60_000);
    await admin(world.cloud, "POST", "/terminate-outside", { id });
    await look(45_000);
    expect((await machines())[0]).toMatchObject({ goneAt: null });
    await look(2 * 60_000);
    expect((await machines())[0]).toMatchObject({ goneReason: "terminated_outside" });
  });
});
